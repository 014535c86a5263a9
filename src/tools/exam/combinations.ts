import type { EventType, FaultInput, WebhookFaultInput } from '../../client/generated/records.ts';
import { apiOperations, catalogue } from './catalogue/catalogue.ts';
import { LISTS_OF_RECORDS } from './catalogue/records.ts';
import {
  type Disturbance,
  type ExamFault,
  type ExamHistory,
  type Misbehaviour,
  READ_OF_PERSON,
} from './misbehaviour.ts';
import type { NextCall } from './run-record.ts';

/** Misbehaviours that can strike some calls of an operation. */
const OF_CALLS: Readonly<Record<string, FaultInput>> = {
  'connection-lost-before': { drop: true },
  'connection-lost-after': { drop: true, when: 'after' },
  'error-503-before': { status: 503 },
  'rate-limited': { status: 429, retryAfter: 1 },
};

/** Misbehaviours that can strike one webhook of a type. */
const OF_WEBHOOKS: Readonly<Record<string, WebhookFaultInput>> = {
  'webhooks-twice': { kind: 'duplicate' },
  'webhook-attempt-lost': { kind: 'drop' },
};

const LOST = 'connection-lost-after';
/** What may matter to an app that looks up what a lost request did. */
const BESIDE_LOST = [
  'lists-longer-than-a-page',
  'webhook-before-response',
  'webhooks-twice',
  'webhooks-late',
  'webhooks-reversed',
];
/** Webhooks that come at another time, and webhooks that come more or less often: one of each goes together. */
const WHEN = ['webhooks-reversed', 'webhooks-late', 'webhook-before-response'];
const HOW_OFTEN = ['webhooks-twice', 'webhook-attempt-lost'];
const OUTAGE = 'error-503-lasting';
const LIMITED = 'rate-limited-lasting';
const SLOW_KYC = 'kyc-slow';
const LONG_IDS = 'ids-long';
const LONG_LIST = 'lists-longer-than-a-page';
/** What may matter to code that reads further pages only. */
const ON_FURTHER_PAGES = ['response-fields-unknown', 'names-unusual', 'phone-number-null', 'status-unknown'];
const NAMES = 'names-unusual';
const PIECES = 'responses-in-pieces';
/** The later calls, or webhooks of a type, that are struck. */
const LATER = [2, 3];
/** Marks a fault of every second call: a client that repeats what failed gets its response. */
const EVERY_SECOND = '#2n';

/** A misbehaviour alone that the command survived, and what the command called after it was triggered. */
export interface Survived {
  readonly id: string;
  readonly next: readonly NextCall[];
}

/**
 * Returns what is worth trying after each misbehaviour alone: strikes of later calls and webhooks, and two misbehaviours
 * at once. Chosen by what the command did. Both misbehaviours of a pair were survived alone, so what a pair breaks
 * needs both. The kinds of combinations take turns, so that the first ones are of every kind.
 */
