import type { EventType, FaultInput, WebhookFaultInput } from '../../client/generated/records.ts';
import { apiOperations, catalogue } from './catalogue/catalogue.ts';
import type { BenignMisbehaviour, Disturbance, ExamHistory, Misbehaviour } from './misbehaviour.ts';
import type { NextCall } from './run-record.ts';

/** Misbehaviours that can strike one call of an operation. */
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
/** The later calls, or webhooks of a type, that are struck. */
const LATER = [2, 3];

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
  const subjectOf = (id: string) => id.slice(LOST.length + 1);
  const kinds: readonly string[][] = [
    // The look-up after a lost response fails.
    lost.flatMap(({ id, next }) =>
      next
        .filter(({ operation }) => apiOperations.some(each => each.id === operation && each.method === 'GET'))
        .flatMap(({ operation, place }) => fails(operation).map(fault => `${id}+${at(fault, place)}`)),
    ),
    // The repeated request fails as well.
    lost.flatMap(({ id }) => [
      `${id}+${id}`,
      ...fails(subjectOf(id)).map(fault => `${fault}+${id}`),
      ...limits(subjectOf(id)).map(fault => `${id}+${fault}`),
    ]),
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
  const sentences = (texts: readonly string[]) => [...new Set(texts)].join(' ');
  return {
    id,
    kind: 'benign',
    why: sentences(known.map(({ why }) => why)),
    sound: sentences(known.map(({ sound }) => sound)),
    disturb(history) {
      const disturbances = known.map(each => each.disturb(history));
      const reason = disturbances.find(each => typeof each === 'string');
      return reason ?? disturbances.filter(each => typeof each !== 'string').reduce(merge, {});
    },
  };
}

function parsePart(id: string): BenignMisbehaviour | null {
  const whole = catalogue.find(each => each.id === id);
  if (whole !== undefined) return whole.kind === 'benign' ? whole : null;
  const [, name = '', subject = '', place = '1'] = /^([\w-]+)\.([\w.]+)(?:#([1-9]\d?))?$/.exec(id) ?? [];
  const general =
    catalogue.find(each => each.id === `${name}.${subject}`) ?? catalogue.find(each => each.id === name);
  if (general === undefined) return null;
  const disturbance = disturbanceOf(name, subject, Number(place) - 1);
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

function isOperation(id: string): boolean {
  return apiOperations.some(each => each.id === id);
}

/** Merges two disturbances. What strikes for a limited number of times comes before what always does. */
function merge(a: Disturbance, b: Disturbance): Disturbance {
  const limitedFirst = <F extends { readonly times?: number }>(faults: readonly F[]) =>
    faults.toSorted((x, y) => Number(x.times === undefined) - Number(y.times === undefined));
  const fixture = { ...a.fixture, ...b.fixture };
  const options = { ...a.options, ...b.options };
  const crowd = [...(a.crowd ?? []), ...(b.crowd ?? [])];
  return {
    faults: limitedFirst([...(a.faults ?? []), ...(b.faults ?? [])]),
    webhookFaults: limitedFirst([...(a.webhookFaults ?? []), ...(b.webhookFaults ?? [])]),
    ...(Object.keys(fixture).length > 0 && { fixture }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(crowd.length > 0 && { crowd }),
    ...((a.rotatesKeys ?? b.rotatesKeys) && { rotatesKeys: true }),
  };
}
