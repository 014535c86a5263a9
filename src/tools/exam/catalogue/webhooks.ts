import type { EventType } from '../../../client/generated/records.ts';
import type { DisturbingWebhookFault } from '../../../sandbox/disturbance/plan.ts';
import { forgeries as allForgeries } from '../../forgeries.ts';
import type { BenignMisbehaviour, Disturbance, ExamHistory, Misbehaviour } from '../misbehaviour.ts';

const LATE_MS = 2_000;
/** How long webhooks are collected that are then sent in the opposite order. */
const COLLECT_MS = 500;

/** Events that requests to the API raise. The others have no request that could be answered after them. */
const RAISED_BY_REQUESTS: readonly EventType[] = ['cardholder.created', 'card.issued', 'card.status.changed'];

export const NO_WEBHOOKS = 'no receiver responded to a webhook';

function always(fault: DisturbingWebhookFault): Misbehaviour['disturb'] {
  return ({ webhooks }) => (webhooks.length === 0 ? NO_WEBHOOKS : { webhookFaults: [fault] });
}

function inTime(disturb: Misbehaviour['disturb']): Misbehaviour['disturb'] {
  return history => {
    const { clocks } = history;
    const disturbance = disturb(history);
    const wouldWait = !clocks.includes('running') || clocks.includes('both');
    return typeof disturbance !== 'string' && wouldWait
      ? 'the clock is frozen, on which a delayed webhook would never be sent'
      : disturbance;
  };
}

function ofSeveral(disturb: Misbehaviour['disturb']): Misbehaviour['disturb'] {
  return history => {
    const { webhooks: types, hasSeveralWebhooks } = history;
    return types.length > 0 && !hasSeveralWebhooks ? 'no world sent more than one webhook' : disturb(history);
  };
}

function onceEachType(fault: DisturbingWebhookFault) {
  return ({ webhooks }: ExamHistory) => (webhooks.length === 0 ? NO_WEBHOOKS : onceEach(fault, webhooks));
}

/** Of each type that the receiver accepts: where it refuses all, that it refuses a forged one says nothing. */
function onceEachAccepted(fault: DisturbingWebhookFault) {
  return ({ webhooks, acceptedWebhooks }: ExamHistory) => {
    if (webhooks.length === 0) return NO_WEBHOOKS;
    return acceptedWebhooks.length === 0
      ? 'the receiver accepted no genuine webhook, so that a refusal would say nothing about signatures'
      : onceEach(fault, acceptedWebhooks);
  };
}

function onceEach(fault: DisturbingWebhookFault, types: readonly EventType[]): Disturbance {
  return { webhookFaults: types.map(eventType => ({ ...fault, eventType, times: 1 })) };
}

export const webhooks: readonly BenignMisbehaviour[] = [
  {
    id: 'webhook-fields-unknown',
    why: 'A service adds fields to its events, and writes JSON in its own way.',
    sound: 'Ignore fields that you do not know, and verify the signature over the raw bytes of the body.',
    disturb: always({ kind: 'unknown_fields' }),
  },
  {
    id: 'webhooks-reformatted',
    why: 'A service writes the JSON of its events with other white space.',
    sound:
      'Verify the signature over the raw bytes of the body, and not over JSON that was parsed and written again.',
    disturb: always({ kind: 'reformatted_body' }),
  },
  {
    id: 'webhook-type-unknown',
    why: 'A service adds event types.',
    sound: 'Acknowledge events of types that you do not know, and ignore them.',
    disturb: onceEachType({ kind: 'unknown_type', extra: true }),
  },
  {
    id: 'webhooks-twice',
    why: 'The response to a webhook is lost, so the service sends it again.',
    sound: 'Remember the ids of processed events; acknowledge a repeated one and do nothing.',
    disturb: always({ kind: 'duplicate' }),
  },
  {
    id: 'webhooks-repeated-later',
    why: 'The response to a webhook is lost, and when the service sends it again, a later one has arrived already.',
    sound:
      'Remember the ids of all processed events, not only of the last one; acknowledge a repeated one and do nothing.',
    disturb: ofSeveral(({ webhooks: types }) =>
      types.length === 0 ? NO_WEBHOOKS : { repeatsWebhooks: true },
    ),
  },
  {
    id: 'webhooks-reversed',
    why: 'Webhooks are sent in parallel and retried, so a later one may arrive first.',
    sound:
      'Do not rely on the order; read the current record, or compare timestamps, before you change state.',
    disturb: ofSeveral(inTime(always({ kind: 'reorder', delayMs: COLLECT_MS, whileRunning: true }))),
  },
  {
    id: 'webhooks-late',
    why: 'A queue of the service has a backlog of 2 seconds.',
    sound: 'Wait for a state with patience, or poll the API; do not take a missing webhook for a failure.',
    disturb: inTime(always({ kind: 'delay', delayMs: LATE_MS, whileRunning: true })),
  },
  {
    id: 'webhook-attempt-lost',
    why: 'The first attempt of a webhook does not get through, and the service retries it.',
    sound: 'Wait for the retry, or poll the API.',
    disturb: inTime(onceEachType({ kind: 'drop', whileRunning: true })),
  },
  {
    id: 'webhook-before-response',
    why: 'A webhook takes a shorter way than the response to the request that raised it.',
    sound:
      'Accept events about records that you have not stored yet, or refuse them so that they are retried.',
    disturb: ({ webhooks: types }) =>
      types.some(type => RAISED_BY_REQUESTS.includes(type))
        ? { webhookFaults: [{ kind: 'before_response' }] }
        : 'no receiver responded to a webhook about a request',
  },
];

/** Forged webhooks, sent besides the genuine ones. The receiver has to answer each with a 4xx. */
export const forgeries: readonly Misbehaviour[] = allForgeries
  .flatMap(({ misbehaviour }) => misbehaviour ?? [])
  .map(({ fault, id, why, sound }) => ({
    id,
    kind: 'forged',
    why,
    sound,
    disturb: onceEachAccepted({ kind: fault, extra: true }),
  }));
