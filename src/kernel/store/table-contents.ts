import type { Row, TableDefinition } from './table-definition.ts';

/** Rows and indexes of a table. */
export interface Contents<R extends Row, U extends string, G extends string> {
  readonly rows: Map<string, R>;
  readonly byPartner: Lists;
  readonly unique: Map<U, Map<string, string>>;
  readonly groups: Map<G, Lists>;
}

/** Ids under a key, oldest first. */
type Lists = Map<string, string[]>;

/** The contents of a table without rows. */
export function emptyContents<R extends Row, U extends string, G extends string>({
  unique,
  groups,
}: TableDefinition<R, U, G>): Contents<R, U, G> {
  // Object.keys forgets that the keys of these records are U and G.
  return {
    rows: new Map(),
    byPartner: new Map(),
    unique: new Map((Object.keys(unique) as U[]).map(name => [name, new Map()])),
    groups: new Map((Object.keys(groups) as G[]).map(name => [name, new Map()])),
  };
}

/** The same contents, which can be changed without changing the others. Rows are frozen, so they are not copied. */
export function copyOf<R extends Row, U extends string, G extends string>({
  rows,
  byPartner,
  unique,
  groups,
}: Contents<R, U, G>): Contents<R, U, G> {
  return {
    rows: new Map(rows),
    byPartner: copyLists(byPartner),
    unique: new Map([...unique].map(([name, ids]) => [name, new Map(ids)])),
    groups: new Map([...groups].map(([name, lists]) => [name, copyLists(lists)])),
  };
}

function copyLists(lists: Lists): Lists {
  return new Map([...lists].map(([key, ids]) => [key, [...ids]]));
}

/** Adds an id to the end of the list under a key. */
export function append(lists: Lists, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

/** Takes an id out of the list under a key. Searches from the oldest on. */
export function remove(lists: Lists, key: string, id: string): void {
  const list = lists.get(key) ?? [];
  if (list.length === 1) lists.delete(key);
  else list.splice(list.indexOf(id), 1);
}
