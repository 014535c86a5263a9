import * as z from 'zod';
import { StoredTime } from '../store/row.ts';
import { type AnyTable, type TableSnapshot, withRows } from '../store/store.ts';
import type { Due } from '../time/task.ts';
import { isoTime } from '../values/timestamp.ts';
import type { StateRules } from './state-reader.ts';
import type { WorldSnapshot } from './world.ts';

const DAY_MS = 86_400_000;

/** Another moment in the place of this one, both ISO 8601. */
type Move = (moment: string) => string;

/** Puts other moments in the place of those in a value, which stays as it is. */
type Mover = (value: unknown, move: Move) => unknown;

/**
 * The beginning of a world in which every moment counts from that beginning, so that it can begin again at another
 * one. Moving the moments takes a fraction of the time that it takes to make the records.
 */
export class SeedSnapshot {
  readonly #snapshot: WorldSnapshot;
  readonly #timerRules: StateRules['timers'];
  /** How far it can be moved before some moment comes into another day. */
  readonly #furthestMs: number;

  /** The snapshot has to be of the very moment at which its world was filled. */
  constructor(snapshot: WorldSnapshot, timerRules: StateRules['timers']) {
    let furthest = untilNextDay(snapshot.clock.now);
    movedTables(snapshot.tables, moment => {
      furthest = Math.min(furthest, untilNextDay(Date.parse(moment)));
      return moment;
    });
    this.#snapshot = snapshot;
    this.#timerRules = timerRules;
    this.#furthestMs = furthest - 1;
  }

  /**
   * The world as it begins at `now`, when wall time is `wallNow` (both milliseconds); null where it has to be made anew for that, because sums of
   * spending by day and month, and the last months of cards, depend on more than the moments themselves.
   */
  at(now: number, wallNow: number): WorldSnapshot | null {
    const { clock, tables } = this.#snapshot;
    const ms = now - clock.now;
    if (ms < 0 || ms > this.#furthestMs) return null;
    // The day stays the same, and so does its end.
    const isDaily = ({ value }: Due) => this.#timerRules[value.kind]?.isDaily === true;
    const timers = clock.timers.map(due => (isDaily(due) ? due : { ...due, at: due.at + ms }));
    return {
      ...this.#snapshot,
      clock: { ...clock, now, wallNow, timers },
      tables: ms === 0 ? tables : movedTables(tables, laterBy(ms)),
    };
  }
}

function untilNextDay(milliseconds: number): number {
  return DAY_MS - (((milliseconds % DAY_MS) + DAY_MS) % DAY_MS);
}

/** Moves each moment on by a time; most records share theirs with others. */
function laterBy(ms: number): Move {
  const known = new Map<string, string>();
  return moment => {
    let later = known.get(moment);
    if (later === undefined) {
      later = isoTime(Date.parse(moment) + ms);
      known.set(moment, later);
    }
    return later;
  };
}

function movedTables(tables: WorldSnapshot['tables'], move: Move): WorldSnapshot['tables'] {
  return new Map([...tables].map(([table, held]) => [table, movedTable(table, held, move)]));
}

function movedTable(table: AnyTable, held: TableSnapshot, move: Move): TableSnapshot {
  const mover = held.rows.size === 0 ? null : rowMover(table);
  // What a mover makes of a row has the row's members, so it is a row.
  return mover === null ? held : withRows(held, row => mover(row, move) as typeof row);
}

const movers = new WeakMap<AnyTable, { readonly mover: Mover | null }>();

/** What moves the moments of a table's rows; null where they have none. */
function rowMover(table: AnyTable): Mover | null {
  let found = movers.get(table);
  if (found === undefined) {
    found = { mover: moverOf(table.row) };
    movers.set(table, found);
  }
  return found.mover;
}

function moverOf(schema: unknown): Mover | null {
  if (schema === StoredTime) return (value, move) => move(String(value));
  if (schema instanceof z.ZodNullable) {
    const inner = moverOf(schema.unwrap());
    return inner && ((value, move) => (value === null ? null : inner(value, move)));
  }
  return schema instanceof z.ZodObject ? objectMover(schema) : null;
}

function objectMover({ shape }: z.ZodObject): Mover | null {
  const movers = Object.entries(shape).flatMap(([name, member]) => {
    const mover = moverOf(member);
    return mover === null ? [] : [[name, mover] as const];
  });
  if (movers.length === 0) return null;
  return (value, move) => {
    const copy = { ...(value as Record<string, unknown>) };
    for (const [name, mover] of movers) copy[name] = mover(copy[name], move);
    return Object.freeze(copy);
  };
}
