import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { cardholders, cards, kycSessions, transactions, useRows, useTotal } from '../../data/records.ts';
import type { Cardholder, Difference, KycSession } from '../../data/response-types.ts';
import * as store from '../../data/store.ts';
import { partnerDeliveries } from '../../data/store.ts';
import { decideSubmission, openCardholderForm } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { linkOver, linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Copy, Secret } from '../../ui/copy.tsx';
import { apiKeyHeader, toCurl } from '../../ui/curl.ts';
import { money } from '../../ui/format.ts';
import { Button, Empty, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { Activity } from './activity.tsx';
import { FirstSteps } from './first-steps.tsx';

export const overviewView: View = {
  name: 'overview',
  title: 'Overview',
  icon: 'overview',
  group: '',
  key: 'o',
  Page: Overview,
};

const MAX_PER_KIND = 5;
const UNDECIDED = { kycState: 'in_flight', outcome: 'manual' };
const PENDING = { status: 'pending' };

function Overview() {
  const transactionTotal = useTotal(transactions);
  return (
    <Page
      title={store.partner.value?.name ?? 'Overview'}
      actions={
        <>
          <Button icon="lock" onClick={openShareTokenForm}>
            Issue share token
          </Button>
          <Button icon="plus" tone="primary" onClick={() => void openCardholderForm()}>
            Create cardholder
          </Button>
        </>
      }
    >
      <p class="note intro">
        New here? <a href={linkTo('present')}>Presenter mode</a> plays the main scenarios step by step.
      </p>
      <Connection />
      <Figures />
      <div class="overview-columns">
        <div>{transactionTotal === null ? null : transactionTotal === 0 ? <FirstSteps /> : <Activity />}</div>
        <Side />
      </div>
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

/** What differs from the start: what a story, a freeze or a fault has left. */
function Differences({ all }: { readonly all: readonly Difference[] }) {
  if (all.length === 0) return null;
  return (
    <Section title="Different from the start">
      <ul class="differences">
        {all.map(({ subject, text }) => (
          <li key={text}>
            <a href={DIFFERENCE_LINKS[subject]}>{text}</a>
          </li>
        ))}
      </ul>
      <p class="note">Apart from records. A reset goes back to the start, except for the forwarding.</p>
    </Section>
  );
}

const DIFFERENCE_LINKS: Readonly<Record<Difference['subject'], string>> = {
  clock: linkTo('time'),
  faults: linkTo('faults'),
  'webhook-faults': linkTo('faults'),
  forwarding: linkTo('settings', 'forwarding'),
  partners: linkTo('history'),
  settings: linkTo('settings', 'access'),
  keys: linkTo('settings', 'key'),
  webhooks: linkTo('settings', 'webhooks'),
};

function Figures() {
  const balance = store.balance.data.value;
  const sent = store.partnerDeliveries.value ?? [];
  const failed = sent.filter(({ status }) => status === 'failed').length;
  const pending = sent.filter(({ status }) => status === 'pending').length;
  const active = useTotal(cards, { status: 'active' });
  const inFlight = useTotal(cardholders, { kycState: 'in_flight' });
  return (
    <section class="figures" aria-label="Figures">
      <Figure view="cardholders" title="Cardholders" value={useTotal(cardholders)}>
        {inFlight === 0 ? 'no KYC in flight' : `${inFlight?.toLocaleString('en') ?? '…'} with KYC in flight`}
      </Figure>
      <Figure view="cards" title="Cards" value={useTotal(cards)}>
        {active?.toLocaleString('en') ?? '…'} active
      </Figure>
      <Figure
        view="transactions"
        title="Available balance"
        value={balance && money(balance.available, balance.currency)}
      >
        {balance === null ? '…' : `${money(balance.held, balance.currency)} held`}
      </Figure>
      <Figure view="deliveries" title="Webhooks" value={sent.length} isBad={failed > 0}>
        {failed} failed, {pending} pending
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly view: string;
  readonly title: string;
  readonly value: number | string | null | undefined;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}

function Figure({ view, title, value, isBad = false, children }: FigureProps) {
  return (
    <a class={`figure ${isBad ? 'bad' : ''}`} href={linkTo(view)}>
      <span class="figure-title">{title}</span>
      <b>{typeof value === 'number' ? value.toLocaleString('en') : (value ?? '…')}</b>
      <span class="figure-note">{children}</span>
    </a>
  );
}

/** What differs from the start, and what does not continue by itself: KYC to decide, sessions to complete, deliveries to retry. */
function Side() {
  const undecided = useRows(cardholders, UNDECIDED, MAX_PER_KIND);
  const sessions = useRows(kycSessions, PENDING, MAX_PER_KIND);
  useEffect(() => void store.differences.load(), []);
  const differences = store.differences.data.value;
  // All at once, so that none moves another one.
  if (undecided === null || sessions === null || differences === null) return null;
  return (
    <div>
      <Differences all={differences} />
      <Section title="Needs attention">
        <Attention undecided={undecided} sessions={sessions} />
      </Section>
    </div>
  );
}

interface AttentionProps {
  readonly undecided: readonly Cardholder[];
  readonly sessions: readonly KycSession[];
}

function Attention({ undecided, sessions }: AttentionProps) {
  const failed = (partnerDeliveries.value ?? []).filter(({ status }) => status === 'failed');
  if (undecided.length + sessions.length + failed.length === 0) {
    return (
      <Empty icon="check" title="Nothing to do">
        <p>KYC that needs a decision, open KYC sessions and failed webhooks appear here.</p>
      </Empty>
    );
  }
  return (
    <ul class="attention">
      {undecided.map(({ id, firstName, lastName }) => (
        <li key={id}>
          <a href={linkOver('cardholders', id)}>
            <b>
              {firstName} {lastName}
            </b>
            <span>KYC needs a decision</span>
          </a>
          <span class="actions">
            <Button onClick={() => decideSubmission(id, 'approve')}>Approve</Button>
            <Button onClick={() => decideSubmission(id, 'reject')}>Reject</Button>
          </span>
        </li>
      ))}
      {failed.slice(0, MAX_PER_KIND).map(({ id, eventType, cause }) => (
        <li key={id}>
          <a href={linkOver('deliveries', id)}>
            <b>{eventType}</b>
            <span>{cause ?? 'not delivered'}</span>
          </a>
          <StateBadge state="failed" />
        </li>
      ))}
      {sessions.map(({ id }) => (
        <li key={id}>
          <a href={linkOver('sessions', id)}>
            <b>KYC session</b>
            <span>not completed yet</span>
          </a>
          <StateBadge state="pending" />
        </li>
      ))}
    </ul>
  );
}
