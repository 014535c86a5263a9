import { Buffer } from 'node:buffer';
import { addApprovedCardholder } from '../../control/people/identity.ts';
import { KEY_HEADER } from '../../core/access/authenticate.ts';
import { rotateApiKey } from '../../core/access/key-rotation.ts';
import { apiKeys } from '../../core/access/partners.ts';
import type { ActingFault } from '../../core/faults/effect-schema.ts';
import type { Trace } from '../../core/journal/events.ts';
import { type ApiRequest, header } from '../../core/request/http.ts';
import { ownKey } from '../../core/store/table-definition.ts';
import { CONNECTION_REFUSED, mayHaveArrived } from '../../core/values/attempt-causes.ts';
import { NEUTRAL_HEADER } from '../../core/values/names.ts';
import { REIMPORT } from '../../core/values/reimport.ts';
import type {
  ActingWebhookFault,
  CreatedRecord,
  DisturbedDelivery,
  DisturbedRequest,
  Disturbance as Disturbs,
  EndedAttempt,
  HandledCall,
  RequestNotes,
} from '../../core/world/disturbance.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type CardholderRow, cardholders } from '../../service/cardholders/records.ts';
import { type CardRow, cards } from '../../service/cards/records.ts';
import { changeCardStatus, issueCard } from '../../service/cards/rules.ts';
import { type KycSessionRow, kycSessions } from '../../service/kyc/records.ts';
import { programs } from '../../service/programs/records.ts';
import { programOrFirst } from '../../service/programs/rules.ts';
import { deliveries } from '../../service/webhooks/records.ts';
import { redeliver } from '../../service/webhooks/sending.ts';
import type { DisturbancePlan, DisturbingFault, DisturbingWebhookFault, PersonInCrowd } from './plan.ts';
import { idsOfFixture, isShown, isShownInBody } from './shown.ts';

type Part = DisturbancePlan[number];

const CREATIONS: readonly string[] = ['cardholders.create', 'cards.issue'];
const CREATION = 'cardholders.create';

/** Of an old key, in milliseconds of sandbox time. */
const GRACE_PERIOD_MS = 24 * 3_600_000;

/** Cap on the refused requests that a fault strikes, so that tests of refusals do not take much longer. */
const MAX_REFUSED = 10;

const FIRST_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

interface Strikes {
  count: number;
  readonly since: number;
}

/** What a strike on a webhook was, until the attempt that it is about has ended. */
interface WebhookStrike {
  readonly id: string;
  readonly kind: string;
  readonly isExtra: boolean;
}

/** The disturbance of one world: data that acts, and what is known of how it has acted. */
export class WorldDisturbance implements Disturbs<WorldState> {
  readonly #plan: DisturbancePlan;
  /** By the fault, and for additional webhooks by the partner and the URL: each may be that of another app. */
  readonly #strikes = new Map<DisturbingFault | DisturbingWebhookFault, Map<string, Strikes>>();
  /** By the fault: the requests that it struck although they are refused, so that it strikes another one, too. */
  readonly #refused = new Map<DisturbingFault, Set<string>>();
  /** The faults by the requests that they struck before these were handled, until these are sent again. */
  readonly #unhandled = new Map<string, DisturbingFault>();
  /** What the parts of the plan contribute to a fault. */
  readonly #effects = new WeakMap<ActingFault, ReadonlyMap<Part, DisturbingFault>>();
  /** The creations and re-imports that failed and have not been repeated with success, with their operations. */
  readonly #openImports = new Map<string, string>();
  /** The ids of what has held a webhook back since the last request: its attempt may come too late for the record. */
  readonly #holding = new Set<string>();
  #isSilent = false;

  constructor(plan: DisturbancePlan) {
    this.#plan = plan;
  }

