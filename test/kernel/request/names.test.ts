import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createNameTranslator,
  type Names,
  type NameTranslator,
  NEUTRAL_NAMES,
  nameProblem,
} from '../../../src/kernel/request/names.ts';

const NAMES: Names = { service: 'acme', idp1: 'checkly', idp2: 'veriFace' };

function words(names: Names = NAMES): NameTranslator {
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

test('there and back is where it came from, in both directions, whatever is said', () => {
  fc.assert(
    fc.property(someNames, json, (names, value) => {
      const { toNeutral: inside, toPartner } = words(names);
      expect(inside(toPartner(value))).toEqual(value);
      expect(toPartner(inside(value))).toEqual(value);
      expect(JSON.stringify(inside(toPartner(value)))).toBe(JSON.stringify(value));
    }),
  );
});

test('fields, sources and magic tokens change, and nothing else does', () => {
  const said = {
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_idp1',
    idp2ShareToken: 'tok_idp1',
    firstName: 'idp1',
    note: 'idp1_test_approve_1',
    data: [{ kycSource: 'idp2', externalUserId: 'idp2' }, 'idp1'],
  };
  expect(words().toPartner(said)).toEqual({
    kycSource: 'checkly',
    checklyShareToken: 'checkly_test_approve_idp1',
    veriFaceShareToken: 'tok_idp1',
    firstName: 'idp1',
    note: 'idp1_test_approve_1',
    data: [{ kycSource: 'veriFace', externalUserId: 'idp2' }, 'idp1'],
  });
});

test('a word that was renamed is unknown under its old name', () => {
  expect(words().toNeutral({ idp1ShareToken: 'idp1_test_approve_1', kycSource: 'idp1' })).toEqual({
    checklyShareToken: 'checkly_test_approve_1',
    kycSource: 'checkly',
  });
});

test('messages use the names where a word is meant, not where it is part of another', () => {
  const { text } = words();
  expect(text('header x-service-api-key is missing')).toBe('header x-acme-api-key is missing');
  expect(text('X-Service-Signature')).toBe('X-Acme-Signature');
  expect(text('body.idp1ShareToken: or make one up as idp1_test_approve_<anything>')).toBe(
    'body.checklyShareToken: or make one up as checkly_test_approve_<anything>',
  );
  expect(text('must be one of "web", "idp1", "idp2"')).toBe('must be one of "web", "checkly", "veriFace"');
  const others = 'idp2-variant /partner/idp1 idp1@example.com idp1.com the service checkly my-idp1 sk_test_1';
  expect(text(others)).toBe(others);
});

test('what is nested deeper than any stack is left alone', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(() => words().toNeutral({ deep })).not.toThrow();
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
] as const)('%j has a problem', (names, word, problem) => {
  expect(nameProblem(word, names)).toMatch(problem);
});
