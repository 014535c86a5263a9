import * as z from 'zod';
import { operations, payloads } from '../../sandbox/operations.ts';
import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { print } from './type-printer.ts';
import {
  at,
  isSame,
  item,
  key,
  notNull,
  partial,
  type Type,
  textType,
  typeOf,
  unionType,
  variant,
  without,
  withType,
} from './types.ts';

/** A published type: its schema in the operation table, and the types of members that are only texts there. */
type Entry = readonly [name: string, comment: string, type: Type, members?: Readonly<Record<string, string>>];

const partnerOperations = operations.filter(({ plane }) => plane === 'partner');

const PUBLISHED: readonly Entry[] = [
  [
    'KycOutcome',
    'The decision of the simulated provider; `manual` waits for a decision of the test.',
    response('shareTokens.mint', 'outcome'),
  ],
  [
    'KycStatus',
    'KYC states of a cardholder (interface section 3.2).',
    response('cardholders.get', 'kycStatus'),
  ],
  ['KycSessionStatus', 'States of a KYC session.', response('kycSessions.get', 'status')],
  ['ShareTokenSource', 'The providers that issue share tokens.', response('shareTokens.mint', 'source')],
  ['CardStatus', 'States of a card (interface section 3.3).', response('cards.get', 'status')],
  ['CardType', 'Types of cards.', response('cards.get', 'type')],
  ['CardBrand', 'Brands of card networks.', response('cards.get', 'brand')],
  ['TransactionStatus', 'States of a card transaction.', response('transactions.get', 'status')],
  ['TransactionType', 'Types of card transactions.', response('transactions.get', 'type')],
  [
    'ReversalReason',
    'Why a transaction was reversed.',
    notNull(response('transactions.get', 'reversalReason')),
  ],
  [
    'UsageType',
    'Types of usage records (interface section 2.4).',
    item(response('usage.list', 'data'), 'type'),
  ],
  [
    'ErrorCode',
    'The codes of structured errors (interface section 7).',
    unionType(partnerOperations.flatMap(({ errors }) => errors.flatMap(errorCodes))),
  ],
  [
    'ApiPath',
    'The paths of the API below `/v1`, as patterns with the names of their parameters in braces.',
    literals(partnerOperations.map(({ path }) => path)),
  ],
  ['ApiMethod', 'The methods of the API.', literals(partnerOperations.map(({ method }) => method))],
  ['ApiOperation', 'The ids of the operations of the API.', literals(partnerOperations.map(({ id }) => id))],
  ['Address', 'The address of a person (interface section 4.1).', response('cardholders.details', 'address')],
  ['Identity', 'The data that a KYC source has about a person.', response('shareTokens.mint', 'identity')],
  ['KycRejectionReason', 'Why KYC was rejected.', item(body('cardholders.kyc.reject', 'reasons'))],
  ['ClockState', 'The state of the sandbox clock.', response('clock.advance')],
  ['ShareToken', 'A share token.', response('shareTokens.mint')],
  ['KycSession', 'A KYC session.', response('kycSessions.approve')],
  [
    'CardholderStatus',
    'States of a cardholder (interface section 3.1).',
    response('cardholders.details', 'status'),
  ],
  [
    'CardholderDetails',
    'A cardholder with what the API does not show: its partner, address, KYC state and why a re-import is refused.',
    response('cardholders.details'),
  ],
  ['Merchant', 'Where a card is used.', response('transactions.authorize', 'merchant')],
  ['DeclineReason', 'Why an authorization is declined.', body('transactions.authorize', 'declineReason')],
  [
    'DeclineDetail',
    'The limit that an authorization would have exceeded.',
    notNull(response('transactions.authorize', 'declineDetail')),
  ],
  ['Transaction', 'A card transaction.', response('transactions.authorize')],
  [
    'ChallengeResult',
    'The state of a 3-D Secure challenge after an attempt.',
    response('threeDSecure.verify'),
  ],
  ['Challenge', 'A 3-D Secure challenge, without its passcode.', response('threeDSecure.start')],
  ['Balance', "A partner's balance.", response('balance.topUp')],
  ['Partner', 'A partner with its current API key.', item(response('partners.list'))],
  ['NewPartner', 'A partner that was added to a running sandbox.', response('partners.add')],
  ['PartnerSettings', "A partner's settings.", response('partners.getSettings')],
  ['RotatedKey', 'A new API key, and until when the previous one works.', response('partners.rotateKey')],
  [
    'Coverage',
    'The conditions of the interface, and which of them a world has seen.',
    response('coverage.get'),
  ],
  ['World', 'A world of a server, with its partners and API keys.', response('worlds.get')],
  ['Assumption', 'A decision where the interface is silent.', item(response('assumptions.list'))],
  ['HistoryEntry', 'What was asked of a world from outside.', item(response('history.list'))],
  [
    'Rewound',
    'The time after a rewind, and the number of entries that it undid.',
    response('history.rewind'),
  ],
  ['RejectedKycSession', 'A KYC session that was rejected, and why.', response('kycSessions.reject')],
  ['Cardholder', 'A cardholder (interface section 2.1).', response('cardholders.get')],
  ['KycInitiation', 'A KYC submission (interface section 2.7).', response('cardholders.initiateKyc')],
  ['CardProgram', 'A card program.', response('cardPrograms.get')],
  ['RevealLink', 'A link that shows a card once.', response('cards.reveal')],
  ['UsageRecord', 'A fee (interface section 2.4).', item(response('usage.list', 'data'))],
  ['WebhookEvent', 'A delivery in a list of the API.', item(response('webhooks.listEvents', 'data'))],
  ['WebhookEventDetails', 'A delivery as the API shows it.', response('webhooks.getEvent')],
  ['ChallengeDetails', 'A 3-D Secure challenge as its cardholder sees it.', response('threeDSecure.get')],
  ['SpendWindows', 'An amount for each window of spending.', response('cards.get', 'spendControl', 'sales')],
  ['Card', 'A card (interface sections 2.2 and 2.3).', response('cards.get')],
  [
    'CardDetails',
    'A card with what the API does not show: its partner, cardholder and currency.',
    response('cards.setLimits'),
  ],
  [
    'MerchantOrPreset',
    'A merchant, or the name of a preset. What a merchant leaves out is generated.',
    body('transactions.authorize', 'merchant'),
  ],
  ['AuthorizeRequest', 'A use of a card.', body('transactions.authorize')],
  ['IncrementRequest', 'What to add to an authorized transaction.', body('transactions.increment')],
  [
    'IncrementResult',
    'The result of an increment: the transaction with its new amount, or why it was declined.',
    response('transactions.increment'),
  ],
  ['SettleRequest', 'How much of a transaction to settle.', body('transactions.settle')],
  ['ReverseRequest', 'How much of a transaction to reverse.', body('transactions.reverse')],
  ['ChallengeRequest', 'The purchase that a 3-D Secure challenge is about.', body('threeDSecure.start')],
  ['TopUpRequest', 'Money to add to a balance.', body('balance.topUp')],
  ['EventType', 'The event types of interface section 6.1.', response('deliveries.get', 'eventType')],
  [
    'OtpNotice',
    'The passcode of a 3-D Secure challenge, for the cardholder.',
    typeOf(payloads['card.3ds_otp'].schema, 'output'),
  ],
  [
    'WebhookConfig',
    "A partner's webhook configuration (interface section 2.6).",
    response('webhooks.showConfig'),
  ],
  ['Forwarding', 'Where webhooks are forwarded.', response('forwarding.show')],
  ['WebhookAttempt', 'One attempt of a webhook delivery.', item(response('deliveries.get', 'attempts'))],
  ['WebhookStatus', 'States of a delivery (interface section 3.4).', response('deliveries.get', 'status')],
  ['WebhookDelivery', 'A webhook delivery with all its attempts.', response('deliveries.get')],
  ['NotDelivered', 'An event to which no partner is subscribed.', variant(response('events.raise'), 1)],
  ['WebhookFaultKind', 'The effect of a webhook fault.', body('webhookFaults.add', 'kind')],
  ['WebhookFault', 'A fault of webhook deliveries.', response('webhookFaults.add')],
  ['Fault', 'A fault of the API.', response('faults.arm')],
  ['Rule', 'The rule that decided a response.', notNull(response('requests.get', 'rule'))],
  [
    'JournalEntry',
    'An API request in the journal, secrets masked.',
    response('requests.get'),
    { operation: 'ApiOperation | null', pattern: 'ApiPath | null' },
  ],
  ['ShareTokenRequest', 'The share token to mint; every member has a default.', body('shareTokens.mint')],
  ['KycSessionDecision', 'A decision about a KYC session.', body('kycSessions.approve')],
  ['KycSessionRejection', 'A rejection of a KYC session.', body('kycSessions.reject')],
  ['KycRejection', 'A rejection of a KYC submission.', body('cardholders.kyc.reject')],
  ['CreateCardholderRequest', 'The cardholder to create or re-import.', body('cardholders.create')],
  ['IssueCardRequest', 'The card to issue.', body('cards.issue')],
  ['IssueActiveCardRequest', 'The card to issue and activate.', body('cards.issueActive')],
  ['CardLimits', 'The limits of a card to change.', body('cards.setLimits')],
  [
    'FaultInput',
    'The effect of a fault of the API, and the requests that it matches.',
    body('faults.arm'),
    { path: 'ApiPath | (string & {})', method: 'ApiMethod | (string & {})' },
  ],
  ['NewPartnerRequest', 'The partner to add; every member has a default.', body('partners.add')],
  ['RotateKeyRequest', 'How to rotate an API key.', body('partners.rotateKey')],
  ['NewWorldRequest', 'The world to create; every member has a default.', body('worlds.create')],
  [
    'ForwardingRequest',
    'Where to forward webhooks; an omitted member is as at the start.',
    body('forwarding.set'),
  ],
  ['EventRequest', 'The event to raise.', body('events.raise')],
  [
    'WebhookFaultInput',
    'The effect of a webhook fault, and the deliveries that it matches.',
    body('webhookFaults.add'),
  ],
  [
    'WebhookFilter',
    'Which deliveries to return; an omitted member matches all.',
    ['q', 'limit', 'offset'].reduce(without, query('deliveries.list')),
  ],
];