  /** Whether events are not reported, because nobody asked for what raises them. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  get sendsInTurn(): boolean {
    return this.#plan.some(
      part => part.repeatsWebhooks || part.webhookFaults?.some(({ kind }) => kind === 'duplicate'),
    );
  }

  beforeRequest(state: WorldState, request: ApiRequest): void {
    if (!this.#plan.some(part => part.rotatesKeys && !isSpared(part, request))) return;
    const key = state.table(apiKeys).get(header(request, KEY_HEADER) ?? '');
    if (key === undefined || key.validUntil !== null) return;
    const isFirst = state.table(apiKeys).ofPartner(key.partnerId).length === 1;
    if (isFirst) rotateApiKey(state, key.partnerId, GRACE_PERIOD_MS);
  }

  faultFor(state: WorldState, call: DisturbedRequest): ActingFault | null {
    const operation = this.#operationOf(state, call);
    const faults = this.#plan.flatMap(part =>
      isSpared(part, call.request)
        ? []
        : (part.faults ?? []).filter(each => isMeant(each, call, operation)).map(fault => ({ part, fault })),
    );
    const key = requestKey(call);
    const strike = faults.find(
      ({ fault }) =>
        !fault.ridesAlong && !this.#refused.get(fault)?.has(key) && this.#strike(state, fault) !== null,
    );
    if (strike !== undefined && call.operation === CREATION)
      this.#openImports.set(importKey(call), operation ?? CREATION);
    const isReplaced = strike !== undefined && strike.fault.delayMs === undefined;
    const acting = [
      ...(strike === undefined ? [] : [strike]),
      ...(isReplaced ? [] : faults.filter(({ fault }) => fault.ridesAlong)),
    ];
    const [first] = acting;
    if (first === undefined) return null;
    const effects = acting.map(({ fault }) => {
      const { operations: _o, method: _m, times: _t, lastsMs: _l, ridesAlong: _r, ...effect } = fault;
      return effect;
    });
    const fault: ActingFault = {
      id: first.part.id,
      effect: Object.assign({ when: 'before' as const }, ...effects),
    };
    this.#effects.set(fault, new Map(acting.map(each => [each.part, each.fault])));
    return fault;
  }

  /**
   * The operation of a request. A creation whose externalUserId the partner has already is a re-import, unless it repeats a
   * creation that failed.
   */
  #operationOf(state: WorldState, call: DisturbedRequest): string | null {
    if (call.operation !== CREATION) return call.operation;
    const key = importKey(call);
    const known = state.table(cardholders).find('externalUserId', key);
    return this.#openImports.get(key) ?? (known === undefined ? CREATION : REIMPORT);
  }

  /** Counts a strike of a fault, or of one receiver, and returns the count. Returns null, and counts none, when it is over. */
  #strike(state: WorldState, fault: DisturbingFault | DisturbingWebhookFault, receiver = ''): Strikes | null {
    const now = state.setup.realTime.elapsed();
    const byReceiver = this.#strikes.get(fault) ?? new Map<string, Strikes>();
    const strikes = byReceiver.get(receiver) ?? { count: 0, since: now };
    const lastsMs = 'lastsMs' in fault ? fault.lastsMs : undefined;
    if (fault.times !== undefined && strikes.count >= fault.times) return null;
    if (lastsMs !== undefined && now - strikes.since >= lastsMs) return null;
    strikes.count += 1;
    this.#strikes.set(fault, byReceiver.set(receiver, strikes));
    return strikes;
  }

  afterRequest(state: WorldState, call: HandledCall): RequestNotes {
    const { request, operation, partnerId, response, trace } = call;
    const notes = {
      struck: [
        ...new Set([
          ...this.#plan.filter(part => this.#hasStruck(part, state, call)).map(({ id }) => id),
          ...this.#takeHolding(),
        ]),
      ],
      created: createdIn(state, trace),
      undone: undoneIn(trace),
    };
    const effects = call.fault === null ? undefined : this.#effects.get(call.fault);
    const strike = [...(effects?.values() ?? [])].find(({ ridesAlong }) => !ridesAlong);
    if (partnerId !== null) this.#noteRefusal(requestKey({ request, partnerId }), strike, call.isRefused);
    if (operation === CREATION && partnerId !== null && response.status < FIRST_ERROR && !strike)
      this.#openImports.delete(importKey({ request, partnerId }));
    const isSuccess = response.status < 300 && operation !== null && partnerId !== null;
    if (isSuccess && CREATIONS.includes(operation)) this.#crowd(state, operation, partnerId);
    return notes;
  }

  /**
   * Lets a fault strike another request where it struck one that is refused, which says nothing about those that are not.
   * Of one that was struck before it was handled, the same request shows that when it is sent again.
   */
  #noteRefusal(key: string, strike: DisturbingFault | undefined, isRefused: boolean): void {
    const fault = strike ?? this.#unhandled.get(key);
    this.#unhandled.delete(key);
    const { delayMs, lastsMs, retryAfter } = fault ?? {};
    if (fault === undefined || (delayMs ?? lastsMs ?? retryAfter) !== undefined) return;
    const refused = this.#refused.get(fault) ?? new Set();
    if (isRefused && refused.size < MAX_REFUSED) {
      this.#refused.set(fault, refused.add(key));
      this.#strikes.delete(fault);
    } else if (strike !== undefined && strike.when !== 'after') this.#unhandled.set(key, strike);
  }

  afterControl(): RequestNotes | null {
    const struck = this.#takeHolding();
    return struck.length === 0 ? null : { struck, created: [], undone: [] };
  }

  #takeHolding(): string[] {
    const ids = [...this.#holding];
    this.#holding.clear();
    return ids;
  }

  #hasStruck(part: Part, state: WorldState, call: HandledCall): boolean {
    if (isSpared(part, call.request)) return false;
    const { fault, response } = call;
    const own = fault === null ? undefined : this.#effects.get(fault)?.get(part);
    // Its records look as others do where its fault has not acted.
    if (own === undefined && part.faults !== undefined) return false;
    // What is in the response of a record with an unknown status shows below.
    const needsBody = own?.unknownFields ?? own?.inPieces;
    if (own && own.unknownStatusOf === undefined && !(needsBody && response.body === '')) return true;
    const isLost = response.drop === true || (fault !== null && response.status >= FIRST_ERROR);
    return !isLost && isShown(part, this.#recordsOf(part, state), state, call);
  }

  #recordsOf(part: Part, state: WorldState): ReadonlySet<string> {
    return state.memo(this.#findAdded).get(part) ?? new Set();
  }

  /** The ids of the additional records in a state, by the part that they come from. */
  readonly #findAdded = (state: WorldState): Map<Part, Set<string>> =>
    new Map(this.#plan.map(part => [part, idsOfFixture(part, state)]));

  /** Adds the crowds of a partner, silently, after the first success of an operation in a state. */
  #crowd(state: WorldState, operation: string, partnerId: string): void {
    const crowded = state.memo(crowdedIn);
    const key = `${partnerId} ${operation}`;
    if (crowded.has(key)) return;
    crowded.add(key);
    const added = state.memo(this.#findAdded);
    this.#isSilent = true;
    try {
      for (const part of this.#plan)
        for (const id of addCrowd(state, partnerId, part.crowd ?? [])) added.get(part)?.add(id);
    } finally {
      this.#isSilent = false;
    }
  }

  webhookFaultFor<Kind extends string>(
    state: WorldState,
    delivery: DisturbedDelivery,
    kinds: readonly Kind[],
    receiver?: string,
  ): ActingWebhookFault<Kind> | undefined {
    const { id, partnerId, eventType } = delivery;
    const isExtra = receiver !== undefined;
    for (const part of this.#plan) {
      for (const fault of part.webhookFaults ?? []) {
        const kind = kinds.find(each => each === fault.kind);
        if (kind === undefined || (fault.extra === true) !== isExtra) continue;
        if (fault.eventType !== undefined && fault.eventType !== eventType) continue;
        if (fault.whileRunning && state.clock.view().mode === 'frozen') continue;
        const strikes = this.#strike(state, fault, isExtra ? `${partnerId} ${receiver}` : '');
        if (strikes === null) continue;
        noteStrike(state, id, { id: part.id, kind, isExtra });
        if (kind === 'delay') this.#holding.add(part.id);
        if (isExtra) state.memo(webhooksIn).additional.set(id, strikes);
        return { kind, delayMs: fault.delayMs ?? null };
      }
    }
    return undefined;
  }

  afterAttempt(state: WorldState, delivery: DisturbedDelivery, attempt: EndedAttempt): readonly string[] {
    const { id } = delivery;
    const { strikes: all } = state.memo(webhooksIn);
    const strikes = all.get(id) ?? [];
    const isMeant = ({ isExtra, kind }: WebhookStrike) =>
      isExtra === (attempt.extra === true) && (kind === REPEATED) === (attempt.redelivery === true);
    all.set(
      id,
      strikes.filter(each => !isMeant(each)),
    );
    const isOvertaken = wasOvertaken(state, delivery, attempt);
    if (attempt.redelivery === undefined) {
      this.#recountAdditional(state, id, attempt);
      if (attempt.extra === undefined && attempt.cause === null) this.#repeatPrevious(state, delivery);
    }
    // A webhook that is held back and overtaken by none is only late.
    const struck = strikes.filter(
      each => isMeant(each) && hasActed(each, attempt) && (each.kind !== 'reorder' || isOvertaken),
    );
    const isRead = attempt.status !== null && attempt.extra === undefined;
    const shown = this.#plan.filter(
      part => isRead && isShownInBody(part, this.#recordsOf(part, state), state, delivery.body),
    );
    return [...new Set([...struck, ...shown].map(each => each.id))];
  }

  /**
   * Does not count an additional request beside an attempt that was refused, nor one that failed with 5xx or that no receiver
   * was there for: the test may have let the receiver refuse the first webhook, or start it later. The response says nothing
   * then, so that it is sent again. A receiver that closes while it has one gets no more of them.
   */
  #recountAdditional(state: WorldState, id: string, { extra, status, cause }: EndedAttempt): void {
    const { additional } = state.memo(webhooksIn);
    const strikes = additional.get(id);
    const saysNothing =
      extra === true
        ? (status ?? 0) >= FIRST_SERVER_ERROR || cause === CONNECTION_REFUSED
        : status !== null && cause !== null;
    if (strikes === undefined || !saysNothing) return;
    additional.delete(id);
    strikes.count -= 1;
  }

  #repeatPrevious(state: WorldState, { id, partnerId }: DisturbedDelivery): void {
    const part = this.#plan.find(each => each.repeatsWebhooks);
    if (part === undefined) return;
    const { delivered } = state.memo(webhooksIn);
    const previous = state.table(deliveries).get(delivered.get(partnerId) ?? '');
    delivered.set(partnerId, id);
    if (previous === undefined || previous.id === id) return;
    noteStrike(state, previous.id, { id: part.id, kind: REPEATED, isExtra: false });
    void redeliver(state, previous);
  }
}

