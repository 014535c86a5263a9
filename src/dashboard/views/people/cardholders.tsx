import { KYC_STATES } from '../../data/enumerations.ts';
import { cardholders } from '../../data/records.ts';
import type { Cardholder } from '../../data/response-types.ts';
import { openCardholderForm } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { BrowseRecords, OpenRecord, type RecordKind } from '../../paging/browse-records.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { nameOf } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { CardholderDetail } from './cardholder.tsx';

export const cardholdersView: View = {
  name: 'cardholders',
  title: 'Cardholders',
  icon: 'people',
  group: 'Records',
  key: 'h',
  Page: Cardholders,
  Record: ({ id }) => <OpenRecord kind={KIND} id={id} />,
};

const KIND: RecordKind<Cardholder> = {
  list: cardholders,
  noun: 'cardholder',
  detail: row => <CardholderDetail row={row} />,
};

const COLUMNS: readonly Column<Cardholder>[] = [
  {
    title: 'Cardholder',
    width: 'minmax(0, 2fr)',
    cell: row => <TwoLines main={nameOf(row)} sub={row.email} />,
  },
  {
    title: 'External id',
    width: 'minmax(0, 1fr)',
    hideWhen: 'narrow',
    cell: row => <code>{row.externalUserId}</code>,
  },
  { title: 'Source', width: '64px', hideWhen: 'narrow', cell: row => row.kycSource },
  { title: 'KYC', width: '132px', cell: row => <StateBadge state={row.kyc.state} /> },
  { title: 'Status', width: '108px', hideWhen: 'narrow', cell: row => <StateBadge state={row.status} /> },
  timeColumn('Created', row => row.createdAt),
];

function Cardholders() {
  const create = (
    <Button icon="plus" tone="primary" onClick={() => void openCardholderForm()}>
      Create cardholder
    </Button>
  );
  return (
    <BrowseRecords
      view={cardholdersView}
      kind={KIND}
      columns={COLUMNS}
      states={{ parameter: 'kycState', all: KYC_STATES }}
      actions={
        <>
          <Button icon="lock" onClick={openShareTokenForm}>
            Issue share token
          </Button>
          {create}
        </>
      }
      empty={
        <Empty icon="people" title="No cardholders yet">
          <p>Issue a share token and create a cardholder with it, here or from your app.</p>
          {create}
        </Empty>
      }
    />
  );
}
