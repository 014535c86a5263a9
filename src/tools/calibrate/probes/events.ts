import { UNRECORDED_TYPES } from '../../../client/generated/event-types.ts';
import type { Exchange } from '../../evidence.ts';
import { type Raised, raiseEvent } from '../lab/cards.ts';
import type { Lab } from '../lab/lab.ts';
import { findDecided } from '../lab/people.ts';
import { configure, dataOf, eventsAbout, payloadOf, UNREACHABLE } from '../lab/webhooks.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import {
  hasAll,
  hasExactly,
  isInvalid,
  isOk,
  itemsOf,
  type JsonObject,
  objectOf,
  textOf,
} from '../service/responses.ts';

const EVENTS = '/partner/webhooks/events';
const RAISED_TYPES = ['cardholder.created', 'card.issued'];
const EVENT = 'a new cardholder or card, which raises an event: --var shareTokens=…';
const DETAILS = ['id', 'eventType', 'status', 'attemptCount', 'payload', 'lastResponseBody', 'webhookUrl'];
const FIRST_RETRY_MS = 60_000;
const TOLERANCE_MS = 2_000;

/** Probes of delivery events, which need no receiver. */
export const eventProbes: readonly Probe[] = [
  {
    id: 'webhook-envelope',
    needs: 'read',
    takes: 'a delivery event',
    async probe(lab) {
      const { payload, exchanges } = await somePayload(lab);
      const isEnvelope = hasExactly(payload, ['id', 'eventType', 'createdAt', 'data']);
      const isRecord = Object.keys(payload).length > 0 && !('data' in payload);
      const seen = `the body of a webhook has the members ${Object.keys(payload).join(', ')}`;
      return isEnvelope || isRecord
        ? measurement(isEnvelope ? 'envelope' : 'data', seen, ...exchanges)
        : finding(false, seen, ...exchanges);
    },
  },
  {
    id: 'event-body',
    needs: 'read',
    takes: 'a delivery event',
    async probe(lab) {
      const { payload, exchanges } = await somePayload(lab);
      const isJson = Object.keys(payload).length > 0;
      return finding(isJson, `the body of a webhook is ${isJson ? '' : 'not '}a JSON object`, ...exchanges);
    },
  },
  {
    id: 'event-history',
    needs: 'read',
    takes: 'an approved KYC while cardholder.approved is subscribed to: --write',
    variables: ['shareTokens'],
    async probe(lab) {
      const lists = [];
      for (const eventType of UNRECORDED_TYPES) {
        const list = await lab.service.get(EVENTS, { eventType, limit: '1' });
        if (itemsOf(list).length > 0) return measurement('twelve', `${eventType} events are listed`, list);
        if (isInvalid(list)) return measurement('nine', `eventType=${eventType} gets a ${list.status}`, list);
        lists.push(list);
      }
      if (!lab.write) throw new Undecided(this.takes, ...lists);
      const { id, exchanges } = await findDecided(lab, 'approve');
      const [created] = exchanges;
      if (created === undefined) throw new Undecided(this.takes, ...lists);
      const since = textOf(created.body, 'createdAt');
      const about = (type: string) => eventsAbout(lab, type, id, since);
      const [known] = await about('cardholder.kyc.updated');
      if (known === undefined) throw new Undecided(this.takes, ...lists);
      const [approved] = await about('cardholder.approved');
      const seen = `after an approval cardholder.kyc.updated is listed, and cardholder.approved is ${approved === undefined ? 'not' : 'too'}`;
      return measurement(approved === undefined ? 'nine' : 'twelve', seen, known.exchange);
    },
  },
  {
    id: 'event-data',
    needs: 'write',
    takes: EVENT,
    variables: ['shareTokens'],
    async probe(lab) {
      const { raised, event, exchange } = await unsent(lab);
      const created = raised.exchange;
      const data = dataOf(payloadOf(lab, event));
      const read = objectOf(created.body);
      const other = Object.keys(read).filter(
        name => JSON.stringify(data[name]) !== JSON.stringify(read[name]),
      );
      const isSame = other.length === 0 && hasExactly(data, Object.keys(read));
      const seen = `the data of ${raised.eventType} is ${isSame ? 'the record' : `not the record${other.length > 0 ? `: ${other.join(', ')} differ` : ''}`}`;
      return finding(isSame, seen, created, exchange);
    },
  },
  {
    id: 'deliveries',
    needs: 'write',
    takes: EVENT,
    variables: ['shareTokens'],
    async probe(lab) {
      const { event, exchange } = await unsent(lab);
      await configure(lab, null, ['kyc_session.failed']);
      const quiet = await raiseEvent(lab);
      const found = await eventsOf(lab, quiet);
      const { status, attemptCount, webhookUrl } = event;
      const seen = `without a URL a delivery event is ${status} with ${attemptCount} attempts; without a subscription there ${found.length === 0 ? 'is none' : 'is one'}`;
      const isFailed = status === 'failed' && attemptCount === 0 && (webhookUrl ?? null) === null;
      return finding(isFailed && found.length === 0, seen, exchange, quiet.exchange);
    },
  },
  {
    id: 'manual-retry',
    needs: 'write',
    takes: EVENT,
    variables: ['shareTokens'],
    async probe(lab) {
      const { event } = await unsent(lab);
      if (event.status !== 'failed') throw new Undecided('a delivery event that has failed');
      const retried = await lab.service.post(`${EVENTS}/${textOf(event, 'id')}/retry`);
      const isRead = hasAll(retried.body, DETAILS);
      const seen = `a manual retry of a failed delivery event gets a ${retried.status} ${isRead ? 'with' : 'without'} the single-event read`;
      return finding(retried.status === 200 && isRead, seen, retried);
    },
  },
  {
    id: 'retry-schedule',
    needs: 'write',
    takes: 'a delivery that fails, and a first attempt in time',
    variables: ['shareTokens'],
    async probe(lab) {
      const configured = await configure(lab, UNREACHABLE, RAISED_TYPES);
      if (!isOk(configured)) throw new Undecided('a webhook URL that the service accepts', configured);
      const raised = await raiseEvent(lab);
      const created = raised.exchange;
      const failed = await lab.until(async () => {
        const [found] = await eventsOf(lab, raised);
        return Number(found?.event.attemptCount) >= 1 ? (found ?? null) : null;
      });
      await configure(lab, null);
      if (failed === null) throw new Undecided(this.takes, created);
      const { lastAttemptAt, nextRetryAt, attemptCount } = failed.event;
      const delay = Date.parse(String(nextRetryAt)) - Date.parse(String(lastAttemptAt));
      const seen = `after ${attemptCount} attempts the next retry is ${Number.isNaN(delay) ? 'not scheduled' : `due after ${delay / 1_000} s`}`;
      const holds = delay > 0 && (attemptCount !== 1 || delay <= FIRST_RETRY_MS + TOLERANCE_MS);
      return finding(holds, seen, created, failed.exchange);
    },
  },
];

