import { TRANSACTION_STATUSES } from '../../data/enumerations.ts';
import type { Transaction } from '../../data/response-types.ts';
import { balance, cards, transactions } from '../../data/store.ts';
import { openTopUpForm } from '../../forms/transactions.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Browse, MissingRecord } from '../../ui/browse.tsx';
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
    width: '100px',
    isMinor: true,
    cell: row => `•••• ${cards.find(row.cardId)?.last4 ?? '????'}`,
  },
  { title: 'Amount', width: '116px', isNumber: true, cell: row => money(row.amount, row.currency) },
  { title: 'Status', width: '116px', cell: row => <StateBadge state={row.status} /> },
  timeColumn('Created', row => row.createdAt),
];

function Transactions() {
  return (
    <Browse
      view={transactionsView}
      noun="transaction"
      rows={transactions.rows.value}
      total={transactions.total.value}
      search={transactions.search}
      error={transactions.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: TRANSACTION_STATUSES }}
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
      detail={id => {
        const row = transactions.find(id);
        if (row === undefined) return <MissingRecord noun="transaction" id={id} />;
        return <TransactionDetail row={row} />;
      }}
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
