/** The most marks and writes between two snapshots. To undo them takes a few milliseconds. */
const MAX_MARKS = 64;
const MAX_WRITES = 1_000;

/** Writes, and the state after them. */
interface Segment<W, S> {
  readonly writes: W[];
  marks: number;
  /** The state after the writes; null while there are more to come. */
  end: S | null;
}

/** A place in a log: before the write at `position`. */
export interface LogMark<W, S> {
  readonly segment: Segment<W, S>;
  readonly position: number;
}

/**
 * Takes note of a state at many moments. After a snapshot, each write copies the nodes on its way, so there is a snapshot
 * for every 64 moments only. The states between are found from the next snapshot, by undoing the writes before it.
 */
export class WriteLog<W, S> {
  readonly #snapshot: () => S;
  readonly #undone: (after: S, writes: readonly W[]) => S;
  /** The writes since the last snapshot; null when no mark would need them. */
  #open: Segment<W, S> | null = null;

  /** `snapshot` takes a snapshot. `undone` returns the one before some writes, newest first, from the one after them. */
  constructor(snapshot: () => S, undone: (after: S, writes: readonly W[]) => S) {
    this.#snapshot = snapshot;
    this.#undone = undone;
  }

  /** Takes note of the state as it is now. */
  mark(): LogMark<W, S> {
    if ((this.#open?.marks ?? 0) >= MAX_MARKS) this.#close();
    this.#open ??= { writes: [], marks: 0, end: null };
    this.#open.marks += 1;
    return { segment: this.#open, position: this.#open.writes.length };
  }

  /** Returns the snapshot of the state at a mark. */
  at({ segment, position }: LogMark<W, S>): S {
    return this.#undone(segment.end ?? this.#snapshot(), segment.writes.slice(position).reverse());
  }

  /** Logs a write that was made. */
  add(write: W): void {
    if (this.#open === null) return;
    this.#open.writes.push(write);
    if (this.#open.writes.length >= MAX_WRITES) this.#close();
  }

  #close(): void {
    if (this.#open !== null) this.#open.end = this.#snapshot();
    this.#open = null;
  }
}
