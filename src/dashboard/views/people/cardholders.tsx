import type { Cardholder } from '../../data/response-types.ts';
import { cardholders } from '../../data/store.ts';
import { askForCardholder, askForShareToken } from '../../forms/cardholders.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { momentColumn } from '../../ui/moment-column.tsx';
import { CardholderDetail } from './cardholder.tsx';

const STATES = ['not_submitted', 'in_flight', 'approved', 'rejected'] as const;

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
  { title: 'KYC', width: '132px', cell: row => <Badge state={row.kyc.state} /> },
  { title: 'Status', width: '108px', isMinor: true, cell: row => <Badge state={row.status} /> },
  momentColumn('Created', row => row.createdAt),
];

/** The partner's cardholders. */
export function Cardholders() {
  return (
    <Browse
      view="cardholders"
      title="Cardholders"
      noun="cardholder"
      rows={cardholders.rows.value}
      error={cardholders.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ kyc }) => kyc.state, all: STATES }}
      actions={
        <>
          <Button icon="lock" onClick={askForShareToken}>
            Mint token
          </Button>
          <Button icon="plus" tone="primary" onClick={() => askForCardholder()}>
            Create cardholder
          </Button>
        </>
      }
      empty={
        <Empty icon="people" title="No cardholders yet">
          <p>Mint a share token, then create a cardholder with it. Calls of your own app show up here too.</p>
          <Button icon="plus" tone="primary" onClick={() => askForCardholder()}>
            Create cardholder
          </Button>
        </Empty>
      }
      detail={id => {
        const row = cardholders.find(id);
        return row === undefined ? <Gone noun="cardholder" id={id} /> : <CardholderDetail row={row} />;
      }}
    />
  );
}