const REPEATED = 'repeated';

/** The partners that have a crowd, with the operations. */
const crowdedIn = (_state: WorldState) => new Set<string>();

const webhooksIn = (_state: WorldState) => ({
  strikes: new Map<string, readonly WebhookStrike[]>(),
  /** What counts the additional requests that were sent ahead of the newest attempt, by the delivery. */
  additional: new Map<string, Strikes>(),
  /** By the partner: the delivery that arrived last, and the place of the newest that was attempted. */
  delivered: new Map<string, string>(),
  attempted: new Map<string, number>(),
});

function noteStrike(state: WorldState, delivery: string, strike: WebhookStrike): void {
  const { strikes } = state.memo(webhooksIn);
  strikes.set(delivery, [...(strikes.get(delivery) ?? []), strike]);
}

/**
 * Whether a receiver may have noticed a strike. Nobody notices how a webhook is sent that does not arrive, unless the strike
 * keeps it away. An additional one is judged by its own attempt.
 */
function hasActed({ kind, isExtra }: WebhookStrike, { status, cause, repeatStatus }: EndedAttempt): boolean {
  if (isExtra || kind === 'drop' || kind === 'delay') return true;
  if (kind === 'duplicate') return typeof repeatStatus === 'number';
  return status !== null || mayHaveArrived(cause ?? '');
}

