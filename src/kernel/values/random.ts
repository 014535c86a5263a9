const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** How many letters of five bits one number of 32 holds. */
const LETTERS_A_NUMBER = 6;

/** A 32-bit hash of a text (FNV-1a), to derive seeds from words. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Where a stream stands: four 32-bit numbers. */
export type StreamState = readonly [number, number, number, number];

/** One reproducible stream of numbers (sfc32). Equal seeds give equal streams, on every machine. */
export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, purpose: string, from?: StreamState) {
    if (from !== undefined) {
      [this.#a, this.#b, this.#c, this.#counter] = from;
      return;
    }
    this.#a = seed | 0;
    this.#b = hashText(purpose) | 0;
    this.#c = Math.floor(seed / 2 ** 32) | 0;
    for (let round = 0; round < 15; round++) this.next();
  }

  /** Where this stream stands; one that is made from it goes on in the same way. */
  get state(): StreamState {
    // Only the lower 32 bits of each ever matter.
    return [this.#a | 0, this.#b | 0, this.#c | 0, this.#counter | 0];
  }

  /** The next whole number from 0 to 2^32 - 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** `count` decimal digits. */
  digits(count: number): string {
    let text = '';
    while (text.length < count) text += this.next() % 10;
    return text;
  }

  /** `count` characters that are easy to read aloud: digits and lower-case letters without i, l, o and u. */
  letters(count: number): string {
    // A text that grows letter by letter would leave one text a letter behind.
    const codes = new Array<number>(count);
    for (let place = 0, pool = 0; place < count; place++, pool >>>= 5) {
      if (place % LETTERS_A_NUMBER === 0) pool = this.next();
      codes[place] = ALPHABET.charCodeAt(pool & 31);
    }
    return String.fromCharCode(...codes);
  }
}

/** Where the streams of a world stand, by their purpose. */
export type StreamStates = Readonly<Record<string, StreamState>>;

/**
 * All chance of one world, from one seed. Each purpose draws from a stream of its own, so that looking
 * at one thing never changes what another will be called.
 */
export class Random {
  readonly #seed: number;
  readonly #streams = new Map<string, RandomStream>();

  /** `from` says where streams stand that have been drawn from already. */
  constructor(seed: number, from: StreamStates = {}) {
    this.#seed = seed;
    for (const [purpose, state] of Object.entries(from)) {
      this.#streams.set(purpose, new RandomStream(seed, purpose, state));
    }
  }

  /** Where each stream stands. */
  states(): StreamStates {
    return Object.fromEntries([...this.#streams].map(([purpose, stream]) => [purpose, stream.state]));
  }

  /** The stream of one purpose, for example `card-number`. */
  stream(purpose: string): RandomStream {
    let stream = this.#streams.get(purpose);
    if (stream === undefined) {
      stream = new RandomStream(this.#seed, purpose);
      this.#streams.set(purpose, stream);
    }
    return stream;
  }

  /** A fresh identifier with the given prefix, such as `ch_8z2k…`. */
  id(prefix: string): string {
    return `${prefix}_${this.stream(prefix).letters(16)}`;
  }
}
