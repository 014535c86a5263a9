import { readRecord } from '../data/records.ts';
import { go, viewOfId } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { VIEWS } from '../views.ts';

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
      const list = VIEWS.find(({ name }) => name === view)?.list;
      if (list === undefined || (await readRecord(list, id)) === null)
        throw new Error(`No record of these kinds has the id ${id}.`);
      go(view, id);
    },
  });
}
