/** Texts of this time are written together: a write to a socket takes longer than making a message. */
const PAUSE_MS = 10;

/** Writes the texts of a stream, at most one write per 10 ms of wall time. */
export interface PacedWriter {
  /** Writes a text at the end of the turn of the event loop, or with the next write. */
  send(text: string): void;
  /** The length of the texts that are not written yet. */
  readonly length: number;
  /** Writes the remaining texts now. Call it before the stream ends. */
  flush(): void;
  /** Discards the remaining texts. */
  stop(): void;
}

/** Creates a writer that passes texts to `write`. */
export function pacedWriter(write: (text: string) => void): PacedWriter {
  let pending = '';
  let cancelNext: (() => void) | null = null;
  const flush = () => {
    const text = pending;
    pending = '';
    if (text !== '') write(text);
  };
  const writeNext = () => {
    cancelNext = null;
    if (pending === '') return;
    flush();
    const timer = setTimeout(writeNext, PAUSE_MS);
    cancelNext = () => clearTimeout(timer);
  };
  return {
    send(text) {
      pending += text;
      if (cancelNext !== null) return;
      const immediate = setImmediate(writeNext);
      cancelNext = () => clearImmediate(immediate);
    },
    get length() {
      return pending.length;
    },
    flush,
    stop() {
      cancelNext?.();
      pending = '';
    },
  };
}
