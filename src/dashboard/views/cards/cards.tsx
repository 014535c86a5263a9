import { CARD_STATUSES } from '../../data/enumerations.ts';
import type { Card } from '../../data/response-types.ts';
import { cardholders, cards } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Browse, MissingRecord } from '../../ui/browse.tsx';
import { money } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Empty } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { CardDetail } from './card.tsx';

/** The partner's cards. */
export const cardsView: View = {
  name: 'cards',
  title: 'Cards',
  icon: 'card',
  group: 'Records',
  key: 'c',
  Page: Cards,
};

/** Returns the name of the cardholder, or its id when the page does not have it. */
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
  { title: 'Status', width: '108px', cell: row => <StateBadge state={row.status} /> },
  {
    title: 'Spent',
    width: '120px',
    isMinor: true,
    isNumber: true,
    cell: ({ spendControl: { spent }, currency }) =>
      money(spent.sales.allTime + spent.cash.allTime, currency),
  },
  {
    title: 'Limit',
    width: '120px',
    isMinor: true,
    isNumber: true,
    cell: row => money(row.limit, row.currency),
  },
  timeColumn('Issued', row => row.createdAt),
];

function Cards() {
  return (
    <Browse
      view={cardsView}
      noun="card"
      rows={cards.rows.value}
      total={cards.total.value}
      search={cards.search}
      error={cards.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: CARD_STATUSES }}
      empty={
        <Empty icon="card" title="No cards yet">
          <p>
            Cards are issued to active cardholders whose KYC is approved. Open one under{' '}
            <a href={linkTo('cardholders')}>Cardholders</a>.
          </p>
        </Empty>
      }
      detail={id => {
        const row = cards.find(id);
        if (row === undefined) return <MissingRecord noun="card" id={id} />;
        return <CardDetail row={row} holder={holderOf(row)} />;
      }}
    />
  );
}
