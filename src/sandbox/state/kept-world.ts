import * as z from 'zod';
import { StoredTime } from '../../core/store/table-definition.ts';
import { once } from '../../core/values/once.ts';
import { describeIssue } from '../../core/values/schemas/validation-messages.ts';
import { STATE_FORMAT } from '../../core/world/state-document.ts';
import { JsonSplitter, type JsonVisitor } from './document/json-splitter.ts';
import { notAState, pathText, StateError } from './document/state-error.ts';
import { readPieces } from './state-file.ts';

/** What the index says of a world, so that a start need not read its file. */
export const IndexedWorld = once(() =>
  z.object({
    id: z.string(),
    createdAt: StoredTime,
    ttlMs: z.int().positive().nullable(),
    /** The tag in its API keys. */
    tag: z.string(),
    /** The origins that its partners allow together; empty for every origin. A preflight has no key. */
    allowedOrigins: z.array(z.string()),
  }),
);

/** What the file of a world holds besides its state: everything that makes it the same world after a restart. */
export const KeptWorld = once(() =>
  IndexedWorld().extend({
    /** Wall time of the last request before the file was saved. */
    lastUsedAt: StoredTime,
    /** The name of the shard that it was made in. */
    shard: z.string().nullable(),
    /** The seed that its API keys come from, and the key of its secrets unless they come from the seed. */
    keySeed: z.int(),
    secretKey: z.string().nullable(),
    /** Its options without fixtures. */
    options: z.record(z.string(), z.unknown()),
    forwarding: z.object({
      url: z.string().nullable(),
      map: z.record(z.string(), z.string()),
      allowHttp: z.boolean(),
    }),
    /** Whether files beside it hold its own fixtures, and the state that a reset goes back to. */
    hasFixtures: z.boolean(),
    hasStart: z.boolean(),
  }),
);

export type IndexedWorld = z.output<ReturnType<typeof IndexedWorld>>;
export type KeptWorld = z.output<ReturnType<typeof KeptWorld>>;

/** Returns what the index says of a world. */
export function indexed(kept: KeptWorld): IndexedWorld {
  return IndexedWorld().parse(kept, { jitless: true });
}

/** Thrown to stop reading. */
const FOUND = Symbol();

/**
 * Reads what a file holds besides the state; null when it is a state document of somewhere else. Reads no more than that
 * of a file that a sandbox wrote. Throws a StateSyntaxError or a StateError for one that is not a state document.
 */
export function readKeptWorld(path: string): KeptWorld | null {
  const value = memberOf(path);
  if (value === undefined) return null;
  const { data, error } = KeptWorld().safeParse(value, { error: describeIssue, jitless: true });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new StateError([`${pathText(['world', ...(issue?.path ?? [])])}: ${issue?.message}`]);
}

function memberOf(path: string): unknown {
  let world: unknown;
  let format: unknown;
  const before: (string | number)[] = [];
  const visitor: JsonVisitor = {
    // Rows are passed on one by one, so that a file of any size takes no memory.
    enters: (at, isList) => (at.length === 0 ? !isList : at[0] === 'tables' && at.length < 3),
    value([name = '', ...rest], value) {
      if (rest.length > 0) return;
      before.push(name);
      if (name === 'format') format = value;
      if (name === 'world') world = value;
      // An export of a sandbox has the seed where a file has this member. Other programs may have sorted the members.
      else if (name !== 'seed' || before.join() !== 'notice,format,version,seed') return;
      throw FOUND;
    },
  };
  const splitter = new JsonSplitter(visitor);
  try {
    for (const piece of readPieces(path)) splitter.write(piece);
    splitter.end();
  } catch (error) {
    if (error !== FOUND) throw error;
  }
  if (format !== STATE_FORMAT) throw notAState();
  return world;
}
