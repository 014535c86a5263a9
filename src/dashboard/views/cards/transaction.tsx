import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import { cards, useRecord } from '../../data/records/lists.ts';
import type { Transaction } from '../../data/response-types.ts';
import { openIncrementForm, openReversalForm, openSettlementForm } from '../../forms/transactions.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { dateTime, money, readable } from '../../ui/format.ts';
import { Button, Facts } from '../../ui/panel.tsx';

/** A transaction with the reason of its decline and its actions. */
export function TransactionDetail({ row }: { readonly row: Transaction }) {
  const card = useRecord(cards, row.cardId);
  return (
    <>
      <header class="detail-head">
        <h2>{money(row.amount, row.currency)}</h2>
        <StateBadge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.declineReason !== null && (
        <p class="callout bad">
          <span>
            Declined: <b>{readable(row.declineReason)}</b>
            {row.declineDetail !== null && (
              <DeclineLimit detail={row.declineDetail} currency={row.currency} />
            )}
          </span>
        </p>
      )}
      {row.status === 'authorized' && (
        <div class="actions">
          <Button tone="primary" icon="check" onClick={() => openSettlementForm(row)}>
            Settle
          </Button>
          <Button icon="plus" onClick={() => openIncrementForm(row)}>
            Increment
          </Button>
          <Button icon="back" onClick={() => reverse(row.id)}>
            Reverse
          </Button>
          <Button onClick={() => openReversalForm(row)}>Reverse in part</Button>
        </div>
      )}
      <Facts
        of={[
          ['Merchant', `${row.merchant.name}, ${row.merchant.city}, ${row.merchant.country}`],
          ['Category', row.merchant.mcc],
          ['Type', row.type],
          ['Settled', row.settledAmount === null ? null : money(row.settledAmount, row.currency)],
          ['Reversed', row.reversalReason === null ? null : REVERSALS[row.reversalReason]],
          [
            'Card',
            <a key="card" href={linkTo('cards', row.cardId)}>
              {card ? `•••• ${card.last4}` : row.cardId}
            </a>,
          ],
          [
            'Cardholder',
            <a key="holder" href={linkTo('cardholders', row.cardholderId)}>
              {row.cardholderId}
            </a>,
          ],
          ['Created', dateTime(row.createdAt)],
          ['Updated', dateTime(row.updatedAt)],
        ]}
      />
    </>
  );
}

function reverse(id: string): void {
  void withToast('Transaction reversed', () => control('POST', `/transactions/${id}/reverse`));
}

const REVERSALS: Readonly<Record<NonNullable<Transaction['reversalReason']>, string>> = {
  expired: 'because the authorization expired',
  merchant: 'by the merchant',
};

interface DeclineLimitProps {
  readonly detail: NonNullable<Transaction['declineDetail']>;
  readonly currency: string;
}

/** The limit that the transaction would have exceeded. */
function DeclineLimit({ detail, currency }: DeclineLimitProps) {
  const window = 'window' in detail ? `${detail.kind}, ${detail.window}: ` : '';
  return (
    <>
      {' '}
      ({window}
      {money(detail.spent, currency)} of {money(detail.limit, currency)} spent)
    </>
  );
}
