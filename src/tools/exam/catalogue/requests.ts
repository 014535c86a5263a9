import { REIMPORT } from '../../../core/values/reimport.ts';
import type { DisturbingFault } from '../../../sandbox/disturbance/plan.ts';
import {
  type BenignMisbehaviour,
  disturbCalls,
  type ExamOperation,
  type Misbehaviour,
} from '../misbehaviour.ts';

const LATE_MS = 2_000;
/**
 * An outage: wall time, and calls that it lasts for at most. Shorter than any real one, because tests may have clients with
 * short pauses or with few retries.
 */
const OUTAGE_MS = 300;
const OUTAGE_CALLS = 3;
const RETRY_AFTER_S = 1;

const BEFORE = 'Retry with a pause. A request that failed may or may not have been applied, so retry safely.';
const AFTER = 'Look up what the request did before you repeat a write, because it may have been applied.';

/** How each writing operation is repeated safely when the app cannot know whether a request was applied. */
const SAFE_REPEATS: Readonly<Record<string, string>> = {
  'cardholders.create':
    'Look for a cardholder with your externalUserId, and create one only if there is none.',
  [REIMPORT]:
    'Read the cardholder; if it does not show the corrected data, submit again with a new share token, because an accepted re-import has used up the one before.',
  'cardholders.initiateKyc':
    'Look for a usage record of type kyc_verification with the cardholder as referenceId, and submit the KYC only if there is none; the cardholder itself does not show it.',
  'kycSessions.create':
    'Create another session, and use the one whose response arrived; a session cannot be looked up without its id, and one that nobody opens expires.',
  'cards.issue': 'List the cards of the cardholder, and issue one only if it is not among them.',
  'cards.activate': 'Read the card, and activate it only if its status is still created.',
  'cards.freeze': 'Read the card, and freeze it only if its status is still active.',
  'cards.unfreeze': 'Read the card, and unfreeze it only if its status is still frozen.',
  'cards.cancel': 'Read the card, and cancel it only if its status is not cancelled.',
  'cards.reveal': 'Request another link; one that nobody opens expires.',
  'webhooks.updateConfig': 'Send the same configuration again; setting it twice changes nothing.',
  'webhooks.retryEvent': 'Read the event, and request the retry again only if its status is not delivered.',
};

export function safeRepeatOf(operation: string): string {
  return SAFE_REPEATS[operation] ?? AFTER;
}

/** Returns what disturbs each operation that was called, from its first call on. */
function eachOperation(fault: DisturbingFault): Misbehaviour['disturb'] {
  return disturbCalls(called => ({ faults: called.map(({ id }) => ({ operations: [id], ...fault })) }));
}

/** Returns what disturbs reads from the first one on, and each kind of write from its first one on. */
function eachMethod(fault: DisturbingFault): Misbehaviour['disturb'] {
  return disturbCalls(called => {
    const methods = [...new Set(called.map(({ method }) => method))];
    return { faults: methods.map(method => ({ method, ...fault })) };
  });
}

function onceEach(effect: DisturbingFault): Misbehaviour['disturb'] {
  return eachOperation({ ...effect, times: 1 });
}

export const failedRequests: readonly BenignMisbehaviour[] = [
  {
    id: 'error-500-before',
    why: 'A bug or an overload makes the service fail before it applies a request.',
    sound: BEFORE,
    disturb: onceEach({ status: 500 }),
  },
  {
    id: 'error-500-after',
    why: 'The service fails after it has applied a request.',
    sound: AFTER,
    disturb: onceEach({ status: 500, when: 'after' }),
  },
  {
    id: 'error-503-before',
    why: 'A gateway returns 503 while the service is deployed.',
    sound: BEFORE,
    disturb: onceEach({ status: 503 }),
  },
  {
    id: 'error-503-after',
    why: 'A gateway gives up on a request that the service still applies.',
    sound: AFTER,
    disturb: onceEach({ status: 503, when: 'after' }),
  },
  {
    id: 'error-503-lasting',
    why: `A failover takes the service away for ${OUTAGE_MS} milliseconds: up to ${OUTAGE_CALLS} calls in a row fail.`,
    sound: 'Repeat requests with pauses that grow, for some seconds altogether.',
    disturb: eachOperation({ status: 503, times: OUTAGE_CALLS, lastsMs: OUTAGE_MS }),
  },
  {
    id: 'rate-limited',
    why: 'Other processes with the same API key have used up the requests of this minute.',
    sound: 'Wait as many seconds as Retry-After says, and send the request again.',
    disturb: onceEach({ status: 429, retryAfter: RETRY_AFTER_S }),
  },
  {
    id: 'rate-limited-lasting',
    why: 'The requests of this minute are used up, so every request is refused until the seconds of Retry-After are over.',
    sound: 'Wait as many seconds as Retry-After says before the next request.',
    disturb: eachMethod({ status: 429, retryAfter: RETRY_AFTER_S, lastsMs: RETRY_AFTER_S * 1_000 }),
  },
  {
    id: 'responses-late',
    why: 'A service under load, or a slow network, takes 2 seconds for a response.',
    sound:
      'Wait at least 10 seconds for a response before you give up, and let a test take as long for several calls.',
    disturb: onceEach({ delayMs: LATE_MS }),
  },
  {
    id: 'response-fields-unknown',
    why: 'A service adds fields to its responses without a new version.',
    sound: 'Ignore fields that you do not know; do not validate responses with schemas that refuse them.',
    disturb: disturbCalls(() => ({ faults: [{ unknownFields: true, ridesAlong: true }] })),
  },
  {
    id: 'responses-in-pieces',
    why: 'A network passes a response on in pieces, which end anywhere, within a character too.',
    sound: 'Collect the bytes of a response, and decode them when all are there.',
    disturb: disturbCalls(() => ({ faults: [{ inPieces: true, ridesAlong: true }] })),
  },
];

export function requestOf({ id, method, path }: ExamOperation): string {
  return `${method} ${path}${id === REIMPORT ? ' (re-import)' : ''}`;
}

export function lostConnections({ id, method, path }: ExamOperation): BenignMisbehaviour[] {
  const lost = (when: 'before' | 'after'): Misbehaviour['disturb'] => {
    return ({ called, usesLibrary }) =>
      called.some(each => each.id === id)
        ? { faults: [{ operations: [id], drop: true, when, times: 1 }] }
        : `${requestOf({ id, method, path })} was not called${usesLibrary ? ' by the app, for which sandbox.api does not count' : ''}`;
  };
  const sound = `A lost connection does not say whether the request was applied. ${safeRepeatOf(id)}`;
  return [
    {
      id: `connection-lost-before.${id}`,
      why: 'A load balancer or a deployment closes a connection before the request reaches the service.',
      sound,
      disturb: lost('before'),
    },
    {
      id: `connection-lost-after.${id}`,
      why: 'The network fails after the service has applied the request, so its response is lost.',
      sound,
      disturb: lost('after'),
    },
  ];
}
