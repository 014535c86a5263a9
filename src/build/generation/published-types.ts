import * as z from 'zod';
import { operations } from '../../sandbox/operations.ts';
import { partial, print, type Type, typeOf, without } from './type-printer.ts';

/** A published type: its name, its doc comment, and its schema in the operation table. */
type Entry = readonly [name: string, comment: string, type: Type];

const PUBLISHED: readonly Entry[] = [
  [
    'KycOutcome',
    'The decision of the simulated provider; `manual` waits for a decision of the test.',
    response('shareTokens.mint', 'outcome'),
  ],
  ['Address', 'The address of a person (interface section 4.1).', response('cardholders.details', 'address')],
  ['Identity', 'The data that a KYC source has about a person.', response('shareTokens.mint', 'identity')],
  ['KycRejectionReason', 'Why KYC was rejected.', item(body('cardholders.kyc.reject', 'reasons'))],
  ['ClockState', 'The state of the sandbox clock.', response('clock.get')],
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
  ['CreatedWorld', 'A new world, with its control token where it needs one.', response('worlds.create')],
  ['Assumption', 'A decision where the interface is silent.', item(response('assumptions.list'))],
  ['HistoryEntry', 'What changed a world from outside.', item(response('history.list'))],
  ['ControlRefusal', 'A call of the control plane that was refused.', item(response('history.refusals'))],
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
  ['JournalEntry', 'An API request in the journal, secrets masked.', response('requests.get')],
  ['ShareTokenRequest', 'The share token to mint; every member has a default.', body('shareTokens.mint')],
  ['KycSessionDecision', 'A decision about a KYC session.', body('kycSessions.approve')],
  ['KycSessionRejection', 'A rejection of a KYC session.', body('kycSessions.reject')],
  ['KycRejection', 'A rejection of a KYC submission.', body('cardholders.kyc.reject')],
  ['CreateCardholderRequest', 'The cardholder to create or re-import.', body('cardholders.create')],
  ['IssueCardRequest', 'The card to issue.', body('cards.issue')],
  ['IssueActiveCardRequest', 'The card to issue and activate.', body('cards.issueActive')],
  ['CardLimits', 'The limits of a card to change.', body('cards.setLimits')],
  ['FaultInput', 'The effect of a fault of the API, and the requests that it matches.', body('faults.arm')],
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
    without(query('deliveries.list'), 'limit'),
  ],
];

const NAMES = new Map<string, string>();
for (const [name, , type] of PUBLISHED) {
  if (!NAMES.has(key(type))) NAMES.set(key(type), name);
  if (type.kind === 'object' && !NAMES.has(key(partial(type))))
    NAMES.set(key(partial(type)), `Partial<${name}>`);
}

/** The names of the published types. */
export const publishedNames = PUBLISHED.map(([name]) => name);

/** Returns the declarations of the published types. */
export function publishedTypes(): string {
  const declarations = PUBLISHED.map(([name, comment, type]) => {
    const text = print(type, nameOf);
    return `/** ${comment} */\nexport ${type.kind === 'object' ? `interface ${name} ` : `type ${name} = `}${text}\n`;
  });
  return declarations.join('\n');
}

/** Returns the published name of a type, or undefined for one to spell out. */
export function nameOf(type: Type): string | undefined {
  return NAMES.get(key(type));
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

function at(type: Type, path: readonly string[]): Type {
  return path.reduce((part, name) => {
    const found = part.kind === 'object' && part.members.find(member => member.name === name);
    if (!found) throw new Error(`no member ${name} in ${key(part)}`);
    return found.type;
  }, type);
}

function item(type: Type): Type {
  if (type.kind !== 'array') throw new Error(`not an array: ${key(type)}`);
  return type.items;
}

function variant(type: Type, index: number): Type {
  const found = type.kind === 'union' ? type.variants[index] : undefined;
  if (found === undefined) throw new Error(`no variant ${index} in ${key(type)}`);
  return found;
}

function notNull(type: Type): Type {
  return variant(type, 0);
}

/** A text that is the same for types of the same shape, whatever their doc comments are. */
export function key(type: Type): string {
  return JSON.stringify(type, (name, value) => (name === 'description' ? undefined : value));
}
