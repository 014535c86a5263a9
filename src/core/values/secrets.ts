import { createHmac } from 'node:crypto';
import { NumberStream, type Random, RandomStream } from './random.ts';

/** The state of secrets that come from a key: the key, and how many numbers each purpose has used. */
export interface SecretsState {
  readonly key: string;
  readonly drawn: Readonly<Record<string, number>>;
}

/** Numbers per block of the stream: a SHA-256 digest has eight of 32 bits. */
const BLOCK_SIZE = 8;

/** A stream of random numbers that nobody can compute without the key (HMAC-SHA256 of a counter). */
class KeyedStream extends NumberStream {
  readonly #key: string;
  readonly #purpose: string;
  #drawn: number;
  #block: Buffer | null = null;

  constructor(key: string, purpose: string, drawn = 0) {
    super();
    this.#key = key;
    this.#purpose = purpose;
    this.#drawn = drawn;
  }

  get drawn(): number {
    return this.#drawn;
  }

  override next(): number {
    const place = this.#drawn % BLOCK_SIZE;
    if (this.#block === null || place === 0) {
      const counter = Math.floor(this.#drawn / BLOCK_SIZE);
      this.#block = createHmac('sha256', this.#key).update(`${this.#purpose} ${counter}`).digest();
    }
    this.#drawn += 1;
    return this.#block.readUInt32LE(4 * place);
  }
}

/**
 * The source of a world's secrets: signatures of links, API keys, one-time passcodes and webhook secrets. Without a key
 * they come from the seed, like everything else. With a key, nobody who lacks it can compute them, and a world that is
 * restored still generates the same ones.
 */
export class Secrets {
  readonly #random: Random;
  readonly #seed: number;
  readonly #key: string | null;
  readonly #streams = new Map<string, KeyedStream>();
  /** The state, once it has been read, until a stream is used. */
  #state: SecretsState | null = null;

  constructor(random: Random, seed: number, from: SecretsState | null) {
    this.#random = random;
    this.#seed = seed;
    this.#key = from?.key ?? null;
    for (const [purpose, drawn] of Object.entries(from?.drawn ?? {})) {
      this.#streams.set(purpose, new KeyedStream(from?.key ?? '', purpose, drawn));
    }
  }

  /** The state; null when the secrets come from the seed. */
  get state(): SecretsState | null {
    if (this.#key === null || this.#state !== null) return this.#state;
    const drawn = Object.fromEntries([...this.#streams].map(([purpose, stream]) => [purpose, stream.drawn]));
    this.#state = { key: this.#key, drawn };
    return this.#state;
  }

  /** Returns the stream of a purpose such as `otp`, which continues with each draw. */
  stream(purpose: string): NumberStream {
    if (this.#key === null) return this.#random.stream(purpose);
    this.#state = null;
    let stream = this.#streams.get(purpose);
    if (stream === undefined) {
      stream = new KeyedStream(this.#key, purpose);
      this.#streams.set(purpose, stream);
    }
    return stream;
  }

  /** Returns a new stream from its beginning, for a secret that is not stored. */
  newStream(purpose: string): NumberStream {
    return this.#key === null ? new RandomStream(this.#seed, purpose) : new KeyedStream(this.#key, purpose);
  }
}
