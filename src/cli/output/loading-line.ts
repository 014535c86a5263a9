import type { LoadProgress } from '../../sandbox/sandbox.ts';
import { progress } from './print.ts';

/** Loading that takes no longer shows nothing. */
const QUIET_MS = 1_000;
/** Between two updates of a terminal, and between two lines for any other reader. */
const TERMINAL_MS = 100;
const LINES_MS = 5_000;
const CLEAR = '\r\x1b[2K';

/**
 * Shows on standard error how far the loading of fixtures is: one line that is updated in a terminal, and now and then a
 * new one for any other reader.
 */
export class LoadingLine {
  readonly #isTerminal = process.stderr.isTTY;
  #nextAt = performance.now() + QUIET_MS;
  #isShown = false;

  /** Shows the progress if it is time to. */
  show({ loaded, total }: LoadProgress): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    const text = `loading fixtures: ${loaded.toLocaleString('en')} of ${total.toLocaleString('en')} records`;
    this.#nextAt = now + (this.#isTerminal ? TERMINAL_MS : LINES_MS);
    this.#isShown = true;
    if (this.#isTerminal) process.stderr.write(CLEAR + text);
    else progress(text);
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (this.#isTerminal && this.#isShown) process.stderr.write(CLEAR);
  }
}
