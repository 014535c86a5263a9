import type { Client } from '../../../client/client.ts';
import type { HistoryEntry, JournalEntry, Rule, WebhookDelivery } from '../../../client/generated/records.ts';
import { createControlCall } from '../../../client/operation-calls.ts';
import { viewEntry } from '../../../control/history/operations.ts';
import { candidates } from '../../../control/webhooks/delivery-filters.ts';
import { describeRule } from '../../../control/world/requests.ts';
import { type Headers, redactBody, redactHeaders, redactQuery } from '../../../core/redaction/redact.ts';
import type { World } from '../../../core/world/world.ts';
import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import { viewDelivery } from '../../../service/webhooks/records.ts';

/** What was asked of a world while a command used it, and what came of it. Both lists are oldest first. */
export interface Activity {
  readonly world: string;
  readonly calls: readonly Call[];
  /** Those of its state at the end. */
  readonly deliveries: readonly SentDelivery[];
}

/** A webhook delivery, as far as a summary needs it. */
export interface SentDelivery
  extends Pick<WebhookDelivery, 'id' | 'eventType' | 'status' | 'cause' | 'attemptCount' | 'nextRetryAt'> {
  readonly attempts: readonly Pick<
    WebhookDelivery['attempts'][number],
    'at' | 'url' | 'status' | 'cause' | 'durationMs' | 'fault'
  >[];
}

/** An entry of the history of a world. */
export interface Call extends HistoryEntry {
  /** Why it was refused: the message with the rule behind it, or the fault. */
  readonly reason: string;
  /** What was sent and returned, as far as the sandbox keeps it. */
  readonly exchange: Exchange | null;
}

/** Secrets in it are not masked yet: most runs pass, and nobody reads theirs. */
interface Exchange {
  readonly query: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly response: { readonly headers: Headers; readonly body: string };
}

/** Cap on the worlds that have ended and are kept. */
const MAX_ENDED = 200;

/** The activities of the worlds of a sandbox in this process. */
export class WorldActivities {
  /** Of those that have ended. */
  readonly #ended: Activity[] = [];
  /** How many worlds that have ended are left out. */
  omitted = 0;

  /** Keeps what happened in a world, which is about to end. */
  readonly onWorldEnd = (world: World): void => {
    const activity = activityOf(world);
    if (activity.calls.length === 0) return;
    this.#ended.push(activity);
    if (this.#ended.length <= MAX_ENDED) return;
    const quiet = this.#ended.findIndex(
      each => !each.calls.some(isRefused) && !each.deliveries.some(isUndelivered),
    );
    this.#ended.splice(Math.max(quiet, 0), 1);
    this.omitted += 1;
  };

  /** The activities of the worlds in which something happened, those that have ended first. */
  all({ worlds }: Pick<SandboxCore, 'worlds'>): readonly Activity[] {
    const running = Array.from(worlds(), activityOf);
    return [...this.#ended, ...running.filter(({ calls }) => calls.length > 0)];
  }
}

/** Returns whether a call was refused, or lost by a fault. */
export function isRefused({ status }: Call): boolean {
  return status >= 400;
}

export function isUndelivered({ status }: SentDelivery): boolean {
  return status !== 'delivered';
}

function activityOf(world: World): Activity {
  const inJournal = byId(world.state.journal.newestFirst());
  const calls = world.history.entries.toReversed().map((entry): Call => {
    const { requestBody: body, response } = entry;
    const { query, headers } = entry.request;
    const request = inJournal(entry.requestId ?? '');
    const rule = request?.rule == null ? null : describeRule(world, request.rule);
    const view = viewEntry(entry);
    return {
      ...view,
      reason: reasonOf(view, rule, request?.fault ?? null),
      exchange: { query, headers, body, response },
    };
  });
  return {
    world: world.id,
    calls: calls.reverse(),
    deliveries: Array.from(candidates(world.state, {}).newestFirst(), viewDelivery).reverse(),
  };
}

/** Reads what happened in a world of another process, whose journal alone has what was sent and returned. */
export async function readActivity(client: Client): Promise<Activity> {
  const call = createControlCall(client);
  const entries = await call('history.list');
  const inJournal = byId(await call('requests.list'));
  const calls = entries.map((entry): Call => {
    const request = inJournal(entry.requestId ?? '');
    const reason = reasonOf(entry, request?.rule ?? null, request?.fault ?? null);
    return { ...entry, reason, exchange: request === undefined ? null : exchangeOf(request) };
  });
  const sent = await call('deliveries.list');
  return { world: client.world, calls: calls.reverse(), deliveries: sent.toReversed() };
}

function exchangeOf({ query, request, response }: JournalEntry): Exchange {
  const { headers = {}, body } = request;
  return { query, headers, body, response: { headers: response.headers ?? {}, body: response.body } };
}

/**
 * Returns a function that finds the request of an entry, to be called for the newest entry first: ids are given out again
 * after a reset, and it has cleared the journal.
 */
function byId<T extends { readonly id: string }>(newestFirst: readonly T[]): (id: string) => T | undefined {
  const left = new Map(newestFirst.toReversed().map(each => [each.id, each]));
  return id => {
    const found = left.get(id);
    left.delete(id);
    return found;
  };
}

function reasonOf({ summary }: HistoryEntry, rule: Rule | null, fault: string | null): string {
  if (fault !== null) return `fault ${fault}`;
  if (rule === null) return summary;
  return `${summary} [${rule.fidelity === 'assumed' ? `assumption ${rule.id}` : `interface ${rule.section}`}]`;
}

/** Returns the calls as JSON, with secrets masked as in the journal. */
export function historyJson(calls: readonly Call[]): string {
  const entries = calls.map(({ reason: _reason, exchange, ...entry }) => ({
    ...entry,
    ...(exchange !== null && maskExchange(exchange)),
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function maskExchange({ query, headers, body, response }: Exchange): Exchange {
  return {
    query: redactQuery(query),
    headers: redactHeaders(headers),
    body: body === null ? null : redactBody(body),
    response: { headers: redactHeaders(response.headers), body: redactBody(response.body) },
  };
}
