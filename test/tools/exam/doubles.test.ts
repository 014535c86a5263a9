import { expect, test } from 'vitest';
import { type CreatedRecord, compareRuns, type DoubledKind } from '../../../src/tools/exam/doubles.ts';

/** The records of a run from lines of a kind, an owner, and words: `lost`, `undone`, a scope, or `limit=5`. */
function run(...lines: readonly string[]): CreatedRecord[] {
  return lines.map((line, index) => {
    const [kind = '', ownerName = '', ...words] = line.split(' ');
    const content = words.find(word => word.startsWith('limit=')) ?? '';
    const kinds: Record<string, DoubledKind> = { card: 'card', person: 'cardholder', session: 'KYC session' };
    return {
      kind: kinds[kind] ?? 'card',
      id: `${kind}_${index}`,
      call: `req_${index}`,
      shape: 'virtual',
      isAffected: words.includes('lost'),
      isUndone: words.includes('undone'),
      scope: words.find(word => word.startsWith('test')) ?? 'test1',
      ...(kind === 'card'
        ? { owner: `ch_${ownerName}`, ownerName, content: { content } }
        : { owner: 'acme', ownerName, content: { phone: ownerName } }),
    };
  });
}

/** The doubles of a run as their calls. */
function calls(before: readonly CreatedRecord[], after: readonly CreatedRecord[]): string[] {
  return compareRuns(before, after).doubles.map(double => double.calls.join(' '));
}

test('a card that was issued again after its response was lost is a double, with both calls', () => {
  const { doubles, remarks } = compareRuns(
    run('card ada', 'card bob'),
    run('card ada', 'card bob lost', 'card bob'),
  );
  expect(doubles).toEqual([
    { kind: 'card', ownerName: 'bob', calls: ['req_1', 'req_2'], records: ['card_1', 'card_2'] },
  ]);
  expect(remarks).toEqual([]);
});

test('a double is found among users that are drawn at random, and in a run that stopped early', () => {
  expect(calls(run('card u1', 'card u2', 'card u3'), run('card u7', 'card u8 lost', 'card u8'))).toEqual([
    'req_1 req_2',
  ]);
  expect(calls(run('card u1', 'card u2', 'card u3'), run('card u8 lost', 'card u8'))).toEqual([
    'req_0 req_1',
  ]);
});

test('each card that a repeated webhook issues again is a double', () => {
  const twice = run('card ada', 'card ada', 'card bob', 'card bob');
  expect(calls(run('card ada', 'card bob'), twice)).toEqual(['req_0 req_1', 'req_2 req_3']);
});

test.each<[string, CreatedRecord[], CreatedRecord[]]>([
  ['the same', run('card ada', 'card bob'), run('card ada', 'card bob')],
  ['the same in another order', run('card ada', 'card bob'), run('card bob', 'card ada')],
  ['other random users', run('card u1', 'card u2'), run('card u3', 'card u4')],
  ['a second card that is wanted', run('card ada', 'card ada'), run('card ada lost', 'card ada')],
  ['a second card of a random user', run('card u1', 'card u1'), run('card u2 lost', 'card u2')],
  ['fewer, because the command stopped', run('card ada', 'card ada', 'card bob'), run('card ada')],
  ['the same user after each reset', run('card ada', 'card ada test2'), run('card ada', 'card ada test2')],
  ['a test that ran again', run('card ada', 'card bob'), run('card ada', 'card ada test2', 'card bob')],
  ['a test with two cards that ran again', run('card u1', 'card u1'), run(...twoOf('u2'), ...twoOf('u3'))],
  ['different cards of one user', run('card ada limit=1'), run('card ada limit=1', 'card ada limit=2')],
  ['people with one phone', run('person x', 'person x'), run('person x lost', 'person x')],
  ['another person, with no response lost', run('person x'), run('person x', 'person x')],
])('no double: %s', (_, before, after) => {
  expect(compareRuns(before, after).doubles).toEqual([]);
});

function twoOf(user: string): string[] {
  return [`card ${user}`, `card ${user}`];
}

test('a person that was created again after the response was lost is a double', () => {
  const { doubles } = compareRuns(run('person x', 'person y'), run('person x lost', 'person x', 'person y'));
  expect(doubles).toEqual([
    { kind: 'cardholder', ownerName: 'x', calls: ['req_0', 'req_1'], records: ['person_0', 'person_1'] },
  ]);
});

test('a double that was cancelled by the end is a remark', () => {
  expect(compareRuns(run('card ada'), run('card ada lost', 'card ada undone'))).toEqual({
    doubles: [],
    remarks: ['2 cards of ada: req_0 created card_0, and req_1 created card_1; one was cancelled by the end'],
  });
});

test('a card that was replaced is no double, and its double is one', () => {
  const replaced = run('card ada undone', 'card ada');
  expect(calls(replaced, run('card ada lost', 'card ada undone', 'card ada'))).toEqual(['req_0 req_2']);
  expect(calls(replaced, run('card ada lost undone', 'card ada undone', 'card ada'))).toEqual([]);
});

test('a card that stays although each one was to be cancelled is a double', () => {
  expect(calls(run('card ada undone'), run('card ada lost', 'card ada undone'))).toEqual(['req_0 req_1']);
});

test('a double is found beside other cards of the user, of which there are fewer', () => {
  const before = run('card ada limit=1', 'card ada limit=2', 'card ada limit=2');
  const after = run('card ada limit=1 lost', 'card ada limit=1', 'card ada limit=2');
  expect(calls(before, after)).toEqual(['req_0 req_1']);
});

test('doubled sessions, and more records for another reason, are remarks', () => {
  const { doubles, remarks } = compareRuns(
    run('session x', 'card ada'),
    run('session x lost', 'session x', 'card ada', 'card bob'),
  );
  expect(doubles).toEqual([]);
  expect(remarks).toEqual([
    '2 cards were created, 1 in the undisturbed run',
    '2 KYC sessions of x: req_0 created session_0, and req_1 created session_1; nobody can look a session up',
  ]);
});

test('one more record than none is said in the singular', () => {
  expect(compareRuns([], run('card ada')).remarks).toEqual(['1 card was created, 0 in the undisturbed run']);
  expect(compareRuns(run('card ada'), run('card ada')).remarks).toEqual([]);
});
