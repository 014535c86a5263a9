import { moment, words } from '../../ui/format.ts';
import { attempt, change } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Cardholder } from '../../data/response-types.ts';
import { cardholders, cards, shareTokens } from '../../data/store.ts';
import { askForCard } from '../../forms/cards.ts';
import { askForCardholder, askForSubmission, decideSubmission } from '../../forms/cardholders.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { ask } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Facts, Section } from '../../ui/panel.tsx';
import { Timeline } from './timeline.tsx';
import { timelineOf } from './timeline-entries.ts';

const LOCKS = {
  provider_submitted: 'Re-import is locked: the KYC has been submitted to the card provider.',
  card_issued: 'Re-import is locked: a card has been issued.',
} as const;

/** A cardholder: who it is, where it stands, what can be done, and what happened to it. */
export function CardholderDetail({ row }: { readonly row: Cardholder }) {
  const owned = (cards.rows.value ?? []).filter(({ cardholderId }) => cardholderId === row.id);
  return (
    <>
      <header class="detail-head">
        <h2>
          {row.firstName} {row.lastName}
        </h2>
        <Badge state={row.kyc.state} label={`KYC ${words(row.kyc.state)}`} />
        <Badge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.lockReason !== null && (
        <p class="callout">
          <Icon name="lock" />
          <span>
            {LOCKS[row.lockReason]} <code>{row.lockReason}</code>
          </span>
        </p>
      )}
      <Actions row={row} />
      <Facts
        of={[
          ['External id', <code key="id">{row.externalUserId}</code>],
          ['E-mail', row.email],
          ['Phone', row.phoneNumber],
          ['Address', addressOf(row)],
          ['KYC source', row.kycSource],
          ['Provider will', row.kyc.state === 'approved' ? null : row.kyc.outcome],
          ['Submitted', row.kyc.submittedAt && moment(row.kyc.submittedAt)],
          ['Decided', row.kyc.decidedAt && moment(row.kyc.decidedAt)],
          ['Created', moment(row.createdAt)],
        ]}
      />
      {owned.length > 0 && (
        <Section title="Cards">
          <ul class="links">
            {owned.map(card => (
              <li key={card.id}>
                <a class="capital" href={linkTo('cards', card.id)}>
                  {card.brand} •••• {card.last4}
                </a>
                <Badge state={card.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Timeline">
        <Timeline moments={timelineOf(row)} />
      </Section>
    </>
  );
}

function Actions({ row }: { readonly row: Cardholder }) {
  const { state } = row.kyc;
  const canIssue = row.status === 'active' && state === 'approved';
  return (
    <div class="actions">
      {(state === 'not_submitted' || state === 'rejected') && (
        <Button tone="primary" icon="send" onClick={() => askForSubmission(row)}>
          {state === 'rejected' ? 'Submit again' : 'Submit KYC'}
        </Button>
      )}
      {state === 'in_flight' && (
        <>
          <Button tone="primary" icon="check" onClick={() => decideSubmission(row.id, 'approve')}>
            Approve KYC
          </Button>
          <Button icon="close" onClick={() => decideSubmission(row.id, 'reject')}>
            Reject KYC
          </Button>
        </>
      )}
      {canIssue && (
        <Button tone="primary" icon="card" onClick={() => askForCard(row)}>
          Issue card
        </Button>
      )}
      {(row.kycSource === 'idp1' || row.kycSource === 'idp2') && (
        <Button
          icon="again"
          title="The same call again, with a fresh share token"
          onClick={() => void reimport(row)}
        >
          Re-import
        </Button>
      )}
      {row.status !== 'closed' && <StatusMoves row={row} />}
    </div>
  );
}

/** Fills the form in with the newest unused token, so that the story goes on with a click. */
async function reimport(row: Cardholder): Promise<void> {
  await shareTokens.load();
  askForCardholder(row);
}

function StatusMoves({ row }: { readonly row: Cardholder }) {
  const isActive = row.status === 'active';
  const move = (status: Cardholder['status']) => control('POST', `/cardholders/${row.id}/status`, { status });
  return (
    <>
      <Button
        onClick={() =>
          void attempt(isActive ? 'The cardholder is suspended' : 'The cardholder is active', async () => {
            await move(isActive ? 'suspended' : 'active');
            await cardholders.refresh(new Set([row.id]));
          })
        }
      >
        {isActive ? 'Suspend' : 'Reactivate'}
      </Button>
      <Button
        onClick={() =>
          ask({
            title: 'Close the cardholder',
            intro: 'Closed is final: no re-import, no KYC and no card any more.',
            submit: 'Close for good',
            isDangerous: true,
            run: () => change([cardholders], 'POST', `/cardholders/${row.id}/status`, { status: 'closed' }),
          })
        }
      >
        Close
      </Button>
    </>
  );
}

function addressOf({ address }: Cardholder): string {
  const city = [address.postalCode, address.residenceCity].filter(Boolean).join(' ');
  return [address.residenceAddressDetail, city, address.residenceStateProvince, address.residenceCountryCode]
    .filter(Boolean)
    .join(', ');
}
