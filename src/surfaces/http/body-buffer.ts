import { MAX_BODY_BYTES } from '../../sandbox/sandbox.ts';

/** The start of each body that is kept whatever others hold, so that large bodies never get in the way of small ones. */
const FREE_BYTES = 64 * 1024;

/** Cap on the bytes that all unfinished bodies of one size class may hold beyond their starts. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** The chunks of one unfinished body. */
export interface BufferedBody {
  /** Keeps a chunk. Returns false, and drops the body, when the cap on unfinished bodies is reached. */
  add(chunk: Buffer): boolean;
  /** Ends the body: returns it and gives its bytes back. Empty after the first call. */
  take(): Buffer;
}

/**
 * Holds the unfinished bodies of a server under a common cap. State documents, which may be larger than other bodies,
 * have a cap of their own, and the oldest of them may reach its full size.
 */
export class BodyBuffer {
  #ordinaryBytes = 0;
  #documentBytes = 0;
  readonly #documents = new Set<BufferedBody>();

  /** Starts a body of at most `limit` bytes. */
  begin(limit: number): BufferedBody {
    const isDocument = limit > MAX_BODY_BYTES;
    let chunks: Buffer[] = [];
    let size = 0;
    const reserve = (bytes: number) => {
      if (isDocument) this.#documentBytes += bytes;
      else this.#ordinaryBytes += bytes;
    };
    const reservedFor = (bytes: number) => Math.max(0, bytes - FREE_BYTES);
    const end = () => {
      reserve(-reservedFor(size));
      this.#documents.delete(body);
      chunks = [];
      size = 0;
    };
    const body: BufferedBody = {
      add: chunk => {
        const more = reservedFor(size + chunk.length) - reservedFor(size);
        if (more > 0 && this.#isFull(body, isDocument, more)) {
          end();
          return false;
        }
        chunks.push(chunk);
        size += chunk.length;
        reserve(more);
        return true;
      },
      take() {
        const whole = Buffer.concat(chunks);
        end();
        return whole;
      },
    };
    if (isDocument) this.#documents.add(body);
    return body;
  }

  #isFull(body: BufferedBody, isDocument: boolean, more: number): boolean {
    if (!isDocument) return this.#ordinaryBytes + more > MAX_BUFFERED_BYTES;
    const [oldest] = this.#documents;
    return body !== oldest && this.#documentBytes + more > MAX_BUFFERED_BYTES;
  }
}
