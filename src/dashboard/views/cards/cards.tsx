import { CARD_STATUSES } from '../../data/enumerations.ts';
import { cards } from '../../data/records.ts';
import type { Card } from '../../data/response-types.ts';
import { openCardForm } from '../../forms/cards.ts';
import { BrowseRecords, OpenRecord, type RecordKind } from '../../paging/browse-records.tsx';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { money } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { CardDetail } from './card.tsx';

export const cardsView: View = {
  name: 'cards',
  title: 'Cards',
  icon: 'card',
  group: 'Records',
  key: 'c',
  Page: Cards,
  Record: ({ id }) => <OpenRecord kind={KIND} id={id} />,
};

const KIND: RecordKind<Card> = {
  list: cards,
  noun: 'card',
  detail: row => <CardDetail row={row} />,
};

const COLUMNS: readonly Column<Card>[] = [
  {
    title: 'Card',
    width: 'minmax(0, 1.4fr)',
    cell: row => <TwoLines main={`•••• ${row.last4}`} sub={`${row.brand} ${row.type}`} />,
  },
  { title: 'Name on card', width: 'minmax(0, 1.6fr)', cell: row => row.nameOnCard },
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
];

function Cards() {
  const issue = (
    <Button icon="plus" tone="primary" onClick={() => void openCardForm()}>
      Issue card
    </Button>
  );
  return (
    <BrowseRecords
      view={cardsView}
      kind={KIND}
      columns={COLUMNS}
      actions={issue}
      states={{ parameter: 'status', all: CARD_STATUSES }}
      empty={
        <Empty icon="card" title="No cards yet">
          <p>
            Cards are issued to active cardholders whose KYC is approved. Open one under{' '}
            <a href={linkTo('cardholders')}>Cardholders</a>, or let the sandbox add one.
          </p>
          {issue}
        </Empty>
      }
    />
  );
}