const NAMES = new Map<string, string>();
for (const [name, , type] of PUBLISHED) {
  if (!NAMES.has(key(type))) NAMES.set(key(type), name);
  if (type.kind === 'object' && !NAMES.has(key(partial(type))))
    NAMES.set(key(partial(type)), `Partial<${name}>`);
}

/** The member with the rows of a page, and the type of all pages of a kind of row. */
const PAGE_ROWS = 'data';
const pageOfCards = response('cards.list');

export const publishedNames = [...PUBLISHED.map(([name]) => name), 'Duration', 'Page'];

export function publishedTypes(): string {
  return `import type { Duration } from '../../core/values/duration.ts';

export type { Duration };

/** A page of a list (interface section 2.7). */
export interface Page<Row> ${print(pageOfCards, type => (isSame(type, rowOf(pageOfCards)) ? 'Row' : nameOf(type)))}

${PUBLISHED.map(declaration).join('\n')}
/** The \`data\` of a webhook, by the type of the event. */
export interface WebhookData {
${EVENT_TYPES.map(type => `readonly '${type}': ${dataOf(type)};\n`).join('')}}

/** The body of a webhook of one event type. */
export interface WebhookEnvelope<Type extends EventType> {
  /** Id of the event, the same at every attempt. */
  readonly id: string;
  readonly eventType: Type;
  /** Time of the event, ISO 8601. */
  readonly createdAt: string;
  readonly data: WebhookData[Type];
}

/**
 * The body of a webhook: a union of the event types, discriminated by \`eventType\`. With a type, the body of these
 * events alone, such as \`WebhookPayload<'card.issued'>\`. The interface shows no bodies, so all of it is assumed.
 *
 * @example
 * const event: WebhookPayload = JSON.parse(rawBody);
 * if (event.eventType === 'card.transaction') console.log(event.data.amount, event.data.merchant.name);
 */
export type WebhookPayload<Type extends EventType = EventType> = {
  readonly [Each in Type]: WebhookEnvelope<Each>;
}[Type];
`;
}

