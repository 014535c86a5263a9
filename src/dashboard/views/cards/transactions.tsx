import { TRANSACTION_STATUSES } from '../../data/enumerations.ts';
import { useReading } from '../../data/readings.ts';
import { transactions } from '../../data/records.ts';
import type { ListedTransaction, Transaction } from '../../data/response-types.ts';
import { balance } from '../../data/store.ts';
import {
  openIncrementForm,
  openReversalForm,
  openSettlementForm,
  openTopUpForm,
} from '../../forms/transactions.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { cardEnd, dateTime, money, readable } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { Facts, Mentions, RecordHead, RecordLink } from '../../ui/panel.tsx';

export const transactionsView = recordView<ListedTransaction>({
  name: 'transactions',
  title: 'Transactions',
  icon: 'transfer',
  key: 't',
  list: transactions,
  columns: [
    {
      title: 'Merchant',
      width: 'minmax(0, 2fr)',
      cell: ({ type, merchant: { name, city, country } }) => (
        <TwoLines main={name} sub={`${type} · ${city}, ${country}`} />
      ),
    },
    {
      title: 'Cardholder',
      width: 'minmax(0, 1.4fr)',
      hideWhen: 'phone',
      cell: row => <TwoLines main={row.cardholderName} sub={cardEnd(row.last4)} />,
    },
    { title: 'Amount', width: '96px', isNumber: true, cell: row => money(row.amount, row.currency) },
    { title: 'Status', width: '104px', cell: row => <StateBadge state={row.status} /> },
    timeColumn('Created', row => row.createdAt),
  ],
  states: { parameter: 'status', all: TRANSACTION_STATUSES },
  Actions: () => (
    <>
      <AvailableBalance />
      <Button icon="plus" onClick={openTopUpForm}>
        Top up
      </Button>
    </>
  ),
  source: (
    <>
      The simulated card network authorizes them. Open an active card under{' '}
      <a href={linkTo('cards')}>Cards</a>.
    </>
  ),
  Detail: TransactionDetail,
});

const REVERSALS: Readonly<Record<NonNullable<Transaction['reversalReason']>, string>> = {
  expired: 'because the authorization expired',
  merchant: 'by the merchant',
};

function AvailableBalance() {
  useReading(balance);
  const { available, currency } = balance.data.value ?? {};
  return (
    <span class="balance">
      <b>{available === undefined || currency === undefined ? '…' : money(available, currency)}</b> available
    </span>
  );
}

function TransactionDetail({ row }: { readonly row: ListedTransaction }) {
  return (
    <>
      <RecordHead title={money(row.amount, row.currency)} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
      {row.declineReason !== null && (
        <p class="callout bad">
          <span>
            Declined: <b>{readable(row.declineReason)}</b>
            {declineLimit(row)}
          </span>
        </p>
      )}
      {row.status === 'authorized' && (
        <div class="actions">
          <Button kind="primary" icon="check" onClick={() => openSettlementForm(row)}>
            Settle
          </Button>
          <Button icon="plus" onClick={() => openIncrementForm(row)}>
            Increment
          </Button>
          <Button icon="back" onClick={() => openReversalForm(row)}>
            Reverse
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['Merchant', `${row.merchant.name}, ${row.merchant.city}, ${row.merchant.country}`],
          ['Category', row.merchant.mcc],
          ['Type', row.type],
          ['Settled', row.settledAmount === null ? null : money(row.settledAmount, row.currency)],
          ['Reversed', row.reversalReason === null ? null : REVERSALS[row.reversalReason]],
          ['Card', <RecordLink key="card" id={row.cardId} text={cardEnd(row.last4)} />],
          ['Cardholder', <RecordLink key="holder" id={row.cardholderId} text={row.cardholderName} />],
          ['Created', dateTime(row.createdAt)],
          ['Updated', dateTime(row.updatedAt)],
          ['Mentioned in', <Mentions key="mentions" of={row.id} />],
        ]}
      />
    </>
  );
}

/** The limit that an amount would have exceeded, and what is spent of it. */
function declineLimit({ declineDetail: detail, currency }: Transaction): string {
  if (detail === null) return '';
  const words = (name: string) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  const window = 'window' in detail ? `${detail.kind}, ${words(detail.window)}: ` : '';
  return ` (${window}${money(detail.spent, currency)} of ${money(detail.limit, currency)} spent)`;
}
