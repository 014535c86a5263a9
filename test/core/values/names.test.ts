import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createNameTranslator,
  type Names,
  type NameTranslator,
  NEUTRAL_NAMES,
  nameProblem,
} from '../../../src/core/values/names.ts';

const NAMES: Names = { service: 'acme', idp1: 'checkly', idp2: 'veriFace' };

function translator(names: Names = NAMES): NameTranslator {
  const made = createNameTranslator(names);
  if (made === null) throw new Error('the names are the neutral words');
  return made;
}

const provider = fc.constantFrom('idp1', 'idp2', 'checkly', 'veriFace', 'web', 'api', 'foo');
const fieldName = fc.oneof(
  provider.map(word => `${word}ShareToken`),
  fc.constantFrom('kycSource', 'firstName', 'idp1', '__proto__', 'checkly', 'shareToken'),
  fc.string(),
);
const text = fc.oneof(
  provider,
  fc
    .tuple(provider, fc.constantFrom('_test_approve_', '_test_reject_', '_test_', '_'))
    .map(([a, b]) => `${a}${b}1`),
  fc.string(),
);
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(1, null, true),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fieldName, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));
const someNames = fc
  .record(
    {
      service: fc.constantFrom('acme', 'Acme-Pay', 'service'),
      idp1: fc.constantFrom('checkly', 'idp2', 'idp1', 'veriFace'),
      idp2: fc.constantFrom('veriFace', 'idp1', 'foo', 'idp2'),
    },
    { requiredKeys: [] },
  )
  .filter(
    names =>
      NEUTRAL_NAMES.every(word => nameProblem(word, names) === null) && createNameTranslator(names) !== null,
  );

test('translating and translating back restores the original, in both directions', () => {
  fc.assert(
    fc.property(someNames, json, (names, value) => {
      const { toNeutral, toPartner } = translator(names);
      expect(toNeutral(toPartner(value))).toEqual(value);
      expect(toPartner(toNeutral(value))).toEqual(value);
      expect(JSON.stringify(toNeutral(toPartner(value)))).toBe(JSON.stringify(value));
    }),
  );
});

test('only fields, sources and magic tokens change', () => {
  const value = {
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_idp1',
    idp2ShareToken: 'tok_idp1',
    firstName: 'idp1',
    note: 'idp1_test_approve_1',
    data: [{ kycSource: 'idp2', externalUserId: 'idp2' }, 'idp1'],
  };
  expect(translator().toPartner(value)).toEqual({
    kycSource: 'checkly',
    checklyShareToken: 'checkly_test_approve_idp1',
    veriFaceShareToken: 'tok_idp1',
    firstName: 'idp1',
    note: 'idp1_test_approve_1',
    data: [{ kycSource: 'veriFace', externalUserId: 'idp2' }, 'idp1'],
  });
});

test('a renamed field is unknown under its neutral name', () => {
  expect(translator().toNeutral({ idp1ShareToken: 'idp1_test_approve_1', kycSource: 'idp1' })).toEqual({
    checklyShareToken: 'checkly_test_approve_1',
    kycSource: 'checkly',
  });
});

test('messages translate whole names, not parts of other words', () => {
  const { text } = translator();
  expect(text('header x-service-api-key is missing')).toBe('header x-acme-api-key is missing');
  expect(text('X-Service-Signature')).toBe('X-Acme-Signature');
  expect(text('body.idp1ShareToken: or make one up as idp1_test_approve_<anything>')).toBe(
    'body.checklyShareToken: or make one up as checkly_test_approve_<anything>',
  );
  expect(text('must be one of "web", "idp1", "idp2"')).toBe('must be one of "web", "checkly", "veriFace"');
  const others = 'idp2-variant /partner/idp1 idp1@example.com idp1.com the service checkly my-idp1 sk_test_1';
  expect(text(others)).toBe(others);
});

test('values below the maximum depth are not translated', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(() => translator().toNeutral({ deep })).not.toThrow();
});

test.each([
  [{ service: 'a b' }, 'service', /header name/],
  [{ service: '' }, 'service', /header name/],
  [{ service: 'ü' }, 'service', /header name/],
  [{ idp1: 'two words' }, 'idp1', /field name/],
  [{ idp1: '1st' }, 'idp1', /field name/],
  [{ idp1: 'my_idp' }, 'idp1', /field name/],
  [{ idp1: 'Web' }, 'idp1', /values of kycSource/],
  [{ idp1: 'same', idp2: 'Same' }, 'idp1', /differ from the name of idp2/],
  [{ idp1: 'idp2' }, 'idp1', /differ from the name of idp2/],
  [{ idp2: 'x'.repeat(41) }, 'idp2', /at most 40/],
] as const)('%j is refused', (names, word, problem) => {
  expect(nameProblem(word, names)).toMatch(problem);
});