function declaration([name, comment, type, members = {}]: Entry): string {
  const refined = Object.entries(members).reduce((part, [each, text]) => withType(part, each, text), type);
  const kind = type.kind === 'object' ? `interface ${name} ` : `type ${name} = `;
  return `/** ${comment} */\nexport ${kind}${print(refined, nameOf)}\n`;
}

/** Returns the published name of a type, or undefined for one to spell out. */
export function nameOf(type: Type): string | undefined {
  const name = NAMES.get(key(type));
  if (name !== undefined || !isPage(type)) return name;
  const row = rowOf(type);
  return `Page<${nameOf(row) ?? print(row, nameOf)}>`;
}

function isPage(type: Type): boolean {
  const rest = (page: Type) => key(without(page, PAGE_ROWS));
  const hasRows = type.kind === 'object' && type.members.some(({ name }) => name === PAGE_ROWS);
  return hasRows && rest(type) === rest(pageOfCards);
}

function rowOf(page: Type): Type {
  return item(at(page, [PAGE_ROWS]));
}

function dataOf(type: keyof typeof payloads): string {
  const data = typeOf(payloads[type].schema, 'output');
  return nameOf(data) ?? print(data, nameOf);
}

/** The types of the codes of a structured error; none for a simple error. */
function errorCodes({ body: schema }: (typeof operations)[number]['errors'][number]): Type[] {
  if (schema === undefined) return [];
  const error = at(typeOf(schema, 'output'), ['error']);
  return (error.kind === 'union' ? error.variants : [error]).map(variant => at(variant, ['code']));
}

function literals(texts: readonly string[]): Type {
  return unionType([...new Set(texts)].sort().map(each => textType(`'${each}'`)));
}

function response(id: string, ...path: readonly string[]): Type {
  const [schema] = Object.values(operationOf(id).responses);
  return at(typeOf(schema ?? z.null(), 'output'), path);
}

function body(id: string, ...path: readonly string[]): Type {
  return at(typeOf(operationOf(id).body, 'input'), path);
}

function query(id: string): Type {
  return typeOf(operationOf(id).query, 'input');
}

function operationOf(id: string) {
  const found = operations.find(operation => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}
