import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type RowOf, rowSchema } from '../../../src/kernel/store/row.ts';
import { Table } from '../../../src/kernel/store/table.ts';
import { type Change, defineTable } from '../../../src/kernel/store/table-definition.ts';

const Note = rowSchema({ name: z.string().nullable(), shelf: z.string(), text: z.string() });
type Note = RowOf<typeof Note>;

const notes = defineTable({
  kind: 'note',
  row: Note,
  unique: { name: row => row.name },
  groups: { shelf: row => row.shelf },
});

function newTable() {
  const changes: Change[] = [];
  return { table: new Table(notes, change => changes.push(change)), changes };
}

const note = (id: string, members: Partial<Note> = {}): Note => ({
  id,
  partnerId: 'p',
  name: null,
  shelf: 's',
  text: '',
  ...members,
});

test('any sequence of inserts, updates and deletes leaves the table equal to a plain list', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.record({
    id: word,
    partnerId: fc.constantFrom('p', 'q'),
    name: fc.option(word),
    shelf: fc.constantFrom('x', 'y'),
    text: fc.string(),
    isDelete: fc.nat(3).map(number => number === 0),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const { table } = newTable();
      const model: Note[] = [];
      for (const { isDelete, ...row } of steps) {
        const known = model.findIndex(({ id }) => id === row.id);
        if (isDelete) {
          if (known === -1) expect(() => table.delete(row.id)).toThrow('no note with id');
          else expect(table.delete(row.id)).toBe(model.splice(known, 1)[0]);
          continue;
        }
        const isTaken = row.name !== null && model.some(({ id, name }) => name === row.name && id !== row.id);
        if (known === -1) {
          const insert = () => table.insert({ ...row });
          if (isTaken) expect(insert).toThrow('name is taken');
          else model.push(insert());
        } else {
          const update = () => table.update(row.id, { name: row.name, text: row.text });
          if (isTaken) expect(update).toThrow('name is taken');
          else model[known] = update();
        }
      }
      expect([...table.all()]).toEqual(model);
      for (const partnerId of ['p', 'q']) {
        const own = model.filter(each => each.partnerId === partnerId).map(({ id }) => id);
        expect(table.ofPartner(partnerId)).toEqual(own);
      }
      for (const shelf of ['x', 'y']) {
        expect(table.group('shelf', shelf)).toEqual(
          model.filter(each => each.shelf === shelf).map(({ id }) => id),
        );
      }
      for (const name of ['a', 'b', 'c', 'd']) {
        expect(table.find('name', name)).toEqual(model.find(each => each.name === name));
      }
    }),
  );
});

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

test('a row cannot move to another group, since the lists of the groups would be stale', () => {
  const { table } = newTable();
  table.insert(note('1', { shelf: 'x' }));
  expect(() => table.update('1', { shelf: 'y' })).toThrow('shelf cannot change');
  expect(table.get('1')?.shelf).toBe('x');
});
