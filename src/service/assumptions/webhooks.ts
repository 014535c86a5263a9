import type { Assumption } from '../../core/world/world.ts';
import { UNRECORDED_TYPES } from '../webhooks/event-types.ts';

export const webhookAssumptions = [
  {
    id: 'webhook-config',
    section: '4.8',
    decision:
      'Until it is set, no event type is subscribed to; every event type can be. A URL needs a secret, stored or in the same request, and must not contain credentials; http:// URLs need --allow-http-webhooks. A change returns the whole configuration. See docs/webhooks.md#webhook-configuration.',
  },
  {
    id: 'patch-config',
    section: '4.8',
    decision:
      'A change of the webhook configuration keeps the fields that it omits. With replace, a field that the request of the API omits is no longer set; the control plane still keeps it.',
    setting: { type: 'choice', choices: ['merge', 'replace'], default: 'merge' },
  },
  {
    id: 'unset-config',
    section: '4.7',
    decision: 'Until they are set, webhookUrl and webhookSecret are null. With omitted, they are left out.',
    setting: { type: 'choice', choices: ['null', 'omitted'], default: 'null' },
  },
  {
    id: 'webhook-config-origin',
    section: '5.2',
    decision:
      "A change of the webhook configuration is a 400 if its Origin header is neither local (loopback, localhost, *.localhost, *.test, or the sandbox's own) nor one of the partner's allowed origins.",
  },
  {
    id: 'event-data',
    section: '6',
    decision:
      'The data of an event is the record as its read operation returns it at that moment. The event is raised after that state is readable.',
  },
  {
    id: 'event-body',
    section: '6.2',
    decision:
      'The body of a webhook is JSON. The bytes are fixed when the event is raised. Every attempt sends the same bytes, signed with the secret and the wall time of that attempt.',
  },
  {
    id: 'webhook-envelope',
    section: '6.2',
    decision:
      'The body of a webhook is {id, eventType, createdAt, data}, where id is the id of the delivery event. With data, it is the data of the event alone; its type is in the header.',
    setting: { type: 'choice', choices: ['envelope', 'data'], default: 'envelope' },
  },
  {
    id: 'signature-timestamp',
    section: '6.2',
    decision:
      'The timestamp of a signature is wall time in whole seconds since 1970, and one less in a request that repeats an accepted one within the second. With milliseconds, it is in those. In process it is the time that the program sees, faked dates included.',
    setting: { type: 'choice', choices: ['seconds', 'milliseconds'], default: 'seconds' },
  },
  {
    id: 'deliveries',
    section: '2.5',
    decision:
      'An event of a type that is not subscribed to creates no delivery event. If there is a subscription but no URL, the delivery event is failed with 0 attempts. Each attempt uses the URL that is configured at that moment; if the URL has been cleared, the attempt counts as failed.',
  },
  {
    id: 'kept-deliveries',
    section: '2.5',
    decision:
      'The last 10,000 delivered or failed delivery events are kept. When another one completes, the one that completed first is deleted. Pending ones are never deleted.',
  },
  {
    id: 'unrecorded-events',
    section: '6.1',
    decision: `Events of the types ${UNRECORDED_TYPES.join(', ')} are delivered, signed and retried like the others. The control plane lists their delivery events.`,
  },
  {
    id: 'event-history',
    section: '6.1',
    decision:
      'The API lists and retries only the delivery events of the types that the interface names for them. With twelve, it does so for all types.',
    setting: { type: 'choice', choices: ['nine', 'twelve'], default: 'nine' },
  },
  {
    id: 'delivery-attempts',
    section: '6.4',
    decision:
      'An attempt is a POST; a redirect is not followed and counts as a failure, and attempts for one delivery event never overlap. The status decides once it is read, whatever is wrong with the rest of a response that ends in time. At most 64 KiB of its body are kept; a timeout or a failed connection has no response status.',
  },
  {
    id: 'webhook-timeout',
    section: '6.4',
    decision:
      'An attempt that has no complete response after 10 s of wall time, or after the duration that the setting says, has failed; connecting takes at most 10 s of it.',
    setting: { type: 'duration', default: '10s' },
  },
  {
    id: 'retry-schedule',
    section: '6.4',
    decision:
      'The published delays between attempts are divided by --retry-speed (default 1 for a clock that starts frozen, otherwise 60). They are measured on the sandbox clock from the start of the previous attempt. nextRetryAt is the resulting time, and null before the first attempt.',
  },
  {
    id: 'manual-retry',
    section: '4.11',
    decision:
      'Only a failed delivery event can be retried manually; otherwise it is a 400. It becomes pending and is attempted once, immediately; it is then delivered, or failed again without automatic retries. The response is that of the single read.',
  },
  {
    id: 'webhook-faults',
    section: '6',
    decision:
      'A webhook fault applies to the next deliveries of its event type: as many as times says, or all of them until the fault is deleted. It holds the first attempt back, drops or repeats an attempt, or changes what is sent. Checkpoints and state documents keep webhook faults and the deliveries that they hold back. See docs/webhooks.md#webhook-faults.',
  },
  {
    id: 'forwarding',
    section: '6',
    decision:
      'PUT forwarding replaces what --forward-to, --map and --allow-http-webhooks say for one world; members that are left out, and all of them after DELETE, are as the world was started. It applies from the next attempt on, and stays in force across resets, restores, rewinds and loaded states until it is changed. A world that is copied starts with the forwarding of its source, any other with that of the start of the server. See docs/webhooks.md#forwarding-in-a-running-sandbox.',
  },
  {
    id: 'redelivery',
    section: '6',
    decision:
      'A redelivery sends a delivery of any status once more, immediately, with the same id and body, signed again. The attempt is marked redelivery and counts in attemptCount, but not in the retry schedule. Only a failed delivery changes its status: it is delivered after a 2xx response. See docs/webhooks.md#redelivery.',
  },
  {
    id: 'triggered-events',
    section: '6',
    decision:
      'The control plane raises an event of any type about the specified record, by default the newest record of the right kind; data replaces fields of the event data. If the partner has none, it makes one, which the API returns; making it bills fees and raises no other event. The event describes current data and changes no existing record. See docs/webhooks.md#trigger-events.',
  },
  {
    id: 'waiting',
    section: '6',
    decision:
      'wait returns the oldest delivery that matches, including past ones; with after it ignores earlier ones. It returns a 408 when its timeout, in wall time, expires, 2 s by default; the message names the nearest deliveries with the members that differ. settle returns when no attempt is in flight or due. See docs/control-plane.md#waiting.',
  },
] as const satisfies readonly Assumption[];
