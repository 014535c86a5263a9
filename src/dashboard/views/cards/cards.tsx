import { money } from '../../ui/format.ts';
import type { Card } from '../../data/response-types.ts';
import { cardholders, cards } from '../../data/store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Empty } from '../../ui/panel.tsx';
import { momentColumn } from '../../ui/moment-column.tsx';
import { CardDetail } from './card.tsx';

const STATES = ['created', 'active', 'frozen', 'cancelled'] as const;

/** The name of a cardholder, or its id while it is not known here. */
function holderOf({ cardholderId }: Card): string {
  const holder = cardholders.find(cardholderId);
  return holder === undefined ? cardholderId : `${holder.firstName} ${holder.lastName}`;
}

const COLUMNS: readonly Column<Card>[] = [
  {
    title: 'Card',
    width: 'minmax(0, 1.4fr)',
    cell: row => <TwoLines main={`•••• ${row.last4}`} sub={`${row.brand} ${row.type}`} />,
  },
  { title: 'Cardholder', width: 'minmax(0, 1.6fr)', cell: holderOf },
  { title: 'Status', width: '108px', cell: row => <Badge state={row.status} /> },
  {
    title: 'Spent',
    width: '120px',
    isMinor: true,
    isNumber: true,
    cell: row =>
      money(row.spendControl.spent.sales.allTime + row.spendControl.spent.cash.allTime, row.currency),
  },
  {
    title: 'Limit',
    width: '120px',
    isMinor: true,
    isNumber: true,
    cell: row => money(row.limit, row.currency),
  },
  momentColumn('Issued', row => row.createdAt),
];

/** The partner's cards. */
export function Cards() {
  return (
    <Browse
      view="cards"
      title="Cards"
      noun="card"
      rows={cards.rows.value}
      error={cards.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: STATES }}
      empty={
        <Empty icon="card" title="No cards yet">
          <p>
            A card is issued to an active cardholder whose KYC is approved: open one under{' '}
            <a href="#/cardholders">Cardholders</a>.
          </p>
        </Empty>
      }
      detail={id => {
        const row = cards.find(id);
        return row === undefined ? (
          <Gone noun="card" id={id} />
        ) : (
          <CardDetail row={row} holder={holderOf(row)} />
        );
      }}
    />
  );
}
