import * as z from 'zod';
import { isObject } from '../request/input.ts';
import { StoredId, StoredTime } from '../store/row.ts';
import type { AnyTable, Row } from '../store/table-definition.ts';
import { END_OF_TIME, isoTime } from '../values/timestamp.ts';
import type { WorldSnapshot } from './world.ts';

/** The word by which a state document says what it is. */
export const STATE_FORMAT = 'card-sandbox-state';

/** The version of the document's shape. Another one is refused, never guessed at. */
export const STATE_VERSION = 1;

const Time = StoredTime.refine(
  text => Date.parse(text) <= END_OF_TIME,
  `must not be after ${isoTime(END_OF_TIME)}`,
);

/** The whole world as one document. Rows are as they are stored: in the order of their creation, amounts in hundredths. */
export const StateDocument = z.strictObject({
  format: z.literal(STATE_FORMAT),
  version: z.literal(STATE_VERSION),
  seed: z.int().min(0).describe('Where chance that nobody has drawn on yet begins.'),
  clock: z.strictObject({
    now: Time,
    mode: z.enum(['running', 'frozen']),
    advancedMs: z.int().min(0).describe('How far advances have carried the clock.'),
    timers: z
      .array(z.strictObject({ kind: z.string(), ref: StoredId, at: StoredTime }))
      .describe('What is still to come, in the order in which it falls due.'),
  }),
  random: z
    .record(z.string(), z.tuple([z.int32(), z.int32(), z.int32(), z.int32()]))
    .describe('Where each stream of chance stands.'),
  counts: z.record(z.string(), z.int().min(0)).describe('How many rows each table has.'),
  tables: z.record(z.string(), z.array(z.unknown())),
});

/** The whole world as one document. */
export type StateDocument = z.output<typeof StateDocument>;

/** Whether a value is meant to be a state document, of whichever version and however wrong. */
export function isStateDocument(value: unknown): boolean {
  return isObject(value) && value.format === STATE_FORMAT;
}

/** Writes a snapshot as a document; `tables` names them. */
export function toStateDocument(
  { seed, clock, random, tables: held }: WorldSnapshot,
  tables: Readonly<Record<string, AnyTable>>,
): StateDocument {
  const rows = Object.entries(tables).map(([name, table]): [string, Row[]] => [
    name,
    [...(held.get(table)?.rows.values() ?? [])],
  ]);
  return {
    format: STATE_FORMAT,
    version: STATE_VERSION,
    seed,
    clock: {
      now: isoTime(clock.now),
      mode: clock.frozen ? 'frozen' : 'running',
      advancedMs: clock.advancedMs,
      timers: clock.timers.map(({ at, value: { kind, ref } }) => ({ kind, ref, at: isoTime(at) })),
    },
    // The states of the streams are read-only tuples, which the schema's type does not know.
    random: Object.fromEntries(
      Object.entries(random).map(([purpose, [a, b, c, counter]]) => [purpose, [a, b, c, counter]]),
    ),
    counts: Object.fromEntries(rows.map(([name, { length }]) => [name, length])),
    tables: Object.fromEntries(rows),
  };
}
