import { expect, test } from 'vitest';
import { runSteps } from '../../../../src/core/time/turns.ts';
import { STATE_FORMAT, STATE_VERSION } from '../../../../src/core/world/state-document.ts';
import { checkShape, wrongNames } from '../../../../src/sandbox/state/document/state-shape.ts';
import { writeState } from '../../../../src/sandbox/state/document/state-writer.ts';
import { tables } from '../../../../src/sandbox/tables.ts';
import { tasks } from '../../../../src/sandbox/tasks.ts';

const check = (document: unknown) => runSteps(checkShape(document));

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

test.each(['random', 'counts', 'tables', 'secrets.drawn'])(
  'a member of %s with a name that schemas skip is refused',
  place => {
    const hidden: unknown = JSON.parse('{"__proto__": []}');
    const [name = '', inner] = place.split('.');
    const member = inner === undefined ? hidden : { key: 'k', [inner]: hidden };
    const document = { format: STATE_FORMAT, version: STATE_VERSION, [name]: member };
    expect(() => check(document)).toThrow(`${place}.__proto__: is unknown; remove it`);
  },
);

test('an unknown table or timer is refused with the nearest name, or with all that are known', () => {
  const document = check(JSON.parse(written()));
  const problemsOf = (table: string, kind: string) => [
    ...wrongNames({
      ...document,
      tables: { ...document.tables, [table]: [] },
      counts: { ...document.counts, [table]: 0 },
      clock: { ...document.clock, timers: [{ kind, ref: 'x', at: document.clock.now }] },
    }),
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
