import * as z from 'zod';
import type { JournalEntry } from '../core/journal/journal.ts';
import type { Operation } from '../core/operation/operation.ts';
import { isObject } from '../core/request/input.ts';
import type { AssumptionValues } from '../core/values/setting.ts';
import { examplesOnWire } from '../service/wire/fields.ts';
import { operationsOnWire } from '../service/wire/wire.ts';
import { type Member, membersOf } from './operation-members.ts';
import { operations } from './operations.ts';
import { validInputs } from './valid-inputs.ts';

type Text = string | ((values: AssumptionValues) => string);

const submitsAgain = (values: AssumptionValues) => values['kyc-after-rejection'] === 'allowed';

/** What is accepted where a rule refused, by the id of the assumption behind it. */
const BY_RULE: Readonly<Record<string, Text>> = {
  authentication:
    'the header x-service-api-key with the current key of a partner (card-sandbox partners list shows the keys)',
  'live-keys': 'a sandbox key, which begins with sk_test_ (card-sandbox partners list shows the keys)',
  'allow-list-status':
    "a caller whose address is on the partner's allow-list, or an empty list (card-sandbox partners update-settings)",
  'unknown-id': 'the id of a record of the same partner; records of other partners are not visible to it',
  'unknown-operation': 'a method and path of the interface, spelled exactly as documented',
  'documented-only': 'the same request to a sandbox that was started without --documented-only',
  'web-kyc': 'the id of a KYC session that is approved and unused (card-sandbox kyc-sessions approve)',
  'share-tokens': 'an unexpired, unused token of the kycSource (card-sandbox share-tokens add issues one)',
  'card-issuance': 'an active cardholder with approved KYC (card-sandbox cardholders show prints its state)',
  'kyc-initiation': values =>
    `an active cardholder whose KYC has not been submitted${submitsAgain(values) ? ', or was rejected' : ''}`,
  'kyc-after-rejection':
    'a cardholder whose KYC was not rejected; create one with another externalUserId and a new share token',
  'reimport-sources': 'another externalUserId; a cardholder of source web is never imported again',
  'card-moves':
    'a move that the status of the card allows: created to active, active to frozen and back, any to cancelled. Cancelled is final: issue another card',
  reveal: 'a card that is not cancelled',
  'manual-retry': 'a delivery with status failed (card-sandbox events list --status failed)',
  'webhook-config': 'the URL together with a webhookSecret, unless one is stored',
  'webhook-config-origin': 'the same request from a server, or from a page of this machine',
  'internal-error': 'this request: it hit a bug in the sandbox, whose stack is on standard error',
  faults: 'the same request without the fault (card-sandbox faults clear)',
};

/** The same for the structured errors of interface section 7.2, by their codes. */
const BY_CODE: Readonly<Record<string, Text>> = {
  EMAIL_ALREADY_REGISTERED:
    'for the same person, the existing cardholder (existingCardholderId) instead of a second one; for another person, an email address that no cardholder of this partner has',
  CARDHOLDER_KYC_LOCKED: values =>
    `no import of this person: the identity can no longer be changed through the API${submitsAgain(values) ? '. After a rejection, submit the KYC of an active cardholder again with POST /v1/partner/cardholders/{id}/kyc' : ''}`,
};

/** The same for other documented rules, by the section of the interface. */
const BY_SECTION: Readonly<Record<string, string>> = {
  '2.6':
    'an https:// URL without user name and password (card-sandbox forward URL sends webhooks to a local receiver instead)',
  '4.1':
    'an unused share token (card-sandbox share-tokens add issues one), the kycSource that the cardholder was created with, and a cardholder with status active',
  '8': 'the same request after Retry-After seconds, or after card-sandbox clock advance 60s',
};

/** The same for a path that cannot be decoded, and for a body where the operation takes none. */
const ENCODED_PATH = 'a path in valid percent-encoding, without control characters';
const NO_BODY = 'the same request without a body';

export function acceptedInput(entry: JournalEntry, values: AssumptionValues): string[] {
  const { refusal, rule, responseBody } = entry;
  if (refusal === null || rule === null) return [];
  if (rule.kind === 'assumed' && rule.id === 'invalid-input') return validInput(entry, values);
  const code = /"code":"(\w+)"/.exec(responseBody)?.[1] ?? '';
  const known = rule.kind === 'assumed' ? BY_RULE[rule.id] : (BY_CODE[code] ?? BY_SECTION[rule.section]);
  if (known === undefined) return [];
  return [typeof known === 'string' ? known : known(values)];
}

function validInput(entry: JournalEntry, values: AssumptionValues): string[] {
  const { refusal } = entry;
  if (refusal?.startsWith('path: ')) return [ENCODED_PATH];
  const operation = operations.find(each => each.id === entry.operation);
  if (operation === undefined) return [];
  if (refusal?.startsWith('body') && membersOf(operation.body).length === 0) return [NO_BODY];
  const lines = linesFor(operation, entry, values);
  return lines.length === 0 ? [] : ['a request with these fields, for example:', ...lines];
}

/** Returns the variant of a body that the request chose by the value of its discriminator, or the whole schema. */
function variantOf(schema: z.ZodType, { requestBody }: JournalEntry): z.ZodType {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  let body: unknown;
  try {
    body = JSON.parse(requestBody);
  } catch {
    return schema;
  }
  const { discriminator, options } = schema.def;
  const chosen = options.find(
    option =>
      option instanceof z.ZodObject &&
      option.shape[discriminator]?.safeParse(Object(body)[discriminator]).success,
  );
  return chosen instanceof z.ZodType ? chosen : schema;
}

/** Returns a line for each member that the operation takes, in the names and units of the settings. */
function linesFor(operation: Operation, entry: JournalEntry, values: AssumptionValues): string[] {
  const [onWire = operation] = operationsOnWire([operation], values);
  const inputs = validInputs(operation.id);
  const queries = inputs.map(({ query }) => query);
  const onWireOf = examplesOnWire(values);
  const bodies = inputs.map(({ body }) => onWireOf(operation.body, body));
  // Settings rename parameters, and keep their order.
  const parameters = membersOf(operation.query);
  return [
    ...membersOf(onWire.query).map((member, index) =>
      lineFor('query', member, exampleValue(queries, parameters[index] ?? member)),
    ),
    ...membersOf(variantOf(onWire.body, entry)).map(member =>
      lineFor('body', member, exampleValue(bodies, member)),
    ),
  ];
}

function lineFor(
  place: 'query' | 'body',
  { path, kind, choices, isRequired, about }: Member,
  example: unknown,
): string {
  const others = (choices ?? []).filter(choice => choice !== example);
  return [
    `${place}.${path.join('.')}: ${JSON.stringify(kind === 'number' ? Number(example) : example)}`,
    others.length === 0 ? '' : `, or ${others.join(', ')}`,
    isRequired ? ', required' : '',
    about === null ? '' : ` (${about})`,
  ].join('');
}

/** Returns the value of a member in the first of some valid queries or bodies that has one which the member accepts. */
export function exampleValue(examples: readonly unknown[], { path, choices, defaultValue }: Member): unknown {
  const values = examples.map(example =>
    path.reduce((value, name) => (isObject(value) ? value[name] : undefined), example),
  );
  return (
    values.find(value => choices?.includes(String(value)) ?? value !== undefined) ??
    choices?.[0] ??
    defaultValue
  );
}
