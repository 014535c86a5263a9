import { useReading } from '../../data/readings.ts';
import {
  cardholders,
  deliveries,
  FAILED,
  kycSessions,
  transactions,
  useRows,
  useTotal,
} from '../../data/records.ts';
import type { Cardholder, Delivery, Difference, KycSession } from '../../data/response-types.ts';
import * as store from '../../data/store.ts';
import { approveSubmission, openRejectionForm } from '../../forms/cardholders.ts';
import { linkTo as linkToPresenter } from '../../present/address.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy, Secret } from '../../ui/copy.tsx';
import { apiKeyHeader, toCurl } from '../../ui/curl.ts';
import { nameOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/panel.tsx';
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
        store.info.data.value?.recording == null && (
          <>
            New here? <a href={linkToPresenter(null)}>Presenter mode</a> plays the main scenarios step by
            step.
          </>
        )
      }
    >
      <Connection />
      {spent !== null && <Summary isBeginning={spent === 0} />}
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

/** What needs attention and what differs from the start. Before the first payment, only if there is any, beside the first steps. */
function Summary({ isBeginning }: { readonly isBeginning: boolean }) {
  const failed = useRows(deliveries, FAILED, MAX_PER_KIND);
  const undecided = useRows(cardholders, UNDECIDED, MAX_PER_KIND);
  const sessions = useRows(kycSessions, PENDING, MAX_PER_KIND);
  useReading(store.differences);
  const differences = store.differences.data.value;
  // All at once, so that none moves another one.
  if (failed === null || undecided === null || sessions === null || differences === null) return null;
  return (
    <>
      <Attention {...{ failed, undecided, sessions, isBeginning }} />
      {isBeginning && <FirstSteps />}
      {(!isBeginning || differences.length > 0) && (
        <Section
          title="Different from the start"
          note="Records are not compared. Reset undoes all but forwarding."
        >
          <Differences all={differences} />
        </Section>
      )}
    </>
  );
}

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
  readonly failed: readonly Delivery[];
  readonly undecided: readonly Cardholder[];
  readonly sessions: readonly KycSession[];
  readonly isBeginning: boolean;
}

/** What does not continue by itself: deliveries to retry, KYC to decide, sessions to complete. */
function Attention({ failed, undecided, sessions, isBeginning }: AttentionProps) {
  const tasks = [
    ...failed.map(({ id, eventType, cause }) => ({
      link: linkTo('webhooks', id),
      title: `Send ${eventType} again`,
      note: `Not delivered: ${cause ?? 'no response'}`,
      actions: <StateBadge state="failed" />,
    })),
    ...undecided.map(row => ({
      link: linkTo('cardholders', row.id),
      title: `Decide the KYC of ${nameOf(row)}`,
      note: 'The sandbox waits for a decision',
      actions: (
        <>
          <Button onClick={() => approveSubmission(row.id)}>Approve</Button>
          <Button onClick={() => openRejectionForm(`/cardholders/${row.id}/kyc/reject`)}>Reject</Button>
        </>
      ),
    })),
    ...sessions.map(({ id, externalUserId }) => ({
      link: linkTo('kyc-sessions', id),
      title: `Complete the KYC session ${externalUserId === null ? id : `of ${externalUserId}`}`,
      note: 'The hosted page waits for a person',
      actions: <StateBadge state="pending" />,
    })),
  ];
  if (isBeginning && tasks.length === 0) return null;
  return (
    <Section title="Next">
      {tasks.length === 0 && (
        <p class="nothing">
          Nothing waits for you. Send a request: it appears under <a href={linkTo('activity')}>Activity</a>.
        </p>
      )}
      <ul class="attention">
        {tasks.map(({ link, title, note, actions }) => (
          <li key={link}>
            <a href={link}>
              <b>{title}</b>
              <span>{note}</span>
            </a>
            <span class="actions">{actions}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
