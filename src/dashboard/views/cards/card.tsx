import { callApi, withToast } from '../../data/actions.ts';
import { read } from '../../data/http.ts';
import { cardholders, useRecord } from '../../data/records.ts';
import type { Card, Settings } from '../../data/response-types.ts';
import { assumed, isDocumentedOnly, partner } from '../../data/store.ts';
import { openAuthorizationForm, openChallengeForm } from '../../forms/cards.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialog.tsx';
import { type Input, openForm } from '../../ui/form.tsx';
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
    withToast(`Card ${RESULTS[verb]}`, () => callApi('POST', `/partner/cards/${row.id}/${verb}`));
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
            <Button icon="eye" onClick={() => openReveal(row.id)}>
              Reveal
            </Button>
            <Button onClick={() => withToast('3DS challenge started', () => openChallengeForm(row))}>
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

/** Shows a card's details. Where the API requires a stylesheet, a form asks for it first. */
async function openReveal(id: string): Promise<void> {
  if (assumed('stylesheet-url') !== 'required') return withToast('Single-use link created', () => reveal(id));
  openForm({
    title: 'Reveal the card',
    intro: 'This sandbox was started with stylesheet-url=required.',
    submit: 'Reveal',
    fields: () => [
      {
        name: 'stylesheetUrl',
        label: 'Stylesheet URL',
        hint: 'The stylesheet of your app, an http or https URL. A browser that cannot load it shows the page without it.',
      },
    ],
    run: input => reveal(id, input),
  });
}

/**
 * Shows a card's details as a partner's app does: through a single-use link in an iframe. Where the partner allows other
 * origins to frame it, offers the link alone.
 */
async function reveal(id: string, input: Input = {}): Promise<void> {
  const body = { copyPan: true, ...input };
  const [{ accessUrl }, { allowedOrigins }] = await Promise.all([
    callApi<{ accessUrl: string }>('POST', `/partner/cards/${id}/reveal-html`, body),
    read<Settings>(`/partners/${partner.value?.id}/settings`),
  ]);
  // Relative to this page, which may have been opened under another host name than the one in the link.
  const { pathname, search } = new URL(accessUrl);
  const canFrame = allowedOrigins.length === 0 || allowedOrigins.includes(location.origin);
  openDialog({
    title: 'Card details',
    kind: canFrame ? 'reveal' : '',
    Content: ({ close }) =>
      canFrame ? (
        <>
          <iframe title="Card details" src={pathname + search} allow="clipboard-write" />
          <p class="note">The link works once, within 60 seconds. It is used up now.</p>
        </>
      ) : (
        <>
          <p class="note">
            The allowed origins of this partner do not include {location.origin}, so this page cannot show the
            card in a frame. Add it under{' '}
            <a href={linkTo('settings')} onClick={close}>
              Settings
            </a>
            , or open the link by itself. It works once, within 60 seconds.
          </p>
          <footer>
            <a class="button primary" href={pathname + search} target="_blank" rel="noreferrer">
              Open in a tab
            </a>
          </footer>
        </>
      ),
  });
}
