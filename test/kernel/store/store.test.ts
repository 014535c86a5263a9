import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type RowOf, rowSchema } from '../../../src/kernel/store/row.ts';
import { Table } from '../../../src/kernel/store/table.ts';
import { type Change, defineTable } from '../../../src/kernel/store/table-definition.ts';
import { DEFAULT_SETTINGS } from '../../../src/sandbox/assumptions/settings.ts';

const ASSUMPTIONS = DEFAULT_SETTINGS.values;

const PARTNERS = ['p', 'q'];
const NAMES = ['a', 'b', 'c', 'd'];
const SHELVES = ['x', 'y'];
const MAX_TIME = 9;
const PERIODS = [
  [3, 6],
  [undefined, 2],
  [8, undefined],
  [5, 4],
] as const;

const Note = rowSchema({ name: z.string().nullable(), shelf: z.string(), text: z.string(), time: z.int() });
type Note = RowOf<typeof Note>;

const notes = defineTable({
  kind: 'note',
  row: Note,
  unique: { name: row => row.name },
  groups: { shelf: row => row.shelf, byTime: () => '' },
  orders: { byTime: (a, b) => a.time - b.time },
  timeOf: row => row.time,
});

type NoteTable = Table<Note, 'name', 'shelf' | 'byTime'>;

function newTable() {
  const changes: Change[] = [];
  return { table: new Table(notes, change => changes.push(change), ASSUMPTIONS), changes };
}

const note = (id: string, members: Partial<Note> = {}): Note => ({
  id,
  partnerId: 'p',
  name: null,
  shelf: 's',
  text: '',
  time: 0,
  ...members,
});

/** What a table has to hold: its rows in the order of creation. */
type Model = readonly Note[];

function expectEqual(table: NoteTable, model: Model) {
  expect([...table.all()]).toEqual(model);
  expect(table.size).toBe(model.length);
  for (const row of model) expect(table.get(row.id)).toBe(row);
  expect(table.get('none')).toBeUndefined();
  for (const name of NAMES) expect(table.find('name', name)).toEqual(model.find(each => each.name === name));
  const lists = [
    ...PARTNERS.map(id => [table.ofPartner(id), model.filter(each => each.partnerId === id)] as const),
    ...SHELVES.map(
      shelf => [table.group('shelf', shelf), model.filter(each => each.shelf === shelf)] as const,
    ),
    [table.group('byTime', ''), model.toSorted((a, b) => a.time - b.time)] as const,
  ];
  for (const [list, expected] of lists) {
    expect(list.length).toBe(expected.length);
    expect([...list]).toEqual(expected);
    expect([...list.newestFirst(1)]).toEqual(expected.toReversed().slice(1));
    expect([list.at(0), list.at(-1), list.at(expected.length)]).toEqual([
      expected[0],
      expected.at(-1),
      undefined,
    ]);
    for (const [from, to] of PERIODS) {
      const within = list.within({ from, to });
      const rows = expected.filter(({ time }) => time >= (from ?? 0) && time <= (to ?? MAX_TIME));
      expect([within.length, ...within]).toEqual([rows.length, ...rows]);
      expect(within.at(-1)).toEqual(rows.at(-1));
    }
  }
  for (const row of model.slice(0, 3)) {
    const sequence = table.sequenceOf(row.id) ?? 0;
    const later = model
      .filter(each => each.partnerId === 'p')
      .filter(each => model.indexOf(each) >= model.indexOf(row));
    expect([...table.ofPartner('p').since(sequence)]).toEqual(later);
  }
}

