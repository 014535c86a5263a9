import { read } from '../data/http.ts';
import {
  cardholders,
  cards,
  kycSessions,
  readRecord,
  requests,
  shareTokens,
  transactions,
} from '../data/records.ts';
import { go, viewOfId } from '../route.ts';
import { openForm } from '../ui/form.tsx';

/** What reads a record by its id, by the views of the records. */
const READERS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  cardholders: id => readRecord(cardholders, id),
  'share-tokens': id => readRecord(shareTokens, id),
  'kyc-sessions': id => readRecord(kycSessions, id),
  cards: id => readRecord(cards, id),
  transactions: id => readRecord(transactions, id),
  activity: id => readRecord(requests, id),
  webhooks: id => read(`/deliveries/${encodeURIComponent(id)}`),
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
      await READERS[view]?.(id).catch(() => {
        throw new Error(`Nothing in this world has the id ${id}.`);
      });
      go(view, id);
    },
  });
}
