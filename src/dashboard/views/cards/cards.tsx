import { CARD_STATUSES } from '../../data/enumerations.ts';
import { cards } from '../../data/records.ts';
import type { Card } from '../../data/response-types.ts';
import { openCardForm } from '../../forms/cards.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { cardEnd, money } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { CardDetail } from './card.tsx';

export const cardsView = recordView<Card>({
  name: 'cards',
  title: 'Cards',
  icon: 'card',
  key: 'c',
  list: cards,
  columns: [
    {
      title: 'Card',
      width: 'minmax(0, 1.6fr)',
      cell: row => <TwoLines main={cardEnd(row.last4)} sub={`${row.brand} ${row.type}`} />,
    },
    { title: 'Name on card', width: 'minmax(0, 1.4fr)', cell: row => row.nameOnCard },
    { title: 'Status', width: '108px', cell: row => <StateBadge state={row.status} /> },
    {
      title: 'Spent',
      width: '120px',
      hideWhen: 'narrow',
      isNumber: true,
      cell: ({ spendControl: { spent }, currency }) =>
        money(spent.sales.allTime + spent.cash.allTime, currency),
    },
    {
      title: 'Limit',
      width: '120px',
      hideWhen: 'narrow',
      isNumber: true,
      cell: row => money(row.limit, row.currency),
    },
    timeColumn('Issued', row => row.createdAt),
  ],
  states: { parameter: 'status', all: CARD_STATUSES },
  create: { label: 'Issue card', run: () => openCardForm() },
  source: (
    <>
      Cards are issued to active cardholders whose KYC is approved. Open one under{' '}
      <a href={linkTo('cardholders')}>Cardholders</a>, or let the sandbox add one.
    </>
  ),
  Detail: CardDetail,
});