export function chooseCombinations(
  { called, counts }: ExamHistory,
  survived: readonly Survived[],
): readonly Misbehaviour[] {
  const survives = (name: string) => survived.some(({ id }) => id === name);
  const lost = survived.filter(({ id }) => id.startsWith(`${LOST}.`));
  const times = (subject: string) => LATER.filter(place => (counts[subject] ?? 0) >= place);
  const fails = (operation: string) =>
    survives('error-503-before') ? [`error-503-before.${operation}`] : [];
  const limits = (operation: string) => (survives('rate-limited') ? [`rate-limited.${operation}`] : []);
  const failures = (operation: string) => [...fails(operation), ...limits(operation)];
  const isRead = (operation: string) =>
    apiOperations.some(each => each.id === operation && each.method === 'GET');
  const forgeries = survived.filter(({ id }) =>
    catalogue.some(each => each.id === id && each.kind === 'malign'),
  );
  const subjectOf = (id: string) => id.slice(LOST.length + 1);
  const kinds: readonly string[][] = [
    // The look-up after a lost response fails.
    lost.flatMap(({ id, next }) =>
      next
        .filter(({ operation }) => isRead(operation))
        .flatMap(({ operation, place }) => failures(operation).map(fault => `${id}+${at(fault, place)}`)),
    ),
    // The repeated request fails as well.
    lost.flatMap(({ id }) => [
      `${id}+${id}`,
      ...fails(subjectOf(id)).map(fault => `${fault}+${id}`),
      ...limits(subjectOf(id)).map(fault => `${id}+${fault}`),
    ]),
    // The requests that waited for a rate limit fail.
    survives(LIMITED) && survives(OUTAGE) ? [`${LIMITED}+${OUTAGE}`] : [],
    // A request fails while code waits for a decision.
    survives(SLOW_KYC) ? fails(READ_OF_PERSON).map(fault => `${SLOW_KYC}+${fault}`) : [],
    // A further page fails, or has what the first one does not have.
    survives(LONG_LIST)
      ? [
          ...called
            .filter(({ id }) => LISTS_OF_RECORDS.includes(id))
            .flatMap(({ id }) => fails(id).map(fault => fault + EVERY_SECOND)),
          ...ON_FURTHER_PAGES.filter(survives),
        ].map(other => `${LONG_LIST}+${other}`)
      : [],
    // What the receiver calls only because of a forged webhook fails.
    forgeries.flatMap(({ id, next }) =>
      next
        .filter(({ operation }) => isRead(operation) && counts[operation] === undefined)
        .flatMap(({ operation }) => fails(operation).map(fault => `${id}+${fault}`)),
    ),
    // Characters of several bytes are split.
    survives(NAMES) && survives(PIECES) ? [`${NAMES}+${PIECES}`] : [],
    survives(LONG_IDS) ? HOW_OFTEN.filter(survives).map(often => `${LONG_IDS}+${often}`) : [],
    lost.flatMap(({ id }) => BESIDE_LOST.filter(survives).map(other => `${id}+${other}`)),
    // A later call.
    called.flatMap(({ id, method }) =>
      method === 'GET'
        ? []
        : times(id).flatMap(place => [
            ...(survives(`${LOST}.${id}`) ? [at(`${LOST}.${id}`, place)] : []),
            ...fails(id).map(fault => at(fault, place)),
          ]),
    ),
    // A later webhook.
    HOW_OFTEN.filter(survives).flatMap(name =>
      Object.keys(counts).flatMap(subject =>
        isOperation(subject) ? [] : times(subject).map(place => at(`${name}.${subject}`, place)),
      ),
    ),
    WHEN.filter(survives).flatMap(when => HOW_OFTEN.filter(survives).map(often => `${when}+${often}`)),
    lost.flatMap(({ id }, index) => lost.slice(index + 1).map(other => `${id}+${other.id}`)),
  ];
  const ids = Array.from({ length: Math.max(...kinds.map(kind => kind.length)) }, (_, index) =>
    kinds.flatMap(kind => kind[index] ?? []),
  ).flat();
  return [...new Set(ids)].flatMap(id => parseCombination(id) ?? []);
}

/** Returns the id of a misbehaviour of a later call or webhook. */
function at(id: string, place: number): string {
  return place === 1 ? id : `${id}#${place}`;
}

/** Returns the combination with an id, such as `webhooks-late+webhooks-twice` or `connection-lost-after.cards.issue#2`. */
export function parseCombination(id: string): Misbehaviour | null {
  const parts = id.split('+').map(parsePart);
  const known = parts.filter(part => part !== null);
  if (known.length !== parts.length || parts.length > 2) return null;
  // Two faults of the same webhook would hinder each other.
  const isForged = known.some(({ kind }) => kind === 'malign');
  if (isForged && !known.some(part => Object.keys(OF_CALLS).some(name => part.id.startsWith(`${name}.`))))
    return null;
  const sentences = (texts: readonly string[]) => [...new Set(texts)].join(' ');
  return {
    id,
    kind: isForged ? 'malign' : 'benign',
    why: sentences(known.map(({ why }) => why)),
    sound: sentences(known.map(({ sound }) => sound)),
    disturb(history) {
      const disturbances = known.map(each => each.disturb(history));
      const reason = disturbances.find(each => typeof each === 'string');
      return reason ?? disturbances.filter(each => typeof each !== 'string').reduce(merge, {});
    },
  };
}

