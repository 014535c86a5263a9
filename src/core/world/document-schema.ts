import * as z from 'zod';
import { StoredId, StoredTime } from '../store/table-definition.ts';
import { END_OF_TIME, isoTime, timeOf } from '../values/timestamp.ts';
import { STATE_FORMAT, STATE_VERSION } from './state-document.ts';

const Time = StoredTime.refine(
  text => timeOf(text) <= END_OF_TIME,
  `must not be after ${isoTime(END_OF_TIME)}`,
);

export const StateTimer = z.strictObject({ kind: z.string(), ref: StoredId, at: StoredTime });

/** The schema of a whole world as one document. Rows are in order of creation; amounts are in hundredths. */
export const StateDocument = z.strictObject({
  notice: z.string().exactOptional().describe('What the document holds, for whoever opens it.'),
  format: z.literal(STATE_FORMAT),
  version: z.literal(STATE_VERSION),
  seed: z.int().min(0).describe('Seed of the random streams that have not been used yet.'),
  clock: z.strictObject({
    now: Time,
    mode: z.enum(['running', 'frozen']),
    advancedMs: z.int().min(0).describe('How far the clock has been advanced.'),
    timers: z.array(StateTimer).describe('Scheduled tasks, in the order in which they fall due.'),
  }),
  random: z
    .record(z.string(), z.tuple([z.int32(), z.int32(), z.int32(), z.int32()]))
    .describe('State of each random stream.'),
  secrets: z
    .strictObject({
      key: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'),
      drawn: z.record(z.string(), z.int().min(0)).describe('How many numbers each purpose has used.'),
    })
    .exactOptional()
    .describe('The source of secrets that do not come from the seed.'),
  counts: z.record(z.string(), z.int().min(0)).describe('Number of rows in each table.'),
  tables: z.record(z.string(), z.array(z.unknown())),
});

export type StateDocument = z.output<typeof StateDocument>;
