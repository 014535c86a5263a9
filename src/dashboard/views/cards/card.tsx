import { moment, money } from '../../ui/format.ts';
import { attempt, callApi } from '../../data/actions.ts';
import type { Card } from '../../data/response-types.ts';
import { transactions } from '../../data/store.ts';
import { askForAuthorization, askForChallenge } from '../../forms/cards.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { ask } from '../../ui/form.tsx';
import { Button, Facts, Section } from '../../ui/panel.tsx';
import { Reveal } from './reveal.tsx';
import { Spend } from './spend.tsx';

const MOST_TRANSACTIONS = 10;

const DONE = { activate: 'activated', freeze: 'frozen', unfreeze: 'unfrozen', cancel: 'cancelled' } as const;
type Move = keyof typeof DONE;

/** A card: what it is, what may be and was spent with it, and what can be done. */
export function CardDetail({ row, holder }: { readonly row: Card; readonly holder: string }) {
  const own = (transactions.rows.value ?? []).filter(({ cardId }) => cardId === row.id);
  return (
    <>
      <header class="detail-head">
        <h2 class="capital">
          {row.brand} •••• {row.last4}
        </h2>
        <Badge state={row.status} />
      </header>
      <Id value={row.id} />
      <Actions row={row} />
      <Facts
        of={[
          [
            'Cardholder',
            <a key="holder" href={linkTo('cardholders', row.cardholderId)}>
              {holder}
            </a>,
          ],
          ['Name on card', row.nameOnCard],
          ['Type', row.type],
          ['Program', <code key="program">{row.programId}</code>],
          ['Issued', moment(row.createdAt)],
        ]}
      />
      <Section title="Spend controls">
        <Spend card={row} />
      </Section>
      <Section title="Transactions">
        {own.length === 0 ? (
          <p class="nothing">None yet. Authorize one to see limits and balance at work.</p>
        ) : (
          <ul class="links">
            {own.slice(0, MOST_TRANSACTIONS).map(each => (
              <li key={each.id}>
                <a href={linkTo('transactions', each.id)}>{each.merchant.name}</a>
                <span class="number">{money(each.amount, each.currency)}</span>
                <Badge state={each.status} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function Actions({ row }: { readonly row: Card }) {
  const { status } = row;
  const move = (verb: Move) =>
    void attempt(`The card is ${DONE[verb]}`, () => callApi('POST', `/partner/cards/${row.id}/${verb}`));
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
        onClick={() => askForAuthorization(row)}
      >
        Authorize
      </Button>
      {status === 'active' && <Button onClick={() => move('freeze')}>Freeze card</Button>}
      {status === 'frozen' && <Button onClick={() => move('unfreeze')}>Unfreeze</Button>}
      {status !== 'cancelled' && (
        <>
          <Reveal cardId={row.id} />
          <Button onClick={() => askForChallenge(row)}>3DS</Button>
          <Button
            onClick={() =>
              ask({
                title: 'Cancel the card',
                intro: 'A cancelled card stays cancelled.',
                submit: 'Cancel card',
                isDangerous: true,
                run: () => callApi('POST', `/partner/cards/${row.id}/cancel`),
              })
            }
          >
            Cancel card
          </Button>
        </>
      )}
    </div>
  );
}