/** Raises an event while events are subscribed to and no URL is set, and finds it. */
function unsent(lab: Lab) {
  return lab.once('unsent event', async () => {
    const configured = await configure(lab, null, RAISED_TYPES);
    if (!isOk(configured)) throw new Undecided('a webhook configuration without a URL', configured);
    const raised = await raiseEvent(lab);
    const found = await lab.until(async () => (await eventsOf(lab, raised))[0] ?? null);
    if (found === null) throw new Undecided(EVENT, raised.exchange);
    return { raised, ...found };
  });
}

function eventsOf(lab: Lab, { eventType, id, createdAt }: Raised) {
  return eventsAbout(lab, eventType, id, createdAt);
}

/** The payload of an event of the list, or else of one that a new cardholder raises. */
async function somePayload(lab: Lab): Promise<{
  readonly payload: JsonObject;
  readonly event: JsonObject;
  readonly exchanges: readonly Exchange[];
}> {
  const list = await lab.service.get(EVENTS, { limit: '1' });
  const id = textOf(itemsOf(list)[0], 'id');
  if (id !== '') {
    const exchange = await lab.service.get(`${EVENTS}/${id}`);
    const event = objectOf(exchange.body);
    return { event, payload: payloadOf(lab, event), exchanges: [exchange] };
  }
  if (!lab.write) throw new Undecided('a delivery event', list);
  const { event, exchange } = await unsent(lab);
  return { event, payload: payloadOf(lab, event), exchanges: [exchange] };
}
