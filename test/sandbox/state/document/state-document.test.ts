import { expect, test } from 'vitest';
import type { AnyTable } from '../../../../src/core/store/table-definition.ts';
import { STATE_FORMAT, STATE_VERSION } from '../../../../src/core/world/state-document.ts';
import { StateParser } from '../../../../src/sandbox/state/document/state-parser.ts';
import { checkShape, wrongNames } from '../../../../src/sandbox/state/document/state-shape.ts';
import { writeState } from '../../../../src/sandbox/state/document/state-writer.ts';
import { tables } from '../../../../src/sandbox/tables.ts';
import { tasks } from '../../../../src/sandbox/tasks.ts';

const byName = new Map<string, AnyTable>(Object.entries(tables));

function parse(text: string) {
  const parser = new StateParser(name => byName.get(name));
  parser.write(Buffer.from(text));
  return parser.end();
}

const EMPTY = {
  seed: 42,
  clock: { now: 0, frozen: true, advancedMs: 0, timers: [] },
  random: [],
  secrets: null,
  tables: new Map(),
};
const written = () => Buffer.concat([...writeState(EMPTY, tables)]).toString();

test('a table of which a snapshot knows nothing is written as an empty list', () => {
  const { counts, tables: lists } = JSON.parse(written());
  expect(Object.keys(lists)).toEqual(Object.keys(tables));
  for (const name of Object.keys(tables)) expect([name, lists[name], counts[name]]).toEqual([name, [], 0]);
});

test('only the list in the clock has timers, whatever other lists are called', () => {
  const document = { random: { timers: [7] }, counts: { timers: 1 }, clock: { timers: [7] } };
  expect(parse(JSON.stringify(document))).toEqual({
    value: { ...document, clock: { timers: [] } },
    timerProblems: ['clock.timers[0]: must be an object'],
  });
});

test.each(['random', 'counts', 'tables', 'secrets.drawn'])(
  'a member of %s with a name that schemas skip is refused',
  place => {
    const hidden: unknown = JSON.parse('{"__proto__": []}');
    const [name = '', inner] = place.split('.');
    const member = inner === undefined ? hidden : { key: 'k', [inner]: hidden };
    const document = { format: STATE_FORMAT, version: STATE_VERSION, [name]: member };
    expect(() => checkShape(document, [])).toThrow(`${place}.__proto__: is unknown; remove it`);
  },
);

test('an unknown table or timer is refused with the nearest name, or with all that are known', () => {
  const { value } = parse(written());
  const document = checkShape(value, []);
  const rows = document.tables.cards;
  if (rows === undefined) throw new Error('there is a table of cards');
  const problemsOf = (table: string, kind: string) => [
    ...wrongNames(
      {
        ...document,
        tables: { ...document.tables, [table]: rows },
        counts: { ...document.counts, [table]: 0 },
        clock: { ...document.clock, timers: [{ kind, ref: 'x', at: document.clock.now }] },
      },
      { tables, tasks, rowRules: [] },
    ),
  ];
  expect(problemsOf('card', 'kyc.decid')).toEqual([
    'tables.card: is not a table, did you mean "cards"?',
    'clock.timers[0]: "kyc.decid" is not a kind of timer, did you mean "kyc.decide"?',
  ]);
  expect(problemsOf('unheardOf', 'unheardOf')).toEqual([
    `tables.unheardOf: is not a table; known are ${Object.keys(tables).join(', ')}`,
    `clock.timers[0]: "unheardOf" is not a kind of timer; known are ${Object.keys(tasks).join(', ')}`,
  ]);
});
