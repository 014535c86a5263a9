import { EVENT_TYPES } from '../../../client/generated/event-types.ts';
import { openReceiver, type WebhookReceiver } from '../../../client/webhook-receiver.ts';
import type { Exchange } from '../../evidence.ts';
import { keepUndecided, Undecided } from '../probe.ts';
import { isOk, itemsOf, type JsonObject, messageOf, objectOf, textOf } from '../service/responses.ts';
import type { Lab } from './lab.ts';

const EVENTS = '/partner/webhooks/events';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The path of the webhook configuration. */
export const CONFIG = '/partner/webhooks/config';
/** A URL that nothing listens at. */
export const NOWHERE = 'https://card-sandbox-calibration.example.com/webhooks';
/** A URL whose host does not exist. */
export const UNREACHABLE = 'https://card-sandbox-calibration.invalid/webhooks';

/** Reads the configuration before the first change, and puts it back at the end. */
export function originalConfig(lab: Lab): Promise<Exchange> {
  return lab.once('config', async () => {
    const before = await lab.service.get(CONFIG);
    if (before.status !== 200) throw new Undecided('a webhook configuration', before);
    const { webhookUrl = null, webhookSecret, subscribedEvents = [] } = objectOf(before.body);
    lab.atEnd(async () => {
      const hasSecret = typeof webhookSecret === 'string';
      const body = { webhookUrl, subscribedEvents, ...(hasSecret && { webhookSecret }) };
      const restored = await lab.service.call({ method: 'PATCH', path: CONFIG, body }, true);
      if (!isOk(restored)) {
        throw new Error(`the webhook configuration could not be restored: ${messageOf(restored)}`);
      }
    });
    return before;
  });
}

/** Changes URL and event types, and the secret where there is a URL. Resolves with any response. */
export async function configure(
  lab: Lab,
  webhookUrl: string | null,
  subscribedEvents: readonly string[] = EVENT_TYPES,
): Promise<Exchange> {
  await originalConfig(lab);
  const secret = webhookUrl === null ? {} : { webhookSecret: lab.webhookSecret };
  return lab.service.patch(CONFIG, { webhookUrl, ...secret, subscribedEvents });
}

/** Opens a receiver that the service accepts. Rejects with Undecided when it accepts none. */
export function receiverOf(lab: Lab): Promise<WebhookReceiver> {
  return lab.once('receiver', async () => {
    const { webhookUrl, webhookPort = '0' } = lab.variables;
    const takes =
      'a webhook receiver that the service reaches: --var webhookUrl=https://… of a tunnel to --var webhookPort=…';
    if (webhookUrl === undefined && !LOOPBACK.test(new URL(lab.service.baseUrl).hostname)) {
      throw new Undecided(takes);
    }
    const receiver = await openReceiver({
      port: Number(webhookPort),
      url: webhookUrl,
      secret: lab.webhookSecret,
      headerName: header => lab.service.headerName(header),
    });
    receiver.respond(() => 204);
    lab.atEnd(async () => receiver.close());
    const configured = await configure(lab, receiver.url);
    if (!isOk(configured)) throw new Undecided(`${takes} (${messageOf(configured)})`, configured);
    return receiver;
  });
}

/** Subscribes to all event types, at the receiver if there is one, and otherwise without a URL. */
export async function subscribe(lab: Lab): Promise<void> {
  const receiver = await receiverOf(lab).catch(keepUndecided);
  await configure(lab, receiver instanceof Undecided ? null : receiver.url);
}

/** Finds the delivery events whose payload contains a text, of those since a time. */
export async function eventsAbout(
  lab: Lab,
  eventType: string,
  text: string,
  from: string,
): Promise<readonly { readonly event: JsonObject; readonly exchange: Exchange }[]> {
  const list = await lab.service.get(EVENTS, { eventType, from, limit: '100' });
  const found = [];
  for (const item of itemsOf(list)) {
    const exchange = await lab.service.get(`${EVENTS}/${textOf(item, 'id')}`);
    if (textOf(exchange.body, 'payload').includes(text)) {
      found.push({ event: objectOf(exchange.body), exchange });
    }
  }
  return found;
}

/** Returns the body of the webhook of an event, with the neutral names; an empty object for anything but a JSON object. */
export function payloadOf({ service }: Lab, event: unknown): JsonObject {
  try {
    return objectOf(service.neutral(JSON.parse(textOf(event, 'payload'))));
  } catch {
    return {};
  }
}

/** Returns the record in the body of a webhook, with or without an envelope. */
export function dataOf(payload: JsonObject): JsonObject {
  return 'data' in payload ? objectOf(payload.data) : payload;
}
