import { useSignal } from '@preact/signals';
import { callApi, withToast } from '../../data/actions.ts';
import { cardholders, transactions, useRecord, useRows } from '../../data/records.ts';
import type { Card } from '../../data/response-types.ts';
import { openAuthorizationForm, openChallengeForm } from '../../forms/cards.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime, money, nameOf } from '../../ui/format.ts';
import { Button, Facts, Mentions, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { Spend } from './spend.tsx';

const MAX_TRANSACTIONS = 10;

const RESULTS = { activate: 'activated', freeze: 'frozen', unfreeze: 'unfrozen' } as const;

export function CardDetail({ row }: { readonly row: Card }) {
  const holder = useRecord(cardholders, row.cardholderId);
  return (
    <>
      <RecordHead kind="capital" title={`${row.brand} •••• ${row.last4}`} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
      <Actions row={row} />
      <Facts
        of={[
          [
            'Cardholder',
            <RecordLink key="holder" id={row.cardholderId}>
              {holder && nameOf(holder)}
            </RecordLink>,
          ],
          ['Name on card', row.nameOnCard],
          ['Type', row.type],
          ['Program', <code key="program">{row.programId}</code>],
          ['Issued', dateTime(row.createdAt)],
          ['Mentioned in', <Mentions key="mentions" of={row.id} />],
        ]}
      />
      <Section title="Spend controls">
        <Spend card={row} />
      </Section>
      <Section title="Transactions">
        <LatestTransactions cardId={row.id} />
      </Section>
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
          <RecordLink id={each.id}>{each.merchant.name}</RecordLink>
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

/** Shows a card's details as a partner's app does: through a single-use link in an iframe. */
function Reveal({ cardId }: { readonly cardId: string }) {
  const frameUrl = useSignal<string | null>(null);
  async function open() {
    const { accessUrl } = await callApi<{ accessUrl: string }>(
      'POST',
      `/partner/cards/${cardId}/reveal-html`,
      { copyPan: true },
    );
    const { pathname, search } = new URL(accessUrl);
    // Relative to this page, which may have been opened under another host name than the one in the link.
    frameUrl.value = pathname + search;
  }
  return (
    <>
      <Button icon="eye" onClick={() => void withToast('Single-use link opened', open)}>
        Reveal
      </Button>
      {frameUrl.value !== null && (
        <Dialog
          title="Card details"
          kind="reveal"
          onClose={() => {
            frameUrl.value = null;
          }}
        >
          <iframe title="Card details" src={frameUrl.value} allow="clipboard-write" />
          <p class="note">The link works once, within 60 seconds. It is used up now.</p>
        </Dialog>
      )}
    </>
  );
}
