import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { hashKey } from '../../../src/core/store/persistent/hash-index.ts';
import { Table } from '../../../src/core/store/table.ts';
import {
  type Change,
  defineTable,
  type RowOf,
  rowSchema,
  type TableSnapshot,
} from '../../../src/core/store/table-definition.ts';
import { RandomStream } from '../../../src/core/values/random.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/assumptions/settings.ts';

const ASSUMPTIONS = DEFAULT_SETTINGS.values;

const PARTNERS = ['p', 'q'];
const NAMES = ['a', 'b', 'c', 'd'];
const SHELVES = ['x', 'y', '1'];
const MAX_TIME = 9;
const PERIODS = [
  [3, 6],
  [undefined, 2],
  [8, undefined],
  [5, 4],
] as const;

const Note = rowSchema(() => ({
  name: z.string().nullable(),
  shelf: z.string(),
  text: z.string(),
  time: z.int(),
}));
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
  return {
    table: new Table(notes, ({ kind, id, action }) => changes.push({ kind, id, action }), ASSUMPTIONS),
    changes,
  };
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
      expect([within.at(-1), within.at(-rows.length - 1), within.at(rows.length)]).toEqual([
        rows.at(-1),
        undefined,
        undefined,
      ]);
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
    id: fc.nat(15).map(number => `n${number}`),
    partnerId: fc.constantFrom(...PARTNERS),
    name: fc.option(fc.constantFrom(...NAMES)),
    shelf: fc.constantFrom(...SHELVES),
    time: fc.nat(MAX_TIME),
    action: fc.constantFrom('write', 'write', 'write', 'write', 'fill', 'thin', 'delete', 'snapshot', 'copy'),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.boolean(), (steps, isNewestFirst) => {
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
            const id = `${members.id} ${number}`;
            const row = { ...members, name: id, shelf: `${number % 9}`, text: '', id, time: number % 7 };
            if (copy.table.get(row.id) === undefined) copy.model = [...copy.model, copy.table.insert(row)];
          }
        } else if (action === 'thin') {
          const [gone, left] = partition(copy.model, ({ time }) => time === members.time);
          for (const { id } of gone) copy.table.delete(id);
          copy.model = left;
        } else copy.model = written(copy.table, copy.model, { ...members, text: action });
      }
      for (const { table, model } of copies) expectEqual(table, model);
      for (const { snapshot, model } of isNewestFirst ? snapshots.reverse() : snapshots) {
        expect([...snapshot.values()]).toEqual(model);
        const [length, first] = [model.length, model[0]];
        expect([snapshot.size, has(snapshot, first?.id ?? 'none')]).toEqual([length, length > 0]);
        expectEqual(new Table(notes, () => undefined, ASSUMPTIONS, snapshot), model);
      }
    }),
  );
});

function has(snapshot: TableSnapshot, id: string): boolean {
  return snapshot.open().find(0, id) !== undefined;
}

function partition(model: Model, isFirst: (row: Note) => boolean): readonly [Model, Model] {
  return [model.filter(isFirst), model.filter(row => !isFirst(row))];
}

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
    expect(() => table.getOwn('p', id)).toThrow(`no note with id "${id}"`);
  }
  expect(table.getOwn('q', '1').id).toBe('1');
});

test('a row that moves to another group keeps its place in the order of creation', () => {
  const { table } = newTable();
  for (const id of ['1', '2', '3']) table.insert(note(id, { shelf: id === '2' ? 'x' : 'y' }));
  table.update('2', { shelf: 'y' });
  expect([...table.group('shelf', 'y')].map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(table.group('shelf', 'x').length).toBe(0);
});

test.each([1, 0])('a list that has shrunk to %i rows grows again', left => {
  const { table } = newTable();
  const ids = ['1', '2', '3'];
  for (const id of ids) table.insert(note(id));
  for (const id of ids.slice(left)) table.delete(id);
  for (const id of ['4', '5']) table.insert(note(id));
  expect([...table.group('shelf', 's')].map(({ id }) => id)).toEqual([...ids.slice(0, left), '4', '5']);
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
  expect(Array.from(earlier.values(), ({ id }) => id)).toEqual(ids);
});

test('a snapshot and its copies stay as they are while the table grows and shrinks', () => {
  const { table } = newTable();
  const fill = (target: NoteTable, from: number, to: number) => {
    for (let number = from; number < to; number++) {
      target.insert(note(`n${number}`, { name: `name ${number}`, shelf: `shelf ${number}` }));
    }
  };
  fill(table, 0, 1_000);
  const model = [...table.all()];
  const snapshot = table.snapshot();
  const copy = new Table(notes, () => undefined, ASSUMPTIONS, snapshot);
  fill(table, 1_000, 2_000);
  for (const { id } of model) table.update(id, { name: `later ${id}`, shelf: `later ${id}` });
  for (const { id } of model) {
    expect([copy.find('name', `later ${id}`), copy.group('shelf', `later ${id}`).length]).toEqual([
      undefined,
      0,
    ]);
  }
  for (const row of model) {
    // As in the table before, in whose indexes these rows are already.
    copy.update(row.id, { shelf: `later ${row.id}` });
    expect(copy.group('shelf', `later ${row.id}`).length).toBe(1);
    copy.update(row.id, { shelf: row.shelf });
  }
  for (const { id } of model) table.delete(id);
  fill(copy, 1_000, 1_500);
  for (const each of [copy, new Table(notes, () => undefined, ASSUMPTIONS, snapshot)]) {
    for (const row of model) {
      expect(each.get(row.id)).toEqual(row);
      expect(each.find('name', row.name ?? '')).toEqual(row);
      expect([...each.group('shelf', row.shelf)]).toEqual([row]);
    }
  }
  expect([table.get('n1499')?.name, copy.get('n1499')?.name]).toEqual(['name 1499', 'name 1499']);
  expect([table.size, copy.size, copy.get('n1500'), has(snapshot, 'n1000')]).toEqual([
    1_000,
    1_500,
    undefined,
    false,
  ]);
});

/** Texts with the same hash: each part has two forms that lead from the hash of what is before it to the same hash. */
function collidingTexts(parts: number): string[] {
  const stream = new RandomStream(1, 'texts');
  let texts = [''];
  for (let part = 0; part < parts; part++) {
    const [before = ''] = texts;
    const known = new Map<number, string>();
    for (;;) {
      const form = stream.letters(8);
      const hash = hashKey(before + form);
      const other = known.get(hash);
      known.set(hash, form);
      if (other === undefined) continue;
      texts = texts.flatMap(text => [text + other, text + form]);
      break;
    }
  }
  return texts;
}

test('rows whose ids have the same hash are found, and deleted', () => {
  const ids = collidingTexts(8);
  expect(new Set(ids.map(hashKey)).size).toBe(1);
  const { table } = newTable();
  for (const id of ids) table.insert(note(id));
  const snapshot = table.snapshot();
  for (const id of ids) expect(table.get(id)?.id).toBe(id);
  for (const id of ids.slice(1)) table.delete(id);
  expect(ids.filter(id => table.get(id) !== undefined)).toEqual(ids.slice(0, 1));
  expect(ids.filter(id => has(snapshot, id))).toEqual(ids);
});