function parsePart(id: string): Misbehaviour | null {
  const whole = catalogue.find(each => each.id === id);
  if (whole !== undefined) return whole;
  const [, name = '', subject = '', place = '1', every] =
    /^([\w-]+)\.([\w.]+)(?:#([1-9]\d?)(n)?)?$/.exec(id) ?? [];
  const general =
    catalogue.find(each => each.id === `${name}.${subject}`) ?? catalogue.find(each => each.id === name);
  if (general === undefined) return null;
  const disturbance =
    every === undefined
      ? disturbanceOf(name, subject, Number(place) - 1)
      : repeatedly(name, subject, Number(place));
  return disturbance && { ...general, id, disturb: () => disturbance };
}

/** Returns what strikes one call or webhook once, after some others. Null if there is no such misbehaviour. */
function disturbanceOf(name: string, subject: string, after: number): Disturbance | null {
  const [call, webhook] = [OF_CALLS[name], OF_WEBHOOKS[name]];
  const operation = apiOperations.find(each => each.id === subject);
  if (call !== undefined && operation !== undefined) {
    const { method, path } = operation;
    return { faults: [{ method, path, times: 1, after, ...call }] };
  }
  if (webhook === undefined || operation !== undefined) return null;
  // The sandbox refuses an unknown type.
  return { webhookFaults: [{ ...webhook, eventType: subject as EventType, times: 1, after }] };
}

/** Returns what strikes every so-many-th call, from the second on. Null if there is no such misbehaviour. */
function repeatedly(name: string, subject: string, every: number): Disturbance | null {
  const { faults } = disturbanceOf(name, subject, every - 1) ?? {};
  return faults === undefined || every < 2
    ? null
    : { faults: faults.map(fault => ({ ...fault, isRepeated: true as const })) };
}

function isOperation(id: string): boolean {
  return apiOperations.some(each => each.id === id);
}

/** Merges the contents of two fixtures. The records of the second one are the older ones, at the end of lists. */
function mergeFixtures(
  a: Disturbance['fixture'] = {},
  b: Disturbance['fixture'] = {},
): Record<string, unknown> {
  const recordsOf = (fixture: Readonly<Record<string, unknown>>, kind: string) => {
    const records = fixture[kind];
    return Array.isArray(records) ? records : [];
  };
  const kinds = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(kinds.map(kind => [kind, [...recordsOf(b, kind), ...recordsOf(a, kind)]]));
}

/** Whether a fault ends by itself. */
function isLimited({ times, lastsMs }: Pick<ExamFault, 'times' | 'lastsMs'>): boolean {
  return times !== undefined || lastsMs !== undefined;
}

/** Merges two disturbances. What strikes for a limited number of times comes before what always does. */
function merge(a: Disturbance, b: Disturbance): Disturbance {
  const limitedFirst = <F extends Pick<ExamFault, 'times' | 'lastsMs'>>(faults: readonly F[]) =>
    faults.toSorted((x, y) => Number(isLimited(y)) - Number(isLimited(x)));
  const fixture = mergeFixtures(a.fixture, b.fixture);
  const environment = { ...a.environment, ...b.environment };
  const people = b.people ?? a.people;
  const options = { ...a.options, ...b.options };
  const kycDelay = b.kycDelay ?? a.kycDelay;
  const crowd = [...(a.crowd ?? []), ...(b.crowd ?? [])];
  return {
    faults: limitedFirst([...(a.faults ?? []), ...(b.faults ?? [])]),
    webhookFaults: limitedFirst([...(a.webhookFaults ?? []), ...(b.webhookFaults ?? [])]),
    ...(Object.keys(fixture).length > 0 && { fixture }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(people && { people }),
    ...(kycDelay && { kycDelay }),
    ...(crowd.length > 0 && { crowd }),
    ...((a.rotatesKeys ?? b.rotatesKeys) && { rotatesKeys: true }),
    ...((a.repeatsWebhooks ?? b.repeatsWebhooks) && { repeatsWebhooks: true }),
  };
}
