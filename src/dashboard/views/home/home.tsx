import { useEffect } from 'preact/hooks';
import { cardholders, kycSessions, transactions, useRows, useTotal } from '../../data/records.ts';
import type { Cardholder, Difference, KycSession } from '../../data/response-types.ts';
import * as store from '../../data/store.ts';
import { decideSubmission } from '../../forms/cardholders.ts';
import { linkTo as linkToPresenter } from '../../present/address.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Copy, Secret } from '../../ui/copy.tsx';
import { apiKeyHeader, toCurl } from '../../ui/curl.ts';
import { nameOf } from '../../ui/format.ts';
import { Button, Empty, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { FirstSteps } from './first-steps.tsx';

export const homeView: View = { name: 'home', title: 'Home', icon: 'home', key: 'h', Page: Home };

const MAX_PER_KIND = 5;
const UNDECIDED = { kycState: 'in_flight', outcome: 'manual' };
const PENDING = { status: 'pending' };

function Home() {
  const spent = useTotal(transactions);
  return (
    <Page
      title={store.partner.value?.name ?? 'Home'}
      lead={
        <>
          New here? <a href={linkToPresenter(null)}>Presenter mode</a> plays the main scenarios step by step.
        </>
      }
    >
      <Connection />
      {spent === 0 && <FirstSteps />}
      {spent !== null && spent > 0 && <Summary />}
    </Page>
  );
}

function Connection() {
  const partner = store.partner.value;
  // The name of the header is among the options.
  if (partner === null || store.info.data.value === null) return <div class="connect" />;
  const baseUrl = `${location.origin}/v1`;
  return (
    <section class="connect" aria-label="How to call the API">
      <div>
        <span class="connect-label">Base URL</span>
        <span class="id">
          <code>{baseUrl}</code>
          <Copy text={baseUrl} title="Copy base URL" />
        </span>
      </div>
      <div>
        <span class="connect-label">{apiKeyHeader()}</span>
        <Secret key={partner.apiKey} value={partner.apiKey} name="API key" />
      </div>
      <Copy
        text={toCurl({ method: 'GET', path: '/v1/partner/cards' }, partner.apiKey)}
        label="Copy a curl command"
        title="Copy a curl command"
      />
    </section>
  );
}

/** What needs attention, and what differs from the start. */
function Summary() {
  const undecided = useRows(cardholders, UNDECIDED, MAX_PER_KIND);
  const sessions = useRows(kycSessions, PENDING, MAX_PER_KIND);
  useEffect(() => void store.differences.load(), []);
  const differences = store.differences.data.value;
  // All at once, so that none moves another one.
  if (undecided === null || sessions === null || differences === null) return null;
  return (
    <>
      <Section title="Needs attention">
        <Attention undecided={undecided} sessions={sessions} />
      </Section>
      <Section
        title="Different from the start"
        note="Records are not compared. Reset undoes all but forwarding."
      >
        <Differences all={differences} />
      </Section>
    </>
  );
}

/** What a story, a freeze or a fault has left. */
function Differences({ all }: { readonly all: readonly Difference[] }) {
  if (all.length === 0) return <p class="nothing">Nothing</p>;
  return (
    <ul class="differences">
      {all.map(({ subject, text }) => (
        <li key={text}>
          <a href={linkTo(DIFFERENCE_VIEWS[subject])}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

/** The views that show what differs. */
export const DIFFERENCE_VIEWS: Readonly<Record<Difference['subject'], string>> = {
  clock: 'time',
  faults: 'faults',
  'webhook-faults': 'faults',
  forwarding: 'webhook-settings',
  partners: 'activity',
  settings: 'settings',
  keys: 'settings',
  webhooks: 'webhook-settings',
};

interface AttentionProps {
  readonly undecided: readonly Cardholder[];
  readonly sessions: readonly KycSession[];
}

/** What does not continue by itself: KYC to decide, sessions to complete, deliveries to retry. */
function Attention({ undecided, sessions }: AttentionProps) {
  const failed = (store.partnerDeliveries.value ?? []).filter(({ status }) => status === 'failed');
  if (undecided.length + sessions.length + failed.length === 0) {
    return (
      <Empty icon="check" title="Nothing to do">
        <p>KYC that needs a decision, open KYC sessions and failed webhooks appear here.</p>
      </Empty>
    );
  }
  return (
    <ul class="attention">
      {undecided.map(row => (
        <li key={row.id}>
          <a href={linkTo('cardholders', row.id)}>
            <b>{nameOf(row)}</b>
            <span>KYC needs a decision</span>
          </a>
          <span class="actions">
            <Button onClick={() => decideSubmission(row.id, 'approve')}>Approve</Button>
            <Button onClick={() => decideSubmission(row.id, 'reject')}>Reject</Button>
          </span>
        </li>
      ))}
      {failed.slice(0, MAX_PER_KIND).map(({ id, eventType, cause }) => (
        <li key={id}>
          <a href={linkTo('webhooks', id)}>
            <b>{eventType}</b>
            <span>{cause ?? 'not delivered'}</span>
          </a>
          <StateBadge state="failed" />
        </li>
      ))}
      {sessions.map(({ id, externalUserId }) => (
        <li key={id}>
          <a href={linkTo('kyc-sessions', id)}>
            <b>KYC session</b>
            <span>{externalUserId ?? id}, not completed yet</span>
          </a>
          <StateBadge state="pending" />
        </li>
      ))}
    </ul>
  );
}
