import { WEBHOOK_FAULT_KINDS } from '../../../src/service/webhooks/fault-kinds.ts';
import { ALL_TYPES } from '../../support/receiver.ts';
import type { Json } from '../../support/sandbox.ts';

/** A request, and two numbers that select among the records, names and values that there are. */
export interface Call {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
}

/** A request as it is sent to one of the planes or pages of a sandbox. */
export interface Sent {
  readonly plane: 'api' | 'control' | 'page';
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** The body as it is sent, instead of JSON. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the responses of a world have shown so far. */
export class Known {
  readonly #ids = new Map<string, string[]>();
  /** Keys of the world, of an earlier one, and of none. */
  readonly keys: string[] = [];
  /** State documents. */
  readonly states: Json[] = [];

  /** Takes note of the ids in a response. */
  learn(text: string): void {
    const found = text.matchAll(/"((ch|card|txn|evt|kycs|tds|flt|wflt|ent|req|partner)_\w+|sk_test_\w+)"/g);
    for (const [, id = '', prefix] of found) {
      const list = prefix === undefined ? this.keys : this.#listOf(prefix);
      if (!list.includes(id)) list.push(id);
    }
  }

  /** An id with a prefix: one of those that are known, mostly the newest, or one that does not exist. */
  id(prefix: string, number: number): string {
    const list = this.#listOf(prefix);
    if (number % 16 === 15) return `${prefix}_none`;
    return list[Math.max(0, list.length - 1 - (number % 6))] ?? `${prefix}_none`;
  }

  key(number: number): string {
    if (number % 16 === 15) return 'sk_test_of_no_world_0000';
    if (number % 16 === 14) return 'sk_live_0123456789abcdef';
    // Mostly the keys of the first partner.
    return this.keys[number % 4 === 3 ? number % this.keys.length : 0] ?? '';
  }

  #listOf(prefix: string): string[] {
    const list = this.#ids.get(prefix) ?? [];
    this.#ids.set(prefix, list);
    return list;
  }
}

const api = (method: string, path: string, more: Partial<Sent> = {}): Sent => ({
  plane: 'api',
  method,
  path: `/v1${path}`,
  ...more,
});
const control = (method: string, path: string, body?: Json): Sent => ({
  plane: 'control',
  method,
  path,
  body,
});
const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

const AMOUNTS = [1, 12.5, 99.99, 500, 2_000, 100_000, 0.001, -1];
const DURATIONS = ['1ms', '500ms', '2s', '61s', '30m', '3h', '25h', '9d', 'soon'];
const DECISIONS = ['approve', 'reject'];
const MOVES = ['activate', 'activate', 'freeze', 'unfreeze', 'cancel'];
const NAMES = ['one', 'two', 'before-rewind', 'a%20name', 'none'];
const LISTS = [
  '/partner/cards?limit=3',
  '/partner/cards?status=active&page=2&limit=1',
  '/partner/cardholders?kycStatus=approved',
  '/partner/usage/records?type=card_issuance&limit=101',
  '/partner/webhooks/events?status=failed',
  '/partner/webhooks/events?limit=100',
  '/partner/transactions?unknown=1',
  '/partner/card-programs',
  '/partner/balance',
  '/partner/webhooks/config',
  '/partner/cards/thaw',
  '/v1/partner/balance',
];
const API_FAULTS: readonly Json[] = [
  { drop: true, times: 1 },
  { drop: true, when: 'after', times: 2 },
  { delayMs: 3, times: 2, after: 1 },
  { delayMs: 2, when: 'after', status: 500 },
  { status: 503, retryAfter: 7, times: 1 },
  { status: 500, when: 'after', times: 1, method: 'POST' },
  { status: 429, times: 1, path: '/partner/cardholders' },
  { body: { broken: true }, status: 200, times: 1 },
  { body: 'not JSON', when: 'after', times: 1 },
  { unknownFields: true, times: 3 },
  { inPieces: true, times: 2 },
  { unknownStatusOf: 'card_mia_active' },
  { status: 500, from: '2026-03-15T10:00:00Z', until: '2026-03-16T10:00:00Z' },
  { status: 500, partnerId: 'partner_globex' },
  { status: 42 },
];
const HEADER_FAULTS = [
  'status=503; delay=2ms',
  'drop',
  'status=429; retry-after=7',
  'when=after; drop',
  'none',
];
const UNKNOWN_CALLS = [
  ['PATCH', '/worlds'],
  ['POST', '/worlds/main/reset/now'],
  ['PUT', '/stop'],
  ['DELETE', '/stories'],
  ['POST', '/history'],
  ['DELETE', '/history/export'],
  ['PUT', '/wait'],
  ['POST', '/clock'],
  ['DELETE', '/health'],
  ['POST', ''],
] as const;

