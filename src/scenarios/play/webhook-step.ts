import type { Exchanged } from '../../client/client.ts';
import { redactData } from '../../kernel/journal/redact.ts';
import { parseDuration } from '../../kernel/values/duration.ts';
import type { Step } from '../file/schema.ts';
import type { Arrival, Inbox } from '../receiver/inbox.ts';
import type { Finding, Show } from './request-steps.ts';
import { type Difference, differences } from './matching.ts';
import type { Stage } from './stage.ts';
import { pathsIn } from './watcher.ts';

type Expected = NonNullable<Step['webhook']>;

/** Everything that came of one delivery. */
interface Delivery {
  readonly id: string;
  readonly arrivals: readonly Arrival[];
}

const PATIENCE = '5s';
const LOOK_MS = 50;

/**
 * Waits for a webhook and compares it. `taken` holds the deliveries that earlier steps have seen, which count
 * again only when the step names them by id.
 */
export async function playWebhook(
  step: Step,
  inbox: Inbox,
  taken: Set<string>,
  stage: Stage,
  show: Show,
): Promise<Finding> {
  const expected = step.webhook;
  if (expected === undefined) throw new Error('this step expects no webhook');
  const end = stage.pace.elapsed() + (parseDuration(step.within ?? PATIENCE) ?? 0);
  for (;;) {
    const isLast = stage.pace.elapsed() >= end || stage.signal?.aborted === true;
    const { best, found } = closest(expected, deliveriesIn(inbox, expected, taken));
    if (best === null && isLast) return { differences: [missing(expected, inbox)], found: null, rule: null };
    if (best !== null && (found.length === 0 || isLast)) {
      const status = expected.status === undefined ? null : await statusOf(best.id, stage);
      const all = [...found, ...ofStatus(expected, status)];
      if (all.length === 0 || isLast) {
        taken.add(best.id);
        showDelivery(expected, best, status, show);
        return { differences: all, found: { body: best.arrivals[0]?.body }, rule: null };
      }
    }
    await stage.pace.sleep(LOOK_MS);
  }
}

function deliveriesIn(
  { arrivals }: Inbox,
  { eventType, id }: Expected,
  taken: ReadonlySet<string>,
): Delivery[] {
  const groups = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    if (arrival.eventType !== eventType || arrival.id === null) continue;
    if (id === undefined ? taken.has(arrival.id) : arrival.id !== id) continue;
    groups.set(arrival.id, [...(groups.get(arrival.id) ?? []), arrival]);
  }
  return [...groups].map(([each, group]) => ({ id: each, arrivals: group }));
}

/** The first delivery that is as expected, else the one that differs least. */
function closest(expected: Expected, deliveries: readonly Delivery[]) {
  let best: Delivery | null = null;
  let found: Difference[] = [];
  for (const delivery of deliveries) {
    const these = ofDelivery(expected, delivery);
    if (best !== null && these.length >= found.length) continue;
    best = delivery;
    found = these;
  }
  return { best, found };
}

function ofDelivery({ data, attempts }: Expected, { arrivals }: Delivery): Difference[] {
  const body = arrivals[0]?.body;
  const got = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  const unsigned = arrivals.find(({ problem }) => problem !== null)?.problem ?? null;
  return [
    ...(data === undefined ? [] : differences(data, got, 'webhook.data')),
    ...(unsigned === null
      ? []
      : [{ path: 'webhook.X-Service-Signature', expected: 'a valid signature', got: unsigned }]),
    ...(attempts === undefined || attempts === arrivals.length
      ? []
      : [{ path: 'webhook.attempts', expected: String(attempts), got: String(arrivals.length) }]),
  ];
}

function ofStatus({ status }: Expected, got: string | null): Difference[] {
  if (status === undefined || status === got) return [];
  return [{ path: 'webhook.status', expected: status, got: got ?? 'no record of it' }];
}

/** What the record of a delivery says: the control plane's, which knows all types, or the partner's own. */
async function statusOf(id: string, { api, apiKey, control }: Stage): Promise<string | null> {
  const name = encodeURIComponent(id);
  try {
    const answer: Pick<Exchanged, 'body'> =
      control === null
        ? await api.exchange(apiKey, { method: 'GET', path: `/partner/webhooks/events/${name}` })
        : await control.control({ method: 'GET', path: `/deliveries/${name}` });
    const { body } = answer;
    return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : null;
  } catch {
    return null;
  }
}

function missing({ eventType }: Expected, { arrivals }: Inbox): Difference {
  const types = [...new Set(arrivals.map(each => each.eventType ?? 'one without a type'))];
  const others = types.length === 0 ? 'no webhook has come at all' : `so far came ${types.join(', ')}`;
  return { path: 'webhook', expected: eventType, got: `none that an earlier step has not seen; ${others}` };
}

function showDelivery(
  { eventType, data }: Expected,
  { arrivals }: Delivery,
  status: string | null,
  show: Show,
): void {
  const body = arrivals[0]?.body;
  const sent = typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
  show({
    kind: 'webhook',
    eventType,
    attempts: arrivals.length,
    answered: arrivals.at(-1)?.answered ?? 0,
    isSigned: arrivals.every(({ problem }) => problem === null),
    status,
    data: redactData(sent),
    looksAt: pathsIn(data),
  });
}