/** Whether a later delivery of the partner was attempted before. */
function wasOvertaken(
  state: WorldState,
  { id, partnerId }: DisturbedDelivery,
  { extra }: EndedAttempt,
): boolean {
  const { attempted } = state.memo(webhooksIn);
  const place = state.table(deliveries).sequenceOf(id) ?? 0;
  const newest = attempted.get(partnerId) ?? -1;
  if (extra === undefined) attempted.set(partnerId, Math.max(newest, place));
  return newest > place;
}

/** Whether a part leaves a request alone, because a handle or a command of this package sent it: no app sends that header. */
function isSpared({ sparesLibrary }: Part, { headers }: ApiRequest): boolean {
  return sparesLibrary === true && headers[NEUTRAL_HEADER] !== undefined;
}

function isMeant(
  { operations, method }: DisturbingFault,
  { request }: DisturbedRequest,
  operation: string | null,
): boolean {
  if (method !== undefined && method !== (request.method === 'HEAD' ? 'GET' : request.method)) return false;
  return operations?.includes(operation ?? '') ?? true;
}

function requestKey({ request, partnerId }: Pick<DisturbedRequest, 'request' | 'partnerId'>): string {
  const { method, path, query, body } = request;
  return [partnerId, method, path, query, Buffer.from(body)].join(' ');
}

