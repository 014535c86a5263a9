import type { AnyResponse } from '../../../client/http.ts';
import type { Arrival, WebhookReceiver } from '../../../client/webhook-receiver.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import type { Step } from '../file/schema.ts';
import { maskData } from './masked.ts';
import { type Difference, differences } from './matching.ts';
import type { Outcome, Show } from './request-steps.ts';
import type { Stage } from './stage.ts';
import { pathsIn } from './watcher.ts';

type Expected = NonNullable<Step['webhook']>;

/** All arrivals of one delivery. */
interface Delivery {
  readonly id: string;
  readonly arrivals: readonly Arrival[];
}

const DEFAULT_TIMEOUT = '5s';
const POLL_MS = 50;

/**
 * Waits for a webhook and compares it. `seen` holds the deliveries of earlier steps, which are considered again only
 * when the step names their id.
 */
export async function playWebhook(
  step: Step,
  inbox: WebhookReceiver,
  seen: Set<string>,
  stage: Stage,
  show: Show,
): Promise<Outcome> {
  const expected = step.webhook;
  if (expected === undefined) throw new Error('this step expects no webhook');
  const end = stage.wallClock.elapsed() + (parseDuration(step.within ?? DEFAULT_TIMEOUT) ?? 0);
  for (;;) {
    const isLast = stage.wallClock.elapsed() >= end || stage.signal?.aborted === true;
    const { best, found } = closest(expected, deliveriesIn(inbox, expected, seen));
    if (best === null && isLast)
      return { differences: [missingDifference(expected, inbox)], source: null, rule: null };
    if (best !== null && (found.length === 0 || isLast)) {
      const status = expected.status === undefined ? null : await statusOf(best.id, stage);
      const all = [...found, ...compareStatus(expected, status)];
      if (all.length === 0 || isLast) {
        seen.add(best.id);
        showDelivery(expected, best, status, show);
        return { differences: all, source: { body: best.arrivals[0]?.body }, rule: null };
      }
    }
    await stage.wallClock.sleep(POLL_MS);
  }
}

function deliveriesIn(
  { arrivals }: WebhookReceiver,
  { eventType, id }: Expected,
  seen: ReadonlySet<string>,
): Delivery[] {
  const groups = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    if (arrival.eventType !== eventType || arrival.id === null) continue;
    if (id === undefined ? seen.has(arrival.id) : arrival.id !== id) continue;
    groups.set(arrival.id, [...(groups.get(arrival.id) ?? []), arrival]);
  }
  return [...groups].map(([each, group]) => ({ id: each, arrivals: group }));
}

/** Returns the first delivery that is as expected, or else the one with the fewest differences. */
function closest(expected: Expected, deliveries: readonly Delivery[]) {
  let best: Delivery | null = null;
  let found: Difference[] = [];
  for (const delivery of deliveries) {
    const differing = compareDelivery(expected, delivery);
    if (best !== null && differing.length >= found.length) continue;
    best = delivery;
    found = differing;
  }
  return { best, found };
}

function compareDelivery({ data, attempts }: Expected, { arrivals }: Delivery): Difference[] {
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

function compareStatus({ status }: Expected, got: string | null): Difference[] {
  if (status === undefined || status === got) return [];
  return [{ path: 'webhook.status', expected: status, got: got ?? 'no delivery record' }];
}

/** Returns the status in a delivery record: the control plane's, which has all types, or the partner's own. */
async function statusOf(id: string, { api, apiKey, control }: Stage): Promise<string | null> {
  const name = encodeURIComponent(id);
  try {
    const response: Pick<AnyResponse, 'body'> =
      control === null
        ? await api.exchange(apiKey, { method: 'GET', path: `/partner/webhooks/events/${name}` })
        : await control.control({ method: 'GET', path: `/deliveries/${name}` });
    const { body } = response;
    return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : null;
  } catch {
    return null;
  }
}

function missingDifference({ eventType }: Expected, { arrivals }: WebhookReceiver): Difference {
  const types = [...new Set(arrivals.map(each => each.eventType ?? 'one without a type'))];
  const arrived = types.length === 0 ? 'no webhook has arrived' : `arrived so far: ${types.join(', ')}`;
  return { path: 'webhook', expected: eventType, got: `none that is new since earlier steps; ${arrived}` };
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
    headers: arrivals.at(-1)?.headers ?? {},
    attempts: arrivals.length,
    responseStatus: arrivals.at(-1)?.responseStatus ?? 0,
    isSigned: arrivals.every(({ problem }) => problem === null),
    status,
    data: maskData(sent),
    expectedPaths: pathsIn(data),
  });
}
