import { KYC_STATES } from '../../data/enumerations.ts';
import type { Cardholder } from '../../data/response-types.ts';
import { cardholders } from '../../data/store.ts';
import { openCardholderForm } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Browse, MissingRecord } from '../../ui/browse.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { CardholderDetail } from './cardholder.tsx';

/** The partner's cardholders. */
export const cardholdersView: View = {
  name: 'cardholders',
  title: 'Cardholders',
  icon: 'people',
  group: 'Records',
  key: 'h',
  Page: Cardholders,
};

const COLUMNS: readonly Column<Cardholder>[] = [
  {
    title: 'Cardholder',
    width: 'minmax(0, 2fr)',
    cell: row => <TwoLines main={`${row.firstName} ${row.lastName}`} sub={row.email} />,
  },
  {
    title: 'External id',
    width: 'minmax(0, 1fr)',
    isMinor: true,
    cell: row => <code>{row.externalUserId}</code>,
  },
  { title: 'Source', width: '64px', isMinor: true, cell: row => row.kycSource },
  { title: 'KYC', width: '132px', cell: row => <StateBadge state={row.kyc.state} /> },
  { title: 'Status', width: '108px', isMinor: true, cell: row => <StateBadge state={row.status} /> },
  timeColumn('Created', row => row.createdAt),
];

function Cardholders() {
  const create = (
    <Button icon="plus" tone="primary" onClick={() => openCardholderForm()}>
      Create cardholder
    </Button>
  );
  return (
    <Browse
      view={cardholdersView}
      noun="cardholder"
      rows={cardholders.rows.value}
      total={cardholders.total.value}
      search={cardholders.search}
      error={cardholders.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ kyc }) => kyc.state, all: KYC_STATES }}
      actions={
        <>
          <Button icon="lock" onClick={openShareTokenForm}>
            Mint token
          </Button>
          {create}
        </>
      }
      empty={
        <Empty icon="people" title="No cardholders yet">
          <p>Mint a share token and create a cardholder with it, here or from your app.</p>
          {create}
        </Empty>
      }
      detail={id => {
        const row = cardholders.find(id);
        if (row === undefined) return <MissingRecord noun="cardholder" id={id} />;
        return <CardholderDetail row={row} />;
      }}
    />
  );
}
