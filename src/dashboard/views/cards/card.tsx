import { callApi, withToast } from '../../data/actions.ts';
import { cardholders, transactions, useRecord, useRows } from '../../data/records/lists.ts';
import type { Card } from '../../data/response-types.ts';
import { openAuthorizationForm } from '../../forms/cards.ts';
import { openChallengeForm } from '../../forms/three-d-secure.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime, money } from '../../ui/format.ts';
import { Button, Facts, Section } from '../../ui/panel.tsx';
import { RecordHistory } from '../traffic/record-history.tsx';
import { Reveal } from './reveal.tsx';
import { Spend } from './spend.tsx';

const MAX_TRANSACTIONS = 10;

const RESULTS = { activate: 'activated', freeze: 'frozen', unfreeze: 'unfrozen' } as const;

/** A card with its limits, transactions and actions. */
export function CardDetail({ row }: { readonly row: Card }) {
  const holder = useRecord(cardholders, row.cardholderId);
  return (
    <>
      <header class="detail-head">
        <h2 class="capital">
          {row.brand} •••• {row.last4}
        </h2>
        <StateBadge state={row.status} />
      </header>
      <Id value={row.id} />
      <Actions row={row} />
      <Facts
        of={[
          [
            'Cardholder',
            <a key="holder" href={linkTo('cardholders', row.cardholderId)}>
              {holder ? `${holder.firstName} ${holder.lastName}` : row.cardholderId}
            </a>,
          ],
          ['Name on card', row.nameOnCard],
          ['Type', row.type],
          ['Program', <code key="program">{row.programId}</code>],
          ['Issued', dateTime(row.createdAt)],
        ]}
      />
      <Section title="Spend controls">
        <Spend card={row} />
      </Section>
      <Section title="Transactions">
        <LatestTransactions cardId={row.id} />
      </Section>
      <RecordHistory id={row.id} />
    </>
  );
}

function LatestTransactions({ cardId }: { readonly cardId: string }) {
  const rows = useRows(transactions, { cardId }, MAX_TRANSACTIONS);
  if (rows === null) return null;
  if (rows.length === 0) {
    return <p class="nothing">None yet. Authorize one to see the limits and the balance change.</p>;
  }
  return (
    <ul class="links">
      {rows.map(each => (
        <li key={each.id}>
          <a href={linkTo('transactions', each.id)}>{each.merchant.name}</a>
          <span class="number">{money(each.amount, each.currency)}</span>
          <StateBadge state={each.status} />
        </li>
      ))}
    </ul>
  );
}

function Actions({ row }: { readonly row: Card }) {
  const { status } = row;
  const move = (verb: keyof typeof RESULTS) =>
    void withToast(`Card ${RESULTS[verb]}`, () => callApi('POST', `/partner/cards/${row.id}/${verb}`));
  return (
    <div class="actions">
      {status === 'created' && (
        <Button tone="primary" onClick={() => move('activate')}>
          Activate
        </Button>
      )}
      <Button
        icon="transfer"
        {...(status === 'active' ? { tone: 'primary' as const } : {})}
        onClick={() => openAuthorizationForm(row)}
      >
        Authorize
      </Button>
      {status === 'active' && <Button onClick={() => move('freeze')}>Freeze card</Button>}
      {status === 'frozen' && <Button onClick={() => move('unfreeze')}>Unfreeze</Button>}
      {status !== 'cancelled' && (
        <>
          <Reveal cardId={row.id} />
          <Button onClick={() => openChallengeForm(row)}>3DS</Button>
          <Button onClick={() => openCancelForm(row.id)}>Cancel card</Button>
        </>
      )}
    </div>
  );
}

function openCancelForm(id: string): void {
  openForm({
    title: 'Cancel the card',
    intro: 'A cancelled card cannot be reactivated.',
    submit: 'Cancel card',
    isDangerous: true,
    run: () => callApi('POST', `/partner/cards/${id}/cancel`),
  });
}