test('any sequence of writes, snapshots and copies leaves each table and each snapshot equal to a plain list', () => {
  const step = fc.record({
    /** The table that is written to; copies are added at the end. */
    table: fc.nat(3),
    id: fc.nat(150).map(number => `n${number}`),
    partnerId: fc.constantFrom(...PARTNERS),
    name: fc.option(fc.constantFrom(...NAMES)),
    shelf: fc.constantFrom(...SHELVES),
    time: fc.nat(MAX_TIME),
    action: fc.constantFrom('write', 'write', 'write', 'write', 'fill', 'delete', 'snapshot', 'copy'),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), steps => {
      const copies: { table: NoteTable; model: Model }[] = [{ table: newTable().table, model: [] }];
      const snapshots: { snapshot: ReturnType<NoteTable['snapshot']>; model: Model }[] = [];
      for (const { table: chosen, action, ...members } of steps) {
        const copy = copies[chosen % copies.length] ?? { table: newTable().table, model: [] };
        if (action === 'snapshot') snapshots.push({ snapshot: copy.table.snapshot(), model: copy.model });
        else if (action === 'copy') {
          const table = new Table(notes, () => undefined, ASSUMPTIONS, copy.table.snapshot());
          copies.push({ table, model: copy.model });
        } else if (action === 'delete') {
          const known = copy.model.find(({ id }) => id === members.id);
          if (known === undefined) expect(() => copy.table.delete(members.id)).toThrow('no note with id');
          else expect(copy.table.delete(members.id)).toBe(known);
          copy.model = copy.model.filter(row => row !== known);
        } else if (action === 'fill') {
          for (let number = 0; number < 70; number++) {
            const row = { ...members, name: null, text: '', id: `${members.id} ${number}`, time: number % 7 };
            if (copy.table.get(row.id) === undefined) copy.model = [...copy.model, copy.table.insert(row)];
          }
        } else copy.model = written(copy.table, copy.model, { ...members, text: action });
      }
      for (const { table, model } of copies) expectEqual(table, model);
      for (const { snapshot, model } of snapshots) {
        const { rows } = snapshot;
        expect([...rows.values()]).toEqual(model);
        expect([...rows.keys()]).toEqual(model.map(({ id }) => id));
        expect([rows.size, rows.has(model[0]?.id ?? 'none')]).toEqual([model.length, model.length > 0]);
        expectEqual(new Table(notes, () => undefined, ASSUMPTIONS, snapshot), model);
      }
    }),
  );
});

/** Inserts or updates a row in both, unless its name is taken. */
function written(table: NoteTable, model: Model, row: Note): Model {
  const known = model.find(({ id }) => id === row.id);
  const isTaken = row.name !== null && model.some(({ id, name }) => name === row.name && id !== row.id);
  const { id, partnerId: _, ...members } = row;
  const write = () => (known === undefined ? table.insert({ ...row }) : table.update(id, members));
  if (isTaken) {
    expect(write).toThrow('name is taken');
    return model;
  }
  const result = write();
  return known === undefined ? [...model, result] : model.map(each => (each === known ? result : each));
}

test('rows are frozen, and an update does not change the old row', () => {
  const { table } = newTable();
  const before = table.insert(note('1', { text: 'old' }));
  const after = table.update('1', { text: 'new' });
  expect(Object.isFrozen(before) && Object.isFrozen(after)).toBe(true);
  expect([before.text, after.text, table.get('1')?.text]).toEqual(['old', 'new', 'new']);
});

test('every write is reported once, a refused one is not reported', () => {
  const { table, changes } = newTable();
  table.insert(note('1', { name: 'a' }));
  table.update('1', { text: 'new' });
  expect(() => table.insert(note('1'))).toThrow('already exists');
  expect(() => table.insert(note('2', { name: 'a' }))).toThrow('name is taken');
  expect(changes).toEqual([
    { kind: 'note', id: '1', action: 'created' },
    { kind: 'note', id: '1', action: 'updated' },
  ]);
  expect(table.get('2')).toBeUndefined();
});

test("another partner's row is not found", () => {
  const { table } = newTable();
  table.insert(note('1', { partnerId: 'q' }));
  for (const id of ['1', 'none']) {
    expect(() => table.owned('p', id)).toThrow(`no note with id "${id}"`);
  }
  expect(table.owned('q', '1').id).toBe('1');
});

test('a row that moves to another group keeps its place in the order of creation', () => {
  const { table } = newTable();
  for (const id of ['1', '2', '3']) table.insert(note(id, { shelf: id === '2' ? 'x' : 'y' }));
  table.update('2', { shelf: 'y' });
  expect([...table.group('shelf', 'y')].map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(table.group('shelf', 'x').length).toBe(0);
});

test('a long list stays in order when rows are removed from anywhere', () => {
  const { table } = newTable();
  const ids = Array.from({ length: 5_000 }, (_, index) => `n${(index * 389) % 5_000}`);
  for (const [index, id] of ids.entries()) table.insert(note(id, { time: Math.floor(index / 3) }));
  const earlier = table.snapshot();
  for (const id of ids) if (Number(id.slice(1)) % 11 !== 0) table.delete(id);
  const left = ids.filter(id => Number(id.slice(1)) % 11 === 0);
  expect([...table.group('shelf', 's')].map(({ id }) => id)).toEqual(left);
  const within = table.ofPartner('p').within({ from: 300, to: 900 });
  expect([...within].map(({ id }) => id)).toEqual(
    left.filter(id => ids.indexOf(id) >= 900 && ids.indexOf(id) < 2_703),
  );
  expect([...earlier.rows.keys()]).toEqual(ids);
});
