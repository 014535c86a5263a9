import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreatedRecord, compareRuns } from '../../../src/tools/exam/doubles.ts';

/** A card of one cardholder, which all requests say again. */
const card = (id: string, members: Partial<CreatedRecord> = {}): CreatedRecord => ({
  kind: 'card',
  id,
  call: `req_${id}`,
  by: null,
  scope: 'main',
  owner: 'ch_1',
  ownerName: 'Mia',
  content: { cardProgramId: 'prog_a' },
  shape: 'card',
  isUndone: false,
  ...members,
});

test('a double consists of the records that remain, not of one that the app has undone', () => {
  const records = [card('undone', { by: 'drop', isUndone: true }), card('second'), card('third')];
  const { doubles, remarks } = compareRuns([card('only')], records);
  expect(doubles).toMatchObject([
    { records: ['second', 'third'], calls: ['req_second', 'req_third'], by: null },
  ]);
  expect(remarks).toEqual([]);
});

test('a double of which the app has undone one record is a remark that names both', () => {
  const records = [card('lost', { by: 'drop', isUndone: true }), card('second')];
  expect(compareRuns([card('only')], records)).toEqual({
    doubles: [],
    remarks: [
      {
        text: '2 cards of Mia: req_lost created lost, and req_second created second; one was cancelled by the end',
        by: 'drop',
      },
    ],
  });
});

test('a double is one although all cards are cancelled by the end, where they are in the undisturbed run too', () => {
  const undone = (id: string) => card(id, { isUndone: true });
  const found = { doubles: [{ records: ['lost', 'second'] }], remarks: [] };
  const both = [card('lost', { by: 'drop', isUndone: true }), undone('second')];
  expect(compareRuns([undone('only')], both)).toMatchObject(found);
  expect(compareRuns([undone('only')], [undone('other')])).toEqual({ doubles: [], remarks: [] });
  // The undisturbed run leaves one of two cards, so the app has undone the third.
  const three = [card('first'), card('lost', { by: 'drop', isUndone: true }), undone('third')];
  expect(compareRuns([card('first'), undone('second')], three).remarks).toHaveLength(1);
});

interface Group {
  readonly kind: CreatedRecord['kind'];
  readonly owner: string;
  readonly program: string;
  /** How many records the same request created. */
  readonly size: number;
}

const anyGroups: fc.Arbitrary<Group[]> = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('card', 'cardholder', 'KYC session'),
    owner: fc.constantFrom('Mia', 'Lena', 'Omar'),
    program: fc.constantFrom('a', 'b'),
    size: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 8, selector: ({ kind, owner, program }) => [kind, owner, program].join() },
);

/** What a run creates: ids and the names of owners differ from run to run. */
const recordsOf = (groups: readonly Group[], run: string, members: Partial<CreatedRecord> = {}) =>
  groups.flatMap(({ kind, owner, program, size }) =>
    new Array(size).fill(0).map((_, index) =>
      card(`${run}_${kind}_${owner}_${program}_${index}`, {
        ...{ kind, owner: `${run}_${owner}`, ownerName: owner, content: { program } },
        ...{ shape: program, ...members },
      }),
    ),
  );

test('runs that create the same differ in nothing, whatever their ids are and in whichever order', () => {
  const property = fc.property(anyGroups, fc.boolean(), (groups, areNamed) => {
    const names = areNamed ? {} : { ownerName: 'drawn at random' };
    const again = recordsOf(groups, 'second', names).toReversed();
    expect(compareRuns(recordsOf(groups, 'first', names), again)).toEqual({ doubles: [], remarks: [] });
  });
  fc.assert(property);
});

test('of a request that failed and was applied once more, the double or remark is one, with its misbehaviour', () => {
  const property = fc.property(anyGroups, fc.nat(), (groups, choice) => {
    const chosen = groups[choice % groups.length];
    if (chosen === undefined) return;
    const [lost, ...more] = recordsOf([{ ...chosen, size: chosen.size + 1 }], 'second');
    const rest = recordsOf(
      groups.filter(each => each !== chosen),
      'second',
    );
    const records = [...rest, { ...lost, by: 'drop' } as CreatedRecord, ...more];
    const { doubles, remarks } = compareRuns(recordsOf(groups, 'first'), records);
    const found = chosen.kind === 'KYC session' ? remarks : doubles;
    expect([doubles.length + remarks.length, found]).toMatchObject([1, [{ by: 'drop' }]]);
    if (chosen.kind !== 'KYC session') expect(doubles[0]?.records).toEqual([lost?.id, more[0]?.id]);
  });
  fc.assert(property);
});

test('a cardholder that a request created once more is a double only where the request had failed', () => {
  const [one, other] = recordsOf([{ kind: 'cardholder', owner: 'Acme', program: 'a', size: 2 }], 'run');
  if (one === undefined || other === undefined) throw new Error('there are two');
  expect(compareRuns([one], [{ ...one, by: 'drop' }, other]).doubles).toHaveLength(1);
  const { doubles, remarks } = compareRuns([one], [one, other]);
  expect(doubles).toEqual([]);
  expect(remarks).toEqual([{ text: '2 cardholders were created, 1 in the undisturbed run', by: null }]);
});
