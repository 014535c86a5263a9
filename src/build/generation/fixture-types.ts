import { FixtureFile } from '../../sandbox/fixtures/file/schema.ts';
import { print } from './type-printer.ts';
import { at, isSame, item, type Type, typeOf, withOptional } from './types.ts';

const file = typeOf(FixtureFile, 'input');
const record = (kind: string) => item(at(file, [kind]));
const card = record('cards');
const ownCard = at(record('cardholders'), ['card']);
const transaction = item(at(card, ['transactions']));

/** The types of the records in a fixture and of their parts: name, doc comment and schema. */
const TYPES: readonly (readonly [name: string, comment: string, type: Type])[] = [
  [
    'OutcomeInput',
    'What the simulated provider decides; `manual` waits for the control plane.',
    at(record('shareTokens'), ['outcome']),
  ],
  [
    'IdentityInput',
    "Any part of a person's identity; what is left out is generated.",
    at(record('shareTokens'), ['identity']),
  ],
  [
    'AddressInput',
    'Any part of an address; what is left out is generated.',
    at(record('cardholders'), ['address']),
  ],
  ['SpendLimitsInput', 'Spending limits of one kind; 0 allows nothing.', at(card, ['spendControl', 'sales'])],
  ['SpendControlInput', 'Spending limits of both kinds.', at(card, ['spendControl'])],
  ['MerchantInput', 'Any part of a merchant; what is left out is generated.', at(transaction, ['merchant'])],
  ['DeclineReasonInput', 'Why an authorization is declined.', at(transaction, ['declineReason'])],
  ['TransactionInput', 'A transaction of a card, in its final state or still authorized.', transaction],
  [
    'OwnTransactionInput',
    'A transaction of a card inside a cardholder.',
    item(at(ownCard, ['transactions'])),
  ],
  [
    'OwnCardInput',
    'A card inside a cardholder. It has no id, because the cardholder may stand for several.',
    ownCard,
  ],
  ['PartnerInput', 'A partner, with its API key, settings and webhook configuration.', record('partners')],
  [
    'ProgramInput',
    'A card program. Its limits are the defaults of its cards.',
    withOptional(record('cardPrograms'), 'id'),
  ],
  ['ShareTokenInput', 'A share token of a donor partner, ready to use.', record('shareTokens')],
  [
    'KycSessionInput',
    'A KYC session. A pending one expires 24 hours after `createdAt`.',
    withOptional(record('kycSessions'), 'id'),
  ],
  [
    'CardholderInput',
    'A cardholder, or with `generate` several of them. What is left out is generated.',
    record('cardholders'),
  ],
  ['CardInput', 'A card of an approved cardholder.', card],
  ['UsageInput', 'A usage record.', record('usage')],
];

/** Returns the declarations of the types of fixtures in code. They differ from files in ids that code may leave out. */
export function fixtureTypes(): string {
  const declarations = TYPES.map(([name, comment, type]) => {
    const text = print(type, nameOf);
    return `/** ${comment} */\nexport ${type.kind === 'object' ? `interface ${name} ` : `type ${name} = `}${text}\n`;
  });
  return `import type { Duration } from '../../../core/values/duration.ts';\n\n${declarations.join('\n')}`;
}

function nameOf(type: Type): string | undefined {
  return TYPES.find(([, , each]) => isSame(each, type))?.[0];
}
