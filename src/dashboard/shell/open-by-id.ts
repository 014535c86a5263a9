import { control } from '../data/http.ts';
import { go, viewOfId } from '../route.ts';
import { openForm } from '../ui/form.tsx';

/** The paths of records in the control plane, by their views. */
const PATHS: Readonly<Record<string, string>> = {
  cardholders: '/cardholders',
  'share-tokens': '/share-tokens',
  'kyc-sessions': '/kyc-sessions',
  cards: '/cards',
  transactions: '/transactions',
  activity: '/requests',
  webhooks: '/deliveries',
};

/** Asks for the id of a record, and opens it on its page. */
export function openRecordForm(): void {
  openForm({
    title: 'Open a record',
    submit: 'Open',
    fields: () => [
      {
        name: 'id',
        label: 'Id',
        hint: 'Of a cardholder, card, transaction, KYC session, event or request, or a share token.',
      },
    ],
    async run({ id: text = '' }) {
      const id = text.trim();
      const view = viewOfId(id);
      await control('GET', `${PATHS[view]}/${encodeURIComponent(id)}`).catch(() => {
        throw new Error(`Nothing in this world has the id ${id}.`);
      });
      go(view, id);
    },
  });
}
