// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the steps of scenarios refer to variables in this way
import type { OperationRoute } from '../../core/world/world.ts';

/** A step of a scenario, as `card-sandbox run` plays it. */
export interface ExampleStep {
  readonly request?: string;
  readonly control?: string;
  /** The API key of the request; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly respond?: number;
  readonly advance?: string;
  readonly webhook?: { readonly eventType: string };
  readonly capture?: Readonly<Record<string, string>>;
  readonly expect?: { readonly status: number };
}

/** What shows a condition: the steps of a scenario, or a command line where no scenario can send the request. */
export interface Example {
  /** Empty if there is a command. */
  readonly steps: readonly ExampleStep[];
  readonly command: string | null;
  /** The option that the sandbox needs to be started with; null for none. */
  readonly option: string | null;
}

type Steps = readonly ExampleStep[];

const control = (call: string, body?: unknown, capture?: ExampleStep['capture']): ExampleStep => ({
  control: call,
  ...(body !== undefined && { body }),
  ...(capture && { capture }),
});
const request = (call: string, rest: Omit<ExampleStep, 'request'> = {}): ExampleStep => ({
  request: call,
  ...rest,
});

/** Magic tokens and addresses that no other run uses. */
const person = (name: string) => ({
  externalUserId: `${name}-\${run}`,
  email: `${name}-\${run}@example.com`,
  phoneNumber: '+4915123456789',
  kycSource: 'idp1',
  idp1ShareToken: `idp1_test_approve_${name}-\${run}`,
});
const create = (fields: object, rest: Omit<ExampleStep, 'request' | 'body'> = {}) =>
  request('POST /partner/cardholders', { body: { ...person('ana'), ...fields }, ...rest });
const SUSPEND = control('POST /cardholders/${cardholder}/status', { status: 'suspended' });
const SUBMIT = request('POST /partner/cardholders/${cardholder}/kyc', {
  body: { cardProgramId: '${program}' },
});
const ISSUE = request('POST /partner/cards', {
  body: { cardholderId: '${cardholder}', cardProgramId: '${program}' },
});
const move = (name: string) => request(`POST /partner/cards/\${card}/${name}`);

const PROGRAM: Steps = [request('GET /partner/card-programs', { capture: { program: 'body.data[0].id' } })];
const CARDHOLDER: Steps = [create({}, { capture: { cardholder: 'body.id' } })];
const SUBMITTED: Steps = [...PROGRAM, ...CARDHOLDER, SUBMIT];
const APPROVED: Steps = [...SUBMITTED, control('POST /cardholders/${cardholder}/kyc/approve')];
const CARD: Steps = [...APPROVED, { ...ISSUE, capture: { card: 'body.id' } }];
const ACTIVE: Steps = [...CARD, move('activate')];
const FROZEN: Steps = [...ACTIVE, move('freeze')];
const CANCELLED: Steps = [...CARD, move('cancel')];
const PAYMENT: Steps = [
  ...ACTIVE,
  control('POST /transactions', { cardId: '${card}', amount: 2 }, { transaction: 'body.id' }),
];
const SESSION: Steps = [request('POST /partner/kyc-sessions', { body: {}, capture: { session: 'body.id' } })];
const APPROVED_SESSION: Steps = [...SESSION, control('POST /kyc-sessions/${session}/approve')];
const createWeb = (name: string, kycSessionId: string) => {
  const { idp1ShareToken: _, ...fields } = person(name);
  return request('POST /partner/cardholders', { body: { ...fields, kycSource: 'web', kycSessionId } });
};
/** A partner of its own, so that what others rely on stays as it is. */
const PARTNER: Steps = [
  control('POST /partners', { name: 'Example' }, { partner: 'body.id', apiKey: 'body.apiKey' }),
];
const asPartner = (call: string, rest: Omit<ExampleStep, 'request'> = {}) =>
  request(call, { key: '${apiKey}', ...rest });
const configure = (body: object, headers?: Record<string, string>) =>
  asPartner('PATCH /partner/webhooks/config', { body, ...(headers && { headers }) });
const TOP_UP = control('POST /balance/top-up', { partnerId: '${partner}', amount: 1 });
const EVENT: Steps = [
  ...PARTNER,
  configure({ subscribedEvents: ['balance.top_up'] }),
  TOP_UP,
  asPartner('GET /partner/webhooks/events', { capture: { event: 'body.data[0].id' } }),
];
const EXPIRING = control('POST /share-tokens', { expiresIn: '1s' }, { token: 'body.token' });

/** The steps of each condition that needs its own, without the status that the last request is to have. */
const STEPS: Readonly<Record<string, Steps>> = {
  'cardholders.create 201': CARDHOLDER,
  'cardholders.create 200': [...CARDHOLDER, create({ idp1ShareToken: 'idp1_test_approve_again-${run}' })],
  'cardholders.create 409 EMAIL_ALREADY_REGISTERED': [
    ...CARDHOLDER,
    create({ externalUserId: 'ben-${run}', idp1ShareToken: 'idp1_test_approve_ben-${run}' }),
  ],
  'cardholders.create 409 CARDHOLDER_KYC_LOCKED provider_submitted': [
    ...SUBMITTED,
    create({ idp1ShareToken: 'idp1_test_approve_again-${run}' }),
  ],
  'cardholders.create 409 CARDHOLDER_KYC_LOCKED card_issued': [
    ...CARD,
    create({ idp1ShareToken: 'idp1_test_approve_again-${run}' }),
  ],
  'cardholders.create 400 share-token-used': [
    ...CARDHOLDER,
    create({ ...person('ben'), idp1ShareToken: 'idp1_test_approve_ana-${run}' }),
  ],
  'cardholders.create 400 share-token-unknown': [create({ idp1ShareToken: 'unknown-${run}' })],
  'cardholders.create 400 share-token-of-other-source': [
    create({ idp1ShareToken: 'idp2_test_approve_ana-${run}' }),
  ],
  'cardholders.create 400 share-token-expired': [
    EXPIRING,
    { advance: '2s' },
    create({ idp1ShareToken: '${token}' }),
  ],
  'cardholders.create 404': [createWeb('ana', 'kycs_unknown')],
  'cardholders.create 400 kyc-session-not-approved': [...SESSION, createWeb('ana', '${session}')],
  'cardholders.create 400 kyc-session-used': [
    ...APPROVED_SESSION,
    createWeb('ana', '${session}'),
    createWeb('ben', '${session}'),
  ],
  'cardholders.create 400 reimport-of-other-source': [
    ...CARDHOLDER,
    create({
      kycSource: 'idp2',
      idp1ShareToken: undefined,
      idp2ShareToken: 'idp2_test_approve_ana-${run}',
    }),
  ],
  'cardholders.create 400 reimport-sources': [
    ...APPROVED_SESSION,
    createWeb('ana', '${session}'),
    createWeb('ana', '${session}'),
  ],
  'cardholders.create 400 reimport-inactive': [
    ...CARDHOLDER,
    SUSPEND,
    create({ idp1ShareToken: 'idp1_test_approve_again-${run}' }),
  ],
  'cardholders.initiateKyc 200': SUBMITTED,
  'cardholders.initiateKyc 404 unknown-cardholder': [
    request('POST /partner/cardholders/unknown/kyc', { body: { cardProgramId: 'unknown' } }),
  ],
  'cardholders.initiateKyc 404 unknown-card-program': [
    ...CARDHOLDER,
    request('POST /partner/cardholders/${cardholder}/kyc', { body: { cardProgramId: 'unknown' } }),
  ],
  'cardholders.initiateKyc 400 cardholder-inactive': [...PROGRAM, ...CARDHOLDER, SUSPEND, SUBMIT],
  'cardholders.initiateKyc 400 kyc-in-flight': [...SUBMITTED, SUBMIT],
  'cardholders.initiateKyc 400 kyc-approved': [...APPROVED, SUBMIT],
  'cardholders.initiateKyc 400 kyc-after-rejection': [
    ...SUBMITTED,
    control('POST /cardholders/${cardholder}/kyc/reject'),
    SUBMIT,
  ],
  'cardholders.get 200': [...CARDHOLDER, request('GET /partner/cardholders/${cardholder}')],
  'cards.issue 201': CARD,
  'cards.issue 404 unknown-cardholder': [
    request('POST /partner/cards', { body: { cardholderId: 'unknown', cardProgramId: 'unknown' } }),
  ],
  'cards.issue 404 unknown-card-program': [
    ...CARDHOLDER,
    request('POST /partner/cards', { body: { cardholderId: '${cardholder}', cardProgramId: 'unknown' } }),
  ],
  'cards.issue 400 cardholder-inactive': [...APPROVED, SUSPEND, ISSUE],
  'cards.issue 400 kyc-not-approved': [...SUBMITTED, ISSUE],
  'cards.get 200': [...CARD, request('GET /partner/cards/${card}')],
  'cards.activate 200': ACTIVE,
  'cards.activate 400 card-moves': [...ACTIVE, move('activate')],
  'cards.freeze 200': FROZEN,
  'cards.freeze 400 card-moves': [...CARD, move('freeze')],
  'cards.unfreeze 200': [...FROZEN, move('unfreeze')],
  'cards.unfreeze 400 card-moves': [...CARD, move('unfreeze')],
  'cards.cancel 200': CANCELLED,
  'cards.cancel 400 card-moves': [...CANCELLED, move('cancel')],
  'cards.reveal 200': [...CARD, request('POST /partner/cards/${card}/reveal-html', { body: {} })],
  'cards.reveal 400 reveal': [...CANCELLED, request('POST /partner/cards/${card}/reveal-html', { body: {} })],
  'cardPrograms.get 200': [...PROGRAM, request('GET /partner/card-programs/${program}')],
  'transactions.get 200': [...PAYMENT, request('GET /partner/transactions/${transaction}')],
  'kycSessions.create 201': SESSION,
  'kycSessions.get 200': [...SESSION, request('GET /partner/kyc-sessions/${session}')],
  'webhooks.updateConfig 200': [...PARTNER, configure({ subscribedEvents: ['card.issued'] })],
  'webhooks.updateConfig 400 webhook-url': [...PARTNER, configure({ webhookUrl: 'ftp://hooks.example.com' })],
  'webhooks.updateConfig 400 webhook-secret-required': [
    ...PARTNER,
    configure({ webhookUrl: 'https://hooks.example.com' }),
  ],
  'webhooks.updateConfig 400 webhook-config-origin': [
    ...PARTNER,
    configure({}, { origin: 'https://shop.example.com' }),
  ],
  'webhooks.getEvent 200': [...EVENT, asPartner('GET /partner/webhooks/events/${event}')],
  'webhooks.retryEvent 200': [...EVENT, asPartner('POST /partner/webhooks/events/${event}/retry')],
  'webhooks.retryEvent 400 not-failed': [
    ...PARTNER,
    configure({
      webhookUrl: 'https://127.0.0.1:9',
      webhookSecret: 'a-secret-of-16-characters',
      subscribedEvents: ['balance.top_up'],
    }),
    TOP_UP,
    asPartner('GET /partner/webhooks/events', { capture: { event: 'body.data[0].id' } }),
    asPartner('POST /partner/webhooks/events/${event}/retry'),
  ],
  'event-retried': [
    { respond: 500 },
    control('POST /events', { eventType: 'balance.top_up' }),
    { advance: '1h' },
    { webhook: { eventType: 'balance.top_up' } },
  ],
  'event-duplicate': [
    control('POST /webhook-faults', { kind: 'duplicate', times: 1 }),
    control('POST /events', { eventType: 'balance.top_up' }),
    { webhook: { eventType: 'balance.top_up' } },
  ],
  'page-beyond-first': [
    create({}),
    create(person('ben')),
    request('GET /partner/cardholders?limit=1&page=2'),
  ],
  'rate-limited': [
    ...PARTNER,
    control('PATCH /partners/${partner}/settings', { rateLimitPerMinute: 1 }),
    asPartner('GET /partner/balance'),
    asPartner('GET /partner/balance', { expect: { status: 429 } }),
  ],
  'key-rotated': [...PARTNER, control('POST /partners/${partner}/keys/rotate', {})],
};

/** The options without which a condition cannot be shown. */
const OPTIONS: Readonly<Record<string, string>> = {
  'cardholders.initiateKyc 400 kyc-after-rejection': '--assume kyc-after-rejection=refused',
};

/** Returns what shows a condition of an operation, or of none. Throws an error for a condition without an example. */
export function exampleOf(id: string, operation: OperationRoute | undefined): Example {
  const steps = STEPS[id] ?? eventSteps(id) ?? (operation && ordinarySteps(id, operation));
  if (typeof steps === 'string') return { steps: [], command: steps, option: null };
  const last = steps?.at(-1);
  if (steps === undefined || last === undefined) throw new Error(`the condition ${id} has no example`);
  const status = Number(/ (\d{3})\b/.exec(id)?.[1]);
  const expected = last.request === undefined || !status ? last : { ...last, expect: { status } };
  return { steps: [...steps.slice(0, -1), expected], command: null, option: OPTIONS[id] ?? null };
}

function eventSteps(id: string): Steps | undefined {
  const [word, eventType] = id.split(' ');
  if (word !== 'event' || eventType === undefined) return undefined;
  return [control('POST /events', { eventType }), { webhook: { eventType } }];
}

/** The steps of what every operation has, or a command line. */
function ordinarySteps(id: string, { method, path }: OperationRoute): Steps | string | undefined {
  const [, status, cause = ''] = id.split(' ');
  const target = path.replace(/\{\w+\}/, 'unknown');
  const call = `${method} ${target}`;
  const body = method === 'GET' ? {} : { body: {} };
  if (status === '404') return [request(call, body)];
  if (cause === 'authentication') return [request(call, { ...body, key: null })];
  if (cause === 'allow-list-status') {
    const settings = control('PATCH /partners/${partner}/settings', { ipAllowList: ['203.0.113.1'] });
    return [...PARTNER, settings, asPartner(call, body)];
  }
  // No scenario sends a production key, or a GET request with a body.
  if (cause === 'live-keys') return curl(method, target, 'sk_live_example', '');
  if (status === '400' && method === 'GET') return curl(method, target, '$SERVICE_API_KEY', " -d '['");
  if (status === '400') return [request(call, { body: '[' })];
  return method === 'GET' ? [request(call)] : undefined;
}

function curl(method: string, path: string, key: string, rest: string): string {
  const json = "-H 'content-type: application/json'";
  return `curl -s -X ${method} -H "x-service-api-key: ${key}" ${json}${rest} "$SERVICE_BASE_URL${path}"`;
}
