/** The start of each body that is kept whatever others hold, so that large bodies never get in the way of small ones. */
const FREE_BYTES = 64 * 1024;

/** Cap on the bytes that all unfinished bodies may hold beyond their starts. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** The chunks of one unfinished body. */
export interface BufferedBody {
  /** Keeps a chunk. Returns false, and drops the body, when the cap on unfinished bodies is reached. */
  add(chunk: Buffer): boolean;
  /** Ends the body: returns it and gives its bytes back. Empty after the first call. */
  take(): Buffer;
}

/** Holds the unfinished bodies of a server under a common cap. */
export class BodyBuffer {
  #bytes = 0;

  /** Starts a body. */
  begin(): BufferedBody {
    let chunks: Buffer[] = [];
    let size = 0;
    const reservedFor = (bytes: number) => Math.max(0, bytes - FREE_BYTES);
    const end = () => {
      this.#bytes -= reservedFor(size);
      chunks = [];
      size = 0;
    };
    return {
      add: chunk => {
        const more = reservedFor(size + chunk.length) - reservedFor(size);
        if (more > 0 && this.#bytes + more > MAX_BUFFERED_BYTES) {
          end();
          return false;
        }
        chunks.push(chunk);
        size += chunk.length;
        this.#bytes += more;
        return true;
      },
      take() {
        const whole = Buffer.concat(chunks);
        end();
        return whole;
      },
    };
  }
}
