/** The start of each body that is kept whatever others hold, so that large bodies never get in the way of small ones. */
export const FREE_BYTES = 64 * 1024;

/** Cap on the bytes that all unfinished bodies may hold beyond their starts. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** Holds the unfinished bodies of a server under a common cap. */
export class BodyBuffer {
  #bytes = 0;

  /** Starts a body. */
  begin(): BufferedBody {
    return new BufferedBody(this);
  }

  /** Counts more bytes beyond the start of a body. Returns false, and counts none, when the cap is reached. */
  reserve(bytes: number): boolean {
    if (bytes > 0 && this.#bytes + bytes > MAX_BUFFERED_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** What a body begins with. Never changed. */
const NONE: Buffer[] = [];

/** The chunks of one unfinished body. */
class BufferedBody {
  readonly #all: BodyBuffer;
  #chunks = NONE;
  #size = 0;

  constructor(all: BodyBuffer) {
    this.#all = all;
  }

  /** The bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a chunk. Returns false, and drops the body, when the cap on unfinished bodies is reached. */
  add(chunk: Buffer): boolean {
    const size = this.#size + chunk.length;
    if (!this.#all.reserve(beyondStart(size) - beyondStart(this.#size))) {
      this.drop();
      return false;
    }
    // Most bodies are one chunk. Appending it to an empty list would make room for 17.
    if (this.#chunks.length === 0) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
    this.#size = size;
    return true;
  }

  /** Ends the body: returns it and gives its bytes back. Empty after the first call. */
  take(): Uint8Array {
    const [first, second] = this.#chunks;
    // Most bodies arrive as one chunk, which is not copied.
    const whole = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
    this.drop();
    return whole;
  }

  /** Ends the body without it: gives its bytes back. */
  drop(): void {
    this.#all.release(beyondStart(this.#size));
    this.#chunks = NONE;
    this.#size = 0;
  }
}

function beyondStart(size: number): number {
  return Math.max(0, size - FREE_BYTES);
}