/** Each kind of request, with how often it is made. */
export const REQUESTS: Readonly<Record<string, readonly [number, (known: Known, call: Call) => Sent]>> = {
  create: [
    8,
    (_, { a, b }) => {
      const source = pick(['idp1', 'idp1', 'idp2', 'web', 'api'], b);
      return api('POST', '/partner/cardholders', {
        body: {
          externalUserId: `user-${a % 4}`,
          email: b % 11 === 10 ? 'no address' : `person${a % 5}@example.org`,
          phoneNumber: '+4915123456789',
          kycSource: source,
          [`${source}ShareToken`]: `${source}_test_${pick(['approve', 'reject', 'manual'], a)}_${b}`,
          kycSessionId: 'kycs_noor_approved',
          residenceCity: 'Köln',
        },
      });
    },
  ],
  list: [4, (_, { a, b }) => api(b % 9 === 8 ? 'HEAD' : 'GET', pick(LISTS, a))],
  read: [
    4,
    (known, { a, b }) => {
      const [path, prefix] = pick(
        [
          ['cardholders', 'ch'],
          ['cards', 'card'],
          ['transactions', 'txn'],
          ['webhooks/events', 'evt'],
        ] as const,
        a,
      );
      return api('GET', `/partner/${path}/${known.id(prefix, b)}`);
    },
  ],
  preflight: [
    1,
    (_, { a }) => api('OPTIONS', pick(LISTS, a), { headers: { origin: 'https://app.example' } }),
  ],
  submit: [
    4,
    (known, { a }) =>
      api('POST', `/partner/cardholders/${known.id('ch', a)}/kyc`, {
        body: { cardProgramId: 'prog_everyday' },
      }),
  ],
  issue: [
    3,
    (known, { a, b }) =>
      api('POST', '/partner/cards', {
        body: { cardholderId: known.id('ch', a), cardProgramId: 'prog_everyday', limit: pick(AMOUNTS, b) },
      }),
  ],
  move: [4, (known, { a, b }) => api('POST', `/partner/cards/${known.id('card', a)}/${pick(MOVES, b)}`)],
  reveal: [
    1,
    (known, { a }) => api('POST', `/partner/cards/${known.id('card', a)}/reveal-html`, { body: {} }),
  ],
  session: [2, (_, { a }) => api('POST', '/partner/kyc-sessions', { body: { externalUserId: `user-${a}` } })],
  configure: [
    3,
    (_, { a, b }) =>
      api('PATCH', '/partner/webhooks/config', {
        body: {
          webhookUrl: pick(['https://hooks.example/a', 'https://hooks.example/b', null, 'http://plain'], b),
          webhookSecret: 'whsec_0123456789abcdef',
          subscribedEvents: ALL_TYPES.slice(a % 3),
        },
      }),
  ],
  retry: [3, (known, { a }) => api('POST', `/partner/webhooks/events/${known.id('evt', a)}/retry`)],
  malformed: [
    2,
    (_, { a }) =>
      api('POST', '/partner/cardholders', {
        raw: pick<string | Uint8Array>(
          [
            '{"a":',
            '',
            '[]',
            '\u{feff}{}',
            new Uint8Array([0xff, 0xfe, 0x7b]),
            'x'.repeat(1_050_000),
            '{"__proto__":{}}',
          ],
          a,
        ),
      }),
  ],
  faulty: [
    2,
    (_, { a, b }) =>
      api('POST', '/partner/kyc-sessions', {
        body: { externalUserId: `user-${b}` },
        headers: { 'x-sandbox-fault': pick(HEADER_FAULTS, a) },
      }),
  ],
  page: [
    2,
    (known, { a, b }) => ({
      plane: 'page',
      method: b % 3 === 0 ? 'GET' : 'POST',
      path: `/kyc/${known.id('kycs', a)}`,
      raw:
        b % 3 === 0
          ? ''
          : `decision=${pick([...DECISIONS, 'wait'], b)}&firstName=Zo%C3%AB&lastName=Test&reason=underage`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  ],

  partner: [
    1,
    (_, { a }) => control('POST', '/partners', { fixture: pick(['empty', 'starter', 'none'], a) }),
  ],
  settings: [
    2,
    (known, { a, b }) =>
      control(
        'PATCH',
        `/partners/${known.id('partner', a)}/settings`,
        pick<Json>(
          [
            { lowThreshold: 100_000, alertThreshold: 90_000 },
            { rateLimitPerMinute: 2 },
            { rateLimitPerMinute: 0 },
            { ipAllowList: ['203.0.113.7'] },
            { ipAllowList: [] },
            { allowedOrigins: ['https://app.example'] },
            { ipAllowList: ['10.0.0.1'] },
          ],
          b,
        ),
      ),
  ],
  rotate: [
    2,
    (known, { a, b }) =>
      control('POST', `/partners/${known.id('partner', a)}/keys/rotate`, {
        gracePeriod: pick(['1ms', '1h', '24h'], b),
      }),
  ],
  token: [
    1,
    (_, { a }) =>
      control('POST', '/share-tokens', {
        outcome: pick(['approve', 'reject', 'manual'], a),
        expiresIn: '1h',
      }),
  ],
  decideSession: [
    2,
    (known, { a, b }) => control('POST', `/kyc-sessions/${known.id('kycs', a)}/${pick(DECISIONS, b)}`, {}),
  ],
  decide: [
    3,
    (known, { a, b }) =>
      control(
        'POST',
        `/cardholders/${known.id('ch', a)}/kyc/${pick(DECISIONS, b)}`,
        b % 2 ? { reasons: ['underage'] } : {},
      ),
  ],
  status: [
    1,
    (known, { a, b }) =>
      control('POST', `/cardholders/${known.id('ch', a)}/status`, {
        status: pick(['active', 'suspended', 'closed'], b),
      }),
  ],
  approved: [1, (_, { a }) => control('POST', '/cardholders', { identity: { firstName: `Ida${a}` } })],
  topUp: [2, (_, { a }) => control('POST', '/balance/top-up', { amount: pick(AMOUNTS, a) })],
  authorize: [
    6,
    (known, { a, b }) =>
      control('POST', '/transactions', {
        cardId: known.id('card', a),
        amount: pick(AMOUNTS, b),
        ...(b % 7 === 6 && { declineReason: 'do_not_honor' }),
      }),
  ],
  payment: [
    4,
    (known, { a, b }) =>
      control('POST', `/transactions/${known.id('txn', a)}/${pick(['settle', 'reverse', 'increment'], b)}`, {
        amount: pick(AMOUNTS, a),
      }),
  ],
  challenge: [2, (known, { a }) => control('POST', `/cards/${known.id('card', a)}/3ds`, { amount: 40 })],
  verify: [
    2,
    (known, { a, b }) => control('POST', `/3ds/${known.id('tds', a)}/verify`, { otp: `00000${b % 9}` }),
  ],
  limits: [
    1,
    (known, { a, b }) =>
      control('PATCH', `/cards/${known.id('card', a)}/limits`, { limit: pick(AMOUNTS, b) }),
  ],
  issueActive: [2, (known, { a }) => control('POST', '/cards/issue', { cardholderId: known.id('ch', a) })],
  raise: [4, (_, { a }) => control('POST', '/events', { eventType: pick([...ALL_TYPES, 'none'], a) })],
  redeliver: [5, (known, { a }) => control('POST', `/deliveries/${known.id('evt', a)}/redeliver`)],
  retryHere: [2, (known, { a }) => control('POST', `/deliveries/${known.id('evt', a)}/retry`)],
  fault: [5, (_, { a }) => control('POST', '/faults', pick(API_FAULTS, a))],
  clearFaults: [
    2,
    (known, { a, b }) => control('DELETE', b % 2 ? '/faults' : `/faults/${known.id('flt', a)}`),
  ],
  webhookFault: [
    6,
    (_, { a, b }) =>
      control('POST', '/webhook-faults', {
        kind: pick(WEBHOOK_FAULT_KINDS, a),
        ...(b % 3 !== 0 && { times: 1 + (b % 2) }),
        ...(b % 5 === 4 && { extra: true }),
        ...(b % 4 === 3 && { delayMs: 20 }),
      }),
  ],
  clearWebhookFaults: [1, () => control('DELETE', '/webhook-faults')],
  forward: [
    2,
    (_, { a }) =>
      control(
        'PUT',
        '/forwarding',
        pick<Json>(
          [
            { url: 'http://127.0.0.1:1/closed' },
            { url: 'http://forward.example/hooks', allowHttp: true },
            { map: { 'https://hooks.example/b': 'http://127.0.0.1:1/mapped' } },
            {},
            { url: 'ftp://nowhere' },
          ],
          a,
        ),
      ),
  ],
  unforward: [1, () => control('DELETE', '/forwarding')],
  save: [
    2,
    (_, { a, b }) =>
      b % 3 === 0 ? control('POST', '/checkpoints', {}) : control('POST', `/checkpoints/${pick(NAMES, a)}`),
  ],
  restore: [3, (_, { a }) => control('POST', `/checkpoints/${pick(NAMES, a)}/restore`)],
  deleteCheckpoint: [
    1,
    (_, { a }) => control('DELETE', `/checkpoints/${pick([...NAMES, 'checkpoint-1'], a)}`),
  ],
  reset: [2, () => control('POST', '/reset')],
  getState: [2, () => control('GET', '/state')],
  putState: [
    2,
    (known, { a, b }) =>
      control(
        'PUT',
        '/state',
        b % 4 === 3 ? { version: 1, clock: {} } : (known.states[a % (known.states.length || 1)] ?? {}),
      ),
  ],
  advance: [8, (_, { a }) => control('POST', '/clock/advance', { duration: pick(DURATIONS, a) })],
  freeze: [
    2,
    (_, { a }) =>
      control(
        'POST',
        '/clock/freeze',
        pick<Json>([{}, { at: '2026-03-16T00:00:00Z' }, { at: '2027-01-01T00:00:00Z' }], a),
      ),
  ],
  resume: [2, () => control('POST', '/clock/resume')],
  rewind: [
    4,
    (known, { a, b }) =>
      control(
        'POST',
        '/rewind',
        pick<Json>(
          [
            { steps: 1 + (a % 4) },
            { writes: 1 + (a % 3) },
            { to: known.id('ent', a) },
            { to: known.id('req', a) },
            { steps: 5_000 },
          ],
          b,
        ),
      ),
  ],
  clearRequests: [1, () => control('DELETE', '/requests')],
  history: [2, () => control('GET', '/history')],
  unknown: [
    2,
    (_, { a }) => {
      const [method, path] = pick(UNKNOWN_CALLS, a);
      return control(method, path, {});
    },
  ],
  unknownMember: [1, () => control('POST', '/balance/top-up', { amount: 1, amuont: 2 })],
};
