import type { JournalEntry } from '../../../client/feed-types.ts';
import { type Member, membersOf } from '../../from-operations/members.ts';
import type { Operation } from '../../from-operations/plan.ts';

/** What passes where a rule refused, by the name of the assumption behind it. */
const BY_RULE: Readonly<Record<string, string>> = {
  authentication:
    'the header x-service-api-key with the current key of a partner (card-sandbox partners list shows them)',
  'live-keys': 'a sandbox key, which begins with sk_test_ (card-sandbox partners list shows them)',
  'ip-allow-list':
    'a caller on the allow-list of the partner, or an empty list (card-sandbox partners get-settings)',
  'unknown-id': "the id of a record of the same partner; other partners' records do not exist for it",
  'unknown-operation': 'a method and a path of the interface, written as there',
  'documented-only': 'the same request to a sandbox that was started without --documented-only',
  'cardholder-uniqueness': 'an e-mail address and an external id that no cardholder of this partner has yet',
  'web-kyc': 'the id of a KYC session that is approved and not used yet (card-sandbox kyc-sessions approve)',
  'share-tokens': 'a token that is fresh and unused (card-sandbox share-token mints one)',
  'card-issuance': 'an active cardholder with approved KYC (card-sandbox cardholders show tells its state)',
  'kyc-initiation': 'an active cardholder whose KYC was not submitted yet, or was rejected',
  'rate-limit': 'the same request after Retry-After seconds, or after card-sandbox clock advance 60s',
  'internal-error': 'this should have passed: it is a fault of the sandbox; its stack is on standard error',
  faults: 'the same request once the fault is gone (card-sandbox faults clear)',
};

/** The same for the structured errors of interface section 7.2, by their codes. */
const BY_CODE: Readonly<Record<string, string>> = {
  EMAIL_ALREADY_REGISTERED:
    'an e-mail address that no other cardholder of this partner has; existingCardholderId names the one that has it',
  CARDHOLDER_KYC_LOCKED:
    'the import for an external id that has no cardholder yet, or one whose KYC was not submitted and who has no card; nothing unlocks a cardholder',
};

/** Says in lines of text what the sandbox would have accepted in the place of a refused request. */
export function whatPasses(entry: JournalEntry, table: readonly Operation[]): string[] {
  const { refusal, rule, status, response } = entry;
  if (refusal === null) return [];
  const code = /"code":"(\w+)"/.exec(response.body)?.[1] ?? '';
  const known = BY_CODE[code] ?? BY_RULE[rule?.id ?? ''];
  const general =
    status === 429 ? BY_RULE['rate-limit'] : status === 401 ? BY_RULE.authentication : undefined;
  const operation = table.find(each => each.id === entry.operation);
  const isAboutInput = rule?.id === 'invalid-input' && operation !== undefined;
  const fields = isAboutInput ? [...fieldsOf('query', operation), ...fieldsOf('body', operation)] : [];
  if (fields.length > 0) return ['a request whose values are of this kind:', ...fields];
  return [known ?? general ?? 'a request that keeps the rule above; the answer names what it asks for'];
}

function fieldsOf(where: 'query' | 'body', operation: Operation): string[] {
  return membersOf(operation[where]).map(member => `${where}.${member.path.join('.')}: ${kindOf(member)}`);
}

const KINDS: Readonly<Record<Member['kind'], string>> = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  json: 'JSON',
  texts: 'a list of texts',
  pairs: 'an object',
};

function kindOf({ kind, choices, isRequired, about }: Member): string {
  const what = choices === null ? KINDS[kind] : `one of ${choices.join(', ')}`;
  return `${what}${isRequired ? ', needed' : ''}${about === null ? '' : ` (${about})`}`;
}
