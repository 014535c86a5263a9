import { callApi, withToast } from '../../data/actions.ts';
import { cardholders, useRecord } from '../../data/records.ts';
import type { Card } from '../../data/response-types.ts';
import { isDocumentedOnly } from '../../data/store.ts';
import { openAuthorizationForm, openChallengeForm } from '../../forms/cards.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialog.tsx';
import { openForm } from '../../ui/form.tsx';
import { cardEnd, dateTime, nameOf } from '../../ui/format.ts';
import { Facts, Mentions, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { LatestTransactions } from './latest-transactions.tsx';
import { Spend } from './spend.tsx';

const RESULTS = { activate: 'activated', freeze: 'frozen', unfreeze: 'unfrozen' } as const;

export function CardDetail({ row }: { readonly row: Card }) {
  const holder = useRecord(cardholders, row.cardholderId);
  return (
    <>
      <RecordHead kind="capital" title={`${row.brand} ${cardEnd(row.last4)}`} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
      <Actions row={row} />
      <Facts
        of={[
          ['Cardholder', <RecordLink key="holder" id={row.cardholderId} text={holder && nameOf(holder)} />],
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
      <LatestTransactions of={{ cardId: row.id }} />
    </>
  );
}

function Actions({ row }: { readonly row: Card }) {
  const { status } = row;
  const canMove = !isDocumentedOnly.value;
  const move = (verb: keyof typeof RESULTS) =>
    void withToast(`Card ${RESULTS[verb]}`, () => callApi('POST', `/partner/cards/${row.id}/${verb}`));
  return (
    <>
      <div class="actions">
        {canMove && status === 'created' && (
          <Button kind="primary" onClick={() => move('activate')}>
            Activate
          </Button>
        )}
        <Button
          icon="transfer"
          kind={status === 'active' ? 'primary' : ''}
          onClick={() => openAuthorizationForm(row)}
        >
          Authorize
        </Button>
        {canMove && status === 'active' && <Button onClick={() => move('freeze')}>Freeze card</Button>}
        {canMove && status === 'frozen' && <Button onClick={() => move('unfreeze')}>Unfreeze</Button>}
        {status !== 'cancelled' && (
          <>
            <Button icon="eye" onClick={() => void withToast('Single-use link opened', () => reveal(row.id))}>
              Reveal
            </Button>
            <Button onClick={() => void withToast('3DS challenge started', () => openChallengeForm(row))}>
              3DS
            </Button>
          </>
        )}
        {canMove && status !== 'cancelled' && (
          <Button onClick={() => openCancelForm(row.id)}>Cancel card</Button>
        )}
      </div>
      {!canMove && (
        <p class="note">
          With --documented-only the API has no operation to activate, freeze, unfreeze or cancel a card.
        </p>
      )}
    </>
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
async function reveal(id: string): Promise<void> {
  const body = { copyPan: true };
  const { accessUrl } = await callApi<{ accessUrl: string }>(
    'POST',
    `/partner/cards/${id}/reveal-html`,
    body,
  );
  const { pathname, search } = new URL(accessUrl);
  openDialog({
    title: 'Card details',
    kind: 'reveal',
    Content: () => (
      <>
        {/* Relative to this page, which may have been opened under another host name than the one in the link. */}
        <iframe title="Card details" src={pathname + search} allow="clipboard-write" />
        <p class="note">The link works once, within 60 seconds. It is used up now.</p>
      </>
    ),
  });
}
