import * as records from '../data/records.ts';
import { go, viewOfId } from '../route.ts';
import { openForm } from '../ui/form.tsx';

const LISTS: Readonly<Record<string, records.RecordList<unknown>>> = {
  cardholders: records.cardholders,
  'kyc-sessions': records.kycSessions,
  cards: records.cards,
  transactions: records.transactions,
  activity: records.requests,
  webhooks: records.deliveries,
};

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
    async run(input) {
      const id = String(input.id).trim();
      const view = viewOfId(id);
      const record = await records.readRecord(LISTS[view] ?? records.shareTokens, id);
      if (record === null) throw new Error(`Nothing in this world has the id ${id}.`);
      go(view, id);
    },
  });
}