/** The cardholder that a creation is about. */
function importKey({ request, partnerId }: Pick<DisturbedRequest, 'request' | 'partnerId'>): string {
  return ownKey(partnerId, externalUserIdIn(request.body));
}

function externalUserIdIn(body: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(body).toString()).externalUserId);
  } catch {
    // It is refused, and creates nothing.
    return '';
  }
}

/** Adds people with an active card each. Returns the ids of the new records; none for a partner without a card program. */
function addCrowd(state: WorldState, partnerId: string, people: readonly PersonInCrowd[]): string[] {
  if (state.table(programs).ofPartner(partnerId).length === 0) return [];
  const program = programOrFirst(state, partnerId, undefined);
  return people.flatMap(identity => {
    const { id } = addApprovedCardholder(state, partnerId, program, identity);
    const cardholder = state.table(cardholders).existing(id);
    const card = issueCard(state, cardholder, program, {});
    if (card.status === 'created') changeCardStatus(state, card, 'activate');
    return [id, card.id];
  });
}

/** Returns what a request created that a repeated request would create once more. */
function createdIn(state: WorldState, { changes }: Trace): CreatedRecord[] {
  return changes.flatMap(({ table, before, after }) => {
    if (before !== null || after === null) return [];
    // A row is one of its table.
    if (table === cardholders) return [cardholder(after as CardholderRow)];
    if (table === cards) return [card(state, after as CardRow)];
    return table === kycSessions ? [session(after as KycSessionRow)] : [];
  });
}

function cardholder({ id, partnerId, externalUserId, phoneNumber, kycSource }: CardholderRow): CreatedRecord {
  const content = { phoneNumber, kycSource };
  return { kind: cardholders.kind, id, owner: partnerId, ownerName: externalUserId, content };
}

function card(state: WorldState, { id, cardholderId, ...row }: CardRow): CreatedRecord {
  const { nameOnCard, programId, type, limits } = row;
  const ownerName = state.table(cardholders).get(cardholderId)?.externalUserId ?? cardholderId;
  return {
    kind: cards.kind,
    id,
    owner: cardholderId,
    ownerName,
    content: { nameOnCard, programId, type, limits },
  };
}

function session({ id, partnerId, externalUserId, redirectUrl }: KycSessionRow): CreatedRecord {
  const content = { externalUserId, redirectUrl };
  return { kind: kycSessions.kind, id, owner: partnerId, ownerName: partnerId, content };
}

function undoneIn({ changes }: Trace): string[] {
  return changes.flatMap(({ table, before, after }) =>
    table === cards && before !== null && (after as CardRow | null)?.status === 'cancelled'
      ? [before.id]
      : [],
  );
}
