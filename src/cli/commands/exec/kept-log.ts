import { stripVTControlCharacters } from 'node:util';
import type { Log } from '../../log/log.ts';

/** Entries of the log that are kept. Older ones are dropped, so that a long run does not fill the memory. */
const MAX_ENTRIES = 20_000;

/** A log that is kept, besides being written somewhere. */
export class KeptLog implements Log {
  readonly isJson: boolean;
  readonly #forward: (line: string) => void;
  readonly #entries: string[] = [];
  #dropped = 0;

  constructor(isJson: boolean, forward: (line: string) => void) {
    this.isJson = isJson;
    this.#forward = forward;
  }

  readonly write = (line: string): void => {
    this.#forward(line);
    this.#entries.push(line);
    // Removed in batches: each removal moves all entries.
    if (this.#entries.length < 2 * MAX_ENTRIES) return;
    this.#entries.splice(0, MAX_ENTRIES);
    this.#dropped += MAX_ENTRIES;
  };

  /** Returns the entries without colours, one per line. */
  text(): string {
    const dropped = this.#dropped === 0 ? [] : [`(${this.#dropped} earlier entries were dropped)`];
    return [...dropped, ...this.#entries.map(stripVTControlCharacters), ''].join('\n');
  }
}
