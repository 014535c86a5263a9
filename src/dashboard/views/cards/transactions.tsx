import { moment, money, shortMoment, words } from '../../ui/format.ts';
import { attempt } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Transaction } from '../../data/response-types.ts';
import { balance, cards, clock, transactions } from '../../data/store.ts';
import { askForSettlement, askForTopUp } from '../../forms/cards.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { Id } from '../../ui/copy.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts } from '../../ui/panel.tsx';

const STATES = ['authorized', 'settled', 'reversed', 'declined'] as const;

const COLUMNS: readonly Column<Transaction>[] = [
  {
    title: 'Merchant',
    width: 'minmax(0, 2fr)',
    cell: row => (
      <TwoLines
        main={row.merchant.name}
        sub={`${row.type} · ${row.merchant.city}, ${row.merchant.country}`}
      />
    ),
  },
  {
    title: 'Card',
    width: '100px',
    isMinor: true,
    cell: row => `•••• ${cards.find(row.cardId)?.last4 ?? '????'}`,
  },
  { title: 'Amount', width: '116px', isNumber: true, cell: row => money(row.amount, row.currency) },
  { title: 'Status', width: '116px', cell: row => <Badge state={row.status} /> },
  {
    title: 'At',
    width: '96px',
    isMinor: true,
    isNumber: true,
    cell: row => shortMoment(row.createdAt, clock.value.value?.now),
  },
];

/** The partner's transactions. */
export function Transactions() {
  const held = balance.value.value;
  return (
    <Browse
      view="transactions"
      title="Transactions"
      noun="transaction"
      rows={transactions.rows.value}
      error={transactions.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: STATES }}
      actions={
        <>
          {held !== null && (
            <span class="balance">
              <b>{money(held.available, held.currency)}</b> available
            </span>
          )}
          <Button icon="plus" onClick={askForTopUp}>
            Top up
          </Button>
        </>
      }
      empty={
        <Empty icon="transfer" title="No transactions yet">
          <p>
            The simulated card network authorizes them: open an active card under <a href="#/cards">Cards</a>.
          </p>
        </Empty>
      }
      detail={id => {
        const row = transactions.find(id);
        return row === undefined ? <Gone noun="transaction" id={id} /> : <Detail row={row} />;
      }}
    />
  );
}

function Detail({ row }: { readonly row: Transaction }) {
  const card = cards.find(row.cardId);
  return (
    <>
      <header class="detail-head">
        <h2>{money(row.amount, row.currency)}</h2>
        <Badge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.declineReason !== null && (
        <p class="callout bad">
          <span>
            Declined: <b>{words(row.declineReason)}</b>
            {row.declineDetail !== null && <Why detail={row.declineDetail} currency={row.currency} />}
          </span>
        </p>
      )}
      {row.status === 'authorized' && (
        <div class="actions">
          <Button tone="primary" icon="check" onClick={() => askForSettlement(row)}>
            Settle
          </Button>
          <Button
            icon="back"
            onClick={() =>
              void attempt('The transaction is reversed', () =>
                control('POST', `/transactions/${row.id}/reverse`),
              )
            }
          >
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
          [
            'Card',
            <a key="card" href={linkTo('cards', row.cardId)}>
              •••• {card?.last4 ?? row.cardId}
            </a>,
          ],
          [
            'Cardholder',
            <a key="holder" href={linkTo('cardholders', row.cardholderId)}>
              {row.cardholderId}
            </a>,
          ],
          ['Created', moment(row.createdAt)],
          ['Updated', moment(row.updatedAt)],
        ]}
      />
    </>
  );
}

function Why({
  detail,
  currency,
}: {
  readonly detail: Readonly<Record<string, string | number>>;
  readonly currency: string;
}) {
  const { kind, window, limit, spent } = detail;
  const what = [kind, window]
    .filter(Boolean)
    .map(each => words(String(each)))
    .join(', ');
  return (
    <>
      {' '}
      ({what === '' ? '' : `${what}: `}
      {money(Number(spent), currency)} of {money(Number(limit), currency)} spent)
    </>
  );
}
