import { TRANSACTION_STATUSES } from '../../data/enumerations.ts';
import { transactions } from '../../data/records/lists.ts';
import type { Transaction } from '../../data/response-types.ts';
import { balance } from '../../data/store.ts';
import { openTopUpForm } from '../../forms/transactions.ts';
import { BrowseRecords } from '../../paging/browse-records.tsx';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { money } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { TransactionDetail } from './transaction.tsx';

/** The partner's transactions and balance. */
export const transactionsView: View = {
  name: 'transactions',
  title: 'Transactions',
  icon: 'transfer',
  group: 'Records',
  key: 't',
  Page: Transactions,
};

const COLUMNS: readonly Column<Transaction>[] = [
  {
    title: 'Merchant',
    width: 'minmax(0, 2fr)',
    cell: ({ type, merchant: { name, city, country } }) => (
      <TwoLines main={name} sub={`${type} · ${city}, ${country}`} />
    ),
  },
  {
    title: 'Card',
    width: 'minmax(0, 1fr)',
    isMinor: true,
    cell: row => <code>{row.cardId}</code>,
  },
  { title: 'Amount', width: '116px', isNumber: true, cell: row => money(row.amount, row.currency) },
  { title: 'Status', width: '116px', cell: row => <StateBadge state={row.status} /> },
  timeColumn('Created', row => row.createdAt),
];

function Transactions() {
  return (
    <BrowseRecords
      view={transactionsView}
      noun="transaction"
      list={transactions}
      columns={COLUMNS}
      states={{ parameter: 'status', all: TRANSACTION_STATUSES }}
      actions={
        <>
          <AvailableBalance />
          <Button icon="plus" onClick={openTopUpForm}>
            Top up
          </Button>
        </>
      }
      empty={
        <Empty icon="transfer" title="No transactions yet">
          <p>
            The simulated card network authorizes them. Open an active card under{' '}
            <a href={linkTo('cards')}>Cards</a>.
          </p>
        </Empty>
      }
      detail={row => <TransactionDetail row={row} />}
    />
  );
}

function AvailableBalance() {
  const { available, currency } = balance.data.value ?? {};
  return (
    <span class="balance">
      <b>{available === undefined || currency === undefined ? '…' : money(available, currency)}</b> available
    </span>
  );
}
