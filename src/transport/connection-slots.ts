import { onAbort } from './on-abort.ts';

interface Waiter {
  /** Lets it begin, or tells it that it never will. */
  readonly call: (place: (() => void) | null) => void;
  isGone: boolean;
  next: Waiter | null;
}

interface Line {
  atWork: number;
  first: Waiter | null;
  last: Waiter | null;
}

/**
 * Places for a bounded number of sends. Those that find none wait: each destination in order, the destinations in
 * turn, so that a slow one with a long line does not hold up the others.
 */
export class ConnectionSlots {
  readonly #all: number;
  readonly #each: number;
  /** The destinations that are busy or waited for, the one whose turn is next first. */
  readonly #lines = new Map<string, Line>();
  #atWork = 0;
  #isClosed = false;

  /** At most `all` places are taken at once, `each` of them for one destination. */
  constructor(all: number, each: number) {
    this.#all = all;
    this.#each = each;
  }

  /** Resolves, in turn, with the way to leave the place taken; with null when called off or closed before. */
  take(destination: string, signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(null);
    return new Promise(resolve => {
      const waiter: Waiter = {
        call(place) {
          stay();
          resolve(place);
        },
        isGone: false,
        next: null,
      };
      const stay = onAbort(signal, () => {
        waiter.isGone = true;
        resolve(null);
      });
      this.#join(destination, waiter);
      this.#fill();
    });
  }

  /** Sends everyone away who waits, now and later. */
  close(): void {
    this.#isClosed = true;
    for (const line of this.#lines.values()) {
      for (let waiter = dequeue(line); waiter !== null; waiter = dequeue(line)) waiter.call(null);
    }
  }

  #join(destination: string, waiter: Waiter): void {
    const line = this.#lines.get(destination) ?? { atWork: 0, first: null, last: null };
    this.#lines.set(destination, line);
    if (line.last === null) line.first = waiter;
    else line.last.next = waiter;
    line.last = waiter;
  }

  #fill(): void {
    while (this.#atWork < this.#all && this.#callNext());
  }

  #callNext(): boolean {
    for (const [destination, line] of this.#lines) {
      if (line.atWork >= this.#each) continue;
      const waiter = dequeue(line);
      if (waiter === null) {
        if (line.atWork === 0) this.#lines.delete(destination);
        continue;
      }
      this.#lines.delete(destination);
      this.#lines.set(destination, line);
      line.atWork += 1;
      this.#atWork += 1;
      waiter.call(() => {
        line.atWork -= 1;
        this.#atWork -= 1;
        if (line.atWork === 0 && line.first === null) this.#lines.delete(destination);
        this.#fill();
      });
      return true;
    }
    return false;
  }
}

function dequeue(line: Line): Waiter | null {
  for (;;) {
    const waiter = line.first;
    if (waiter === null) return null;
    line.first = waiter.next;
    if (line.first === null) line.last = null;
    if (!waiter.isGone) return waiter;
  }
}
