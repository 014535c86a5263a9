import type { Operation } from '../../core/operation/operation.ts';
import type { RealTime } from '../../core/time/realtime.ts';
import type { Transport } from '../../core/world/transport.ts';
import { operations } from '../../sandbox/operations.ts';
import { API_PREFIX, CONTROL_PREFIX, createSandboxCore, type SandboxCore } from '../../sandbox/sandbox.ts';
import { EARLIER, VALID_INPUTS, type ValidInput, validInputs } from '../../sandbox/valid-inputs.ts';
import { EVENT_TYPES, type EventType } from '../../service/webhooks/event-types.ts';

const ORIGIN = 'http://127.0.0.1:4242';
const START = '2026-03-15T10:00:00.000Z';
const SEED = 20260315;

/** Wall time that does not pass, so that rate limits and latencies are the same in every run. */
const FROZEN_TIME: RealTime = {
  now: () => Date.parse(START),
  elapsed: () => 0,
  after: () => () => undefined,
};

const UNAVAILABLE: Transport = {
  send: ({ url }) =>
    Promise.resolve({ url, status: 503, body: 'try again later', cause: 'answered 503', durationMs: 12 }),
  close: () => undefined,
};

/** Replacements for tokens, passcodes and signatures, which no example shows. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/("token":")[^"]+/g, '$1<SHARE_TOKEN>'],
  [/("otp":")\d+/g, '$1***'],
  [/\/reveal\/[\w.-]+/g, '/reveal/TOKEN'],
  [/signature=[\w-]+/g, 'signature=SIGNATURE'],
  [/v1=[0-9a-f]{64}/g, 'v1=<HMAC>'],
];

/** A request to an operation. Without a summary it is no example. */
export interface ExampleRequest extends Partial<ValidInput> {
  readonly operation: Operation;
  readonly isAnonymous?: true;
}

type Send = (request: ExampleRequest) => Promise<unknown>;

const [CREATED, , , REIMPORTED] = VALID_INPUTS['cardholders.create'];

/** Requests that are refused after the valid ones, with the ids of their operations. */
const REFUSED: readonly (readonly [id: string, request: Omit<ExampleRequest, 'operation'>])[] = [
  ['cards.list', { summary: 'A limit out of range', query: { limit: '101' } }],
  ['cards.list', { summary: 'No API key', isAnonymous: true }],
  ['cardholders.get', { summary: 'An unknown id', params: { id: 'ch_unknown' } }],
  [
    'cardholders.create',
    { summary: 'The e-mail address is taken', body: { ...CREATED.body, externalUserId: 'user-1004' } },
  ],
  [
    'cardholders.create',
    {
      summary: 'The identity was already submitted to the card provider',
      body: { ...REIMPORTED.body, idp1ShareToken: 'idp1_test_approve_late' },
    },
  ],
  ['partners.updateSettings', { params: { id: 'partner_acme' }, body: { rateLimitPerMinute: 1 } }],
  ['cards.list', { summary: 'Over the rate limit' }],
];

/**
 * Sends all valid inputs in their order, and then what is refused, to a new sandbox with the fixture `starter`. Resolves
 * with the ids that the sandbox made, by the ids of `EARLIER` that stand for them.
 */
export async function sendExampleRequests(send: Send): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>();
  for (const id of Object.keys(VALID_INPUTS)) {
    for (const { params = {}, ...input } of validInputs(id)) {
      const sent = Object.entries(params).map(([name, value]) => [name, made.get(value) ?? value]);
      const body = await send({ ...input, operation: operationOf(id), params: Object.fromEntries(sent) });
      // The operations declare these bodies.
      if (id === 'threeDSecure.start') made.set(EARLIER.challenge, (body as Challenge).challengeId);
      if (id === 'webhooks.listEvents') made.set(EARLIER.delivery, (body as Events).data[0]?.id ?? '');
    }
  }
  for (const [id, request] of REFUSED) await send({ ...request, operation: operationOf(id) });
  return made;
}

interface Challenge {
  readonly challengeId: string;
}

interface Events {
  readonly data: readonly { readonly id: string }[];
}

interface Delivery {
  readonly eventType: EventType;
  readonly payload: string;
}

/** Resolves with the responses to the examples and a payload of each event type. */
export async function responseExamples(): Promise<unknown> {
  const sandbox = createSandboxCore(
    { clock: START, freeze: true, retrySpeed: 60, seed: SEED },
    { realTime: FROZEN_TIME, transport: UNAVAILABLE },
  );
  sandbox.serveAt({ origin: ORIGIN, host: '127.0.0.1', ownNames: [], controlToken: '' });
  const responses: object[] = [];
  const send = async (request: ExampleRequest) => {
    const { status, body } = await respond(sandbox, request);
    const { operation, summary } = request;
    if (summary !== undefined) responses.push({ operation: operation.id, summary, status, body });
    return body;
  };
  const made = await sendExampleRequests(send);
  for (const eventType of EVENT_TYPES)
    await send({ operation: operationOf('events.raise'), body: { eventType } });
  // The operation declares this body.
  const deliveries = (await send({ operation: operationOf('deliveries.list') })) as readonly Delivery[];
  const payloads = EVENT_TYPES.map(type => {
    const delivery = deliveries.find(({ eventType }) => eventType === type);
    if (delivery === undefined) throw new Error(`the run has no delivery of ${type}`);
    return [type, JSON.parse(delivery.payload)];
  });
  sandbox.stop();
  const text = (value: unknown) =>
    [...made].reduce((all, [shown, id]) => all.replaceAll(id, shown), mask(JSON.stringify(value)));
  return JSON.parse(text({ responses, payloads: Object.fromEntries(payloads) }));
}

async function respond(
  sandbox: SandboxCore,
  { operation, params, query, body, isAnonymous }: ExampleRequest,
) {
  const { plane, method, path } = operation;
  const prefix = plane === 'partner' ? API_PREFIX : CONTROL_PREFIX;
  const request = {
    method,
    path: prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? ''),
    query: new URLSearchParams(query).toString(),
    headers: {
      host: new URL(ORIGIN).host,
      'content-type': 'application/json',
      'x-service-api-key': isAnonymous ? undefined : sandbox.partners()[0]?.apiKey,
    },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  };
  const response = await (plane === 'partner' ? sandbox.handle(request) : sandbox.control(request));
  return { status: response.status, body: response.body === '' ? null : JSON.parse(response.body) };
}

function operationOf(id: string): Operation {
  const operation = operations.find(each => each.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation;
}

function mask(text: string): string {
  return MASKS.reduce((shown, [pattern, mask]) => shown.replace(pattern, mask), text);
}
