import * as z from 'zod';
import type { JournalEntry } from '../core/journal/journal.ts';
import type { Operation } from '../core/operation/operation.ts';
import { type Member, membersOf } from './operation-members.ts';

/** What is accepted where a rule refused, by the id of the assumption behind it. */
const BY_RULE: Readonly<Record<string, string>> = {
  authentication:
    'the header x-service-api-key with the current key of a partner (card-sandbox partners list shows the keys)',
  'live-keys': 'a sandbox key, which begins with sk_test_ (card-sandbox partners list shows the keys)',
  'ip-allow-list':
    'a client address on the allow-list of the partner, or an empty list (card-sandbox partners get-settings)',
  'unknown-id': 'the id of a record of the same partner; records of other partners are not visible to it',
  'unknown-operation': 'a method and path of the interface, spelled exactly as documented',
  'documented-only': 'the same request to a sandbox that was started without --documented-only',
  'cardholder-uniqueness': 'an email address and an external id that no cardholder of this partner has',
  'web-kyc': 'the id of a KYC session that is approved and unused (card-sandbox kyc-sessions approve)',
  'share-tokens': 'an unexpired, unused token of the kycSource (card-sandbox share-tokens add issues one)',
  'card-issuance': 'an active cardholder with approved KYC (card-sandbox cardholders show prints its state)',
  'kyc-initiation': 'an active cardholder whose KYC has not been submitted, or was rejected',
  'kyc-after-rejection':
    'a cardholder whose KYC was not rejected; create one with another externalUserId and a new share token',
  'reimport-sources': 'another externalUserId; a cardholder of source web is never imported again',
  'card-moves':
    'a move that the status of the card allows: created to active, active to frozen and back, any to cancelled. Cancelled is final: issue another card',
  reveal: 'a card that is not cancelled',
  'manual-retry': 'a delivery with status failed (card-sandbox events list --status failed)',
  'webhook-config': 'the URL together with a webhookSecret, unless one is stored',
  'webhook-config-origin': 'the same request from a server, or from a page of this machine',
  'rate-limit': 'the same request after Retry-After seconds, or after card-sandbox clock advance 60s',
  'internal-error': 'this request: it hit a bug in the sandbox, whose stack is on standard error',
  faults: 'the same request without the fault (card-sandbox faults clear)',
};

/** The same for the structured errors of interface section 7.2, by their codes. */
const BY_CODE: Readonly<Record<string, string>> = {
  EMAIL_ALREADY_REGISTERED:
    'an email address that no other cardholder of this partner has; existingCardholderId names the one that has it',
  CARDHOLDER_KYC_LOCKED:
    'no import for this external id, which stays locked. Submit its KYC again after a rejection with POST /v1/partner/cardholders/{id}/kyc, or import with another externalUserId and email address',
};

/** The same for other documented rules, by the section of the interface. */
const BY_SECTION: Readonly<Record<string, string>> = {
  '2.6':
    'an https:// URL without user name and password (card-sandbox forward URL sends webhooks to a local receiver instead)',
  '4.1':
    'an unused share token (card-sandbox share-tokens add issues one), the kycSource that the cardholder was created with, and a cardholder with status active',
};

/** Returns lines that say what the sandbox would have accepted instead of a refused request. */
export function acceptedInput(entry: JournalEntry, table: readonly Operation[]): string[] {
  const { refusal, rule, status, responseBody } = entry;
  if (refusal === null) return [];
  const code = /"code":"(\w+)"/.exec(responseBody)?.[1] ?? '';
  const assumption = rule?.kind === 'assumed' ? rule.id : '';
  const section = rule?.kind === 'documented' ? rule.section : '';
  const specific = BY_CODE[code] ?? BY_RULE[assumption] ?? BY_SECTION[section];
  const general =
    status === 429 ? BY_RULE['rate-limit'] : status === 401 ? BY_RULE.authentication : undefined;
  const operation = table.find(each => each.id === entry.operation);
  const isAboutInput = assumption === 'invalid-input' && operation !== undefined;
  const fields = isAboutInput
    ? [...fieldsOf('query', operation.query), ...fieldsOf('body', variantOf(operation.body, entry))]
    : [];
  if (fields.length > 0) return ['a request with these fields, for example:', ...fields];
  const known = specific ?? general;
  return known === undefined ? [] : [known];
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

function fieldsOf(where: 'query' | 'body', schema: z.ZodType): string[] {
  return membersOf(schema).map(member => {
    const example = JSON.stringify(exampleValue(member));
    return `${where}.${member.path.join('.')}: ${example}${noteOn(member)}`;
  });
}

function noteOn(member: Member): string {
  const { choices, isRequired, about } = member;
  const rest = (choices ?? []).filter(choice => choice !== exampleValue(member));
  const others = rest.length === 0 ? '' : `, or ${rest.join(', ')}`;
  return `${others}${isRequired ? ', required' : ''}${about === null ? '' : ` (${about})`}`;
}

/** Values by the name of a member, as the records of the fixture `starter` have them. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'ana@example.org',
  phoneNumber: '+351912345678',
  kycSource: 'idp1',
  kycSessionId: 'kycs_omar_pending',
  idp1ShareToken: 'idp1_test_approve_1',
  idp2ShareToken: 'idp2_test_approve_1',
  externalUserId: 'user-1',
  residenceCountryCode: 'PT',
  residenceStateProvince: 'Lisboa',
  residenceCity: 'Lisboa',
  residenceAddressDetail: 'Rua Augusta 1',
  postalCode: '1100-048',
  cardholderId: 'ch_mia_approved',
  cardId: 'card_mia_active',
  cardProgramId: 'prog_travel',
  nameOnCard: 'ANA SILVA',
  redirectUrl: 'https://app.example.org/done',
  stylesheetUrl: 'https://app.example.org/card.css',
  webhookUrl: 'https://app.example.org/webhooks',
  webhookSecret: 'whsec_0123456789abcdef',
  subscribedEvents: ['card.issued'],
  page: 1,
  limit: 100,
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
  billingPeriod: '2026-01',
};

const BY_KIND: Readonly<Record<Member['kind'], unknown>> = {
  text: 'text',
  number: 12.5,
  flag: true,
  json: {},
  texts: ['text'],
  pairs: {},
};

/** Returns a value that the schema of a member accepts. */
export function exampleValue({ path, kind, choices }: Member): unknown {
  const known = BY_NAME[path.at(-1) ?? ''];
  if (choices === null) return known ?? BY_KIND[kind];
  return typeof known === 'string' && choices.includes(known) ? known : choices[0];
}
