import type { AnyResponse } from '../../../client/http.ts';
import type { Arrival, WebhookReceiver } from '../../../client/webhook-receiver.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import { parseTimestamp } from '../../../core/values/timestamp.ts';
import type { Scenario } from '../file/read.ts';
import type { Step } from '../file/schema.ts';
import { ruleOfAssumption, type StatedRule } from '../report/report.ts';
import { maskData } from './masked.ts';
import { type Difference, differences, pathsToShow, valueAt } from './matching.ts';
import type { Outcome, Show } from './request-steps.ts';
import type { Stage } from './stage.ts';

type Expected = NonNullable<Step['webhook']>;

interface Delivery {
  readonly id: string;
  readonly arrivals: readonly Arrival[];
}

const CONFIG = '/partner/webhooks/config';
const DEFAULT_TIMEOUT = '5s';
/** The sections that state how a webhook is signed and retried. The interface does not show what it is about. */
const SECTIONS: Readonly<Record<string, string>> = {
  'webhook.X-Service-Signature': '6.2',
  'webhook.attempts': '6.4',
  'webhook.status': '6.4',
};
const POLL_MS = 50;
const DAY_MS = 86_400_000;

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
  if (expected.isForged) return playForged(expected, step, inbox, show);
  const end = stage.wallClock.elapsed() + (parseDuration(step.within ?? DEFAULT_TIMEOUT) ?? 0);
  for (;;) {
    const isLast = stage.wallClock.elapsed() >= end || stage.signal?.aborted === true;
    const { best, found } = closest(expected, deliveriesIn(inbox, expected, seen));
    if (best === null && isLast) {
      const missing = missingDifference(expected, inbox, await reasonsInSandbox(stage, inbox));
      return { differences: [missing], source: null, rule: ruleBehind(missing) };
    }
    if (best !== null && (found.length === 0 || isLast)) {
      const status = expected.status === undefined ? null : await statusOf(best.id, stage);
      const all = [...found, ...compareStatus(expected, status)];
      if (all.length === 0 || isLast) {
        seen.add(best.id);
        showDelivery(expected, step, best, status, show);
        return { differences: all, source: { body: best.arrivals[0]?.body }, rule: ruleBehind(all[0]) };
      }
    }
    await stage.wallClock.sleep(POLL_MS);
  }
}

function ruleBehind(difference: Difference | undefined): StatedRule | null {
  if (difference === undefined) return null;
  const section = SECTIONS[difference.path];
  return section === undefined
    ? ruleOfAssumption('event-data')
    : { section, assumption: null, decision: null };
}

/** Sends a forged webhook to the receiver, which has to refuse it. */
function playForged(expected: Expected, step: Step, inbox: WebhookReceiver, show: Show): Outcome {
  const arrival = inbox.receiveForged(expected.eventType, expected.data);
  showDelivery(expected, step, { id: arrival.id ?? '', arrivals: [arrival] }, null, show);
  const { responseStatus: got } = arrival;
  const found = got === 401 ? [] : [{ path: 'webhook.response', expected: '401', got: String(got) }];
  return { differences: found, source: { body: arrival.body }, rule: null };
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
  const all = deliveries.map(best => ({ best, found: compareDelivery(expected, best) }));
  return all.toSorted((a, b) => a.found.length - b.found.length)[0] ?? { best: null, found: [] };
}

function compareDelivery({ data, attempts }: Expected, { arrivals }: Delivery): Difference[] {
  const got = valueAt(arrivals[0]?.body, 'data');
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
    const status = valueAt(body, 'status');
    return status === undefined ? null : String(status);
  } catch {
    return null;
  }
}

/** Returns why a sandbox may have sent no webhook to the inbox: it forwards them, or its clock is frozen. */
async function reasonsInSandbox({ control }: Stage, inbox: WebhookReceiver): Promise<string[]> {
  if (control === null) return [];
  const read = async (path: string) => (await control.control({ method: 'GET', path })).body;
  try {
    const url = valueAt(await read('/forwarding'), 'url');
    const clock = await read('/clock?timers=1');
    const [kind, at] = [valueAt(clock, 'timers[0].kind'), String(valueAt(clock, 'timers[0].at'))];
    // An authorization expires after days, which no webhook step waits for.
    const [due, now] = [parseTimestamp(at), parseTimestamp(String(valueAt(clock, 'now')))];
    const isSoon = due !== null && now !== null && due - now <= DAY_MS;
    return [
      ...(typeof url === 'string' && url !== inbox.ownUrl ? [`the sandbox forwards webhooks to ${url}`] : []),
      ...(valueAt(clock, 'mode') === 'frozen' && isSoon
        ? [`the clock is frozen, and ${kind} is due at ${at}: a step with advance runs it`]
        : []),
    ];
  } catch {
    return [];
  }
}

