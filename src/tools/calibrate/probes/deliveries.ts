import type { Incoming, Respond } from '../../../client/webhook-receiver.ts';
import { raiseEvent } from '../lab/cards.ts';
import type { Lab } from '../lab/lab.ts';
import { decideKyc } from '../lab/people.ts';
import { configure, eventsAbout, receiverOf } from '../lab/webhooks.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';

const RECEIVER = 'a webhook receiver that the service reaches: --var webhookUrl=…';
const VARIABLES = ['webhookUrl', 'webhookPort', 'shareTokens'] as const;
const RAISED_TYPES = ['cardholder.created', 'card.issued'];
const MAX_TIMEOUT_MS = 60_000;

/** Probes that receive webhooks. */
export const deliveryProbes: readonly Probe[] = [
  {
    id: 'signature-timestamp',
    needs: 'write',
    takes: RECEIVER,
    variables: VARIABLES,
    async probe(lab) {
      const { arrived, created } = await receiveWebhook(lab, () => 204);
      const [, digits = ''] = /^t=(\d+),/.exec(arrived.headers['X-Service-Signature'] ?? '') ?? [];
      if (digits === '') throw new Undecided('a signature header with a timestamp', created);
      const unit = digits.length >= 13 ? 'milliseconds' : 'seconds';
      return measurement(
        unit,
        `the timestamp of the signature has ${digits.length} digits: ${unit}`,
        created,
      );
    },
  },
  {
    id: 'unrecorded-events',
    needs: 'write',
    takes: `${RECEIVER}, and a KYC that is approved in time`,
    variables: VARIABLES,
    async probe(lab) {
      const receiver = await receiverOf(lab);
      const { id, exchanges } = await decideKyc(lab, 'approve');
      const arrived = await lab.until(
        async () =>
          receiver.arrivals.find(
            ({ eventType, text }) => eventType === 'cardholder.approved' && text.includes(id),
          ) ?? null,
      );
      const seen = `cardholder.approved ${arrived === null ? 'does not arrive' : 'arrives'}`;
      return finding(arrived !== null, seen, ...exchanges);
    },
  },
  {
    id: 'delivery-attempts',
    needs: 'write',
    takes: RECEIVER,
    variables: VARIABLES,
    async probe(lab) {
      const receiver = await receiverOf(lab);
      const { arrived, created, raised } = await receiveWebhook(lab, (_webhook, response) => {
        response.setHeader('location', '/elsewhere');
        return 302;
      });
      const failed = await lab.until(async () => {
        const [found] = await eventsAbout(lab, raised.eventType, raised.id, raised.createdAt);
        return Number(found?.event.attemptCount) >= 1 ? (found ?? null) : null;
      });
      receiver.respond(() => 204);
      if (failed === null) throw new Undecided(this.takes, created);
      const { lastResponseStatus } = failed.event;
      const seen = `a redirect counts with the status ${lastResponseStatus}; the content type is ${arrived.contentType}`;
      const holds = lastResponseStatus === 302 && arrived.contentType.startsWith('application/json');
      return finding(holds, seen, created, failed.exchange);
    },
  },
  {
    id: 'webhook-timeout',
    needs: 'write',
    takes: `${RECEIVER} that does not respond`,
    variables: VARIABLES,
    async probe(lab) {
      const receiver = await receiverOf(lab);
      let ms: number | null = null;
      const { created } = await receiveWebhook(lab, (_webhook, response) => {
        const since = lab.time.now();
        response.once('close', () => {
          ms = lab.time.now() - since;
        });
        return null;
      });
      receiver.respond(() => 204);
      const heldFor = await lab.until(async () => ms, MAX_TIMEOUT_MS);
      if (heldFor === null) throw new Undecided('a service that gives up within 60 s', created);
      const value = roundDuration(heldFor);
      return measurement(value, `an attempt without a response is given up after about ${value}`, created);
    },
  },
];

/** Raises an event and resolves with its first webhook, which gets the response of `respond`. */
async function receiveWebhook(lab: Lab, respond: Respond) {
  const receiver = await receiverOf(lab);
  await configure(lab, receiver.url);
  let isFirst = true;
  receiver.respond((webhook, response) => {
    if (!isFirst || !RAISED_TYPES.includes(webhook.eventType ?? '')) return 204;
    isFirst = false;
    return respond(webhook, response);
  });
  const raised = await raiseEvent(lab);
  const about = ({ eventType, text }: Incoming) => eventType === raised.eventType && text.includes(raised.id);
  const arrived = await lab.until(async () => receiver.arrivals.find(about) ?? null);
  if (arrived === null) throw new Undecided(RECEIVER, raised.exchange);
  return { arrived, created: raised.exchange, raised };
}

/** A measured duration: whole seconds, or tenths of one below a second and a half. */
function roundDuration(ms: number): string {
  return ms < 1_450 && Math.abs(ms - 1_000) > 150
    ? `${Math.round(ms / 100) * 100}ms`
    : `${Math.round(ms / 1_000)}s`;
}
