import type { Row, TableDefinition } from './table-definition.ts';

/** The rows and indexes of a table. */
export interface Contents<R extends Row, U extends string, G extends string> {
  readonly rows: Map<string, R>;
  readonly byPartner: IdLists;
  readonly unique: Map<U, Map<string, string>>;
  readonly groups: Map<G, IdLists>;
}

/** Ids by key, oldest first. */
type IdLists = Map<string, string[]>;

/** The contents of an empty table. */
export function emptyContents<R extends Row, U extends string, G extends string>({
  unique,
  groups,
}: TableDefinition<R, U, G>): Contents<R, U, G> {
  // The keys of these records are U and G, which Object.keys does not know.
  return {
    rows: new Map(),
    byPartner: new Map(),
    unique: new Map((Object.keys(unique) as U[]).map(name => [name, new Map()])),
    groups: new Map((Object.keys(groups) as G[]).map(name => [name, new Map()])),
  };
}

/** Copies maps and lists, so that the copy can change. Rows are frozen and shared. */
export function copyContents<R extends Row, U extends string, G extends string>({
  rows,
  byPartner,
  unique,
  groups,
}: Contents<R, U, G>): Contents<R, U, G> {
  return {
    rows: new Map(rows),
    byPartner: copyIdLists(byPartner),
    unique: new Map([...unique].map(([name, ids]) => [name, new Map(ids)])),
    groups: new Map([...groups].map(([name, lists]) => [name, copyIdLists(lists)])),
  };
}

function copyIdLists(lists: IdLists): IdLists {
  return new Map([...lists].map(([key, ids]) => [key, [...ids]]));
}

/** Appends an id to the list of a key. */
export function append(lists: IdLists, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

/** Removes an id from the list of a key. Searches from the oldest id. */
export function remove(lists: IdLists, key: string, id: string): void {
  const list = lists.get(key) ?? [];
  if (list.length === 1) lists.delete(key);
  else list.splice(list.indexOf(id), 1);
}