function missingDifference(
  { eventType }: Expected,
  { arrivals }: WebhookReceiver,
  reasons: readonly string[],
): Difference {
  const types = [
    ...new Set(arrivals.map(each => each.eventType ?? 'one without the header X-Service-Event')),
  ];
  const arrived = types.length === 0 ? 'no webhook has arrived' : `arrived so far: ${types.join(', ')}`;
  const got = ['none that is new since earlier steps', arrived, ...reasons].join('; ');
  return { path: 'webhook', expected: eventType, got };
}

function showDelivery(
  { eventType, data }: Expected,
  { about }: Step,
  { arrivals }: Delivery,
  status: string | null,
  show: Show,
): void {
  const body = arrivals[0]?.body;
  const sent = valueAt(body, 'data');
  show({
    kind: 'webhook',
    eventType,
    headers: arrivals.at(-1)?.headers ?? {},
    attempts: arrivals.length,
    responseStatus: arrivals.at(-1)?.responseStatus ?? 0,
    isSigned: arrivals.every(({ problem }) => problem === null),
    status,
    data: maskData(sent === undefined ? body : sent),
    shownPaths: pathsToShow(data, about, sent),
  });
}

export function usesWebhooks({ steps }: Scenario): boolean {
  return steps.some(({ webhook }) => webhook !== undefined);
}

/** The webhook configuration of a partner while a scenario is played. */
export interface Direction {
  /** Directs the webhooks again, after a step that may have replaced the configuration. */
  redirect(): Promise<void>;
  /** Restores the previous configuration. Resolves with the reason why the server refused, or with null. */
  restore(): Promise<string | null>;
}

/**
 * Configures the partner's webhooks to go to the inbox, for the event types that the scenario expects. Resolves with the
 * reason why the server refused, as text.
 */
export async function directWebhooks(
  scenario: Scenario,
  { api, apiKey }: Pick<Stage, 'api' | 'apiKey'>,
  inbox: WebhookReceiver,
): Promise<string | Direction> {
  const change = (body: unknown): Promise<AnyResponse> =>
    api.exchange(apiKey, { method: 'PATCH', path: CONFIG, body });
  const types = scenario.steps.flatMap(({ webhook }) => (webhook === undefined ? [] : [webhook.eventType]));
  let before: AnyResponse | null = null;
  const direct = async (): Promise<string | null> => {
    const current = await api.exchange(apiKey, { method: 'GET', path: CONFIG });
    // A checkpoint of the scenario itself has the inbox.
    if (before === null || valueAt(current.body, 'webhookUrl') !== inbox.url) before = current;
    const { status, body } = await change({
      webhookUrl: inbox.url,
      webhookSecret: inbox.secret,
      subscribedEvents: [...new Set(types)],
    });
    return status === 200 ? null : refusalText(status, body);
  };
  const refusal = await direct();
  if (refusal !== null) return `the server does not send webhooks to ${inbox.url}: ${refusal}`;
  return {
    async redirect() {
      await direct();
    },
    async restore() {
      if (before?.status !== 200) return null;
      const { status, body } = await change(settablePart(before.body));
      return status === 200 ? null : refusalText(status, body);
    },
  };
}

/** Returns the settable part of a configuration: a secret cannot be unset. */
function settablePart(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return {};
  // A server may omit what is not set, and a PATCH leaves what it omits.
  const all = { webhookUrl: null, subscribedEvents: [], ...body };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => name !== 'webhookSecret' || value !== null),
  );
}

function refusalText(status: number, body: unknown): string {
  const error = valueAt(body, 'error');
  return `${status}${typeof error === 'string' ? `, ${error}` : ''}`;
}
