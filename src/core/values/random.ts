const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LETTERS_PER_NUMBER = 6;

const ID_LETTERS = 16;

/** The codes of the text that `letters` makes: a new list for each would be garbage of several times its size. */
const scratch: number[] = [];

/** A 32-bit hash of a text (FNV-1a), to derive seeds from text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export type StreamState = readonly [number, number, number, number];

export abstract class NumberStream {
  /** Returns the next integer from 0 to 2^32 - 1. */
  abstract next(): number;

  digits(count: number): string {
    let text = '';
    while (text.length < count) text += this.next() % 10;
    return text;
  }

  /** Characters that are easy to read aloud: digits and lower-case letters without i, l, o and u. */
  letters(count: number, prefix = ''): string {
    // Appending to a string would allocate a string per letter, and keep its parts in memory.
    const start = prefix.length;
    const codes = scratch;
    codes.length = start + count;
    for (let place = 0; place < start; place++) codes[place] = prefix.charCodeAt(place);
    for (let place = 0, pool = 0; place < count; place++, pool >>>= 5) {
      if (place % LETTERS_PER_NUMBER === 0) pool = this.next();
      codes[start + place] = ALPHABET.charCodeAt(pool & 31);
    }
    return String.fromCharCode(...codes);
  }
}

/** A reproducible stream of random numbers (sfc32). Equal seeds give equal streams on every machine. */
export class RandomStream extends NumberStream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  /** The current state, once it has been read. Snapshots share it until the next draw. */
  #state: StreamState | null = null;

  constructor(seed: number, purpose: string, from?: StreamState) {
    super();
    if (from !== undefined) {
      [this.#a, this.#b, this.#c, this.#counter] = from;
      return;
    }
    this.#a = seed | 0;
    this.#b = hashText(purpose) | 0;
    this.#c = Math.floor(seed / 2 ** 32) | 0;
    for (let round = 0; round < 15; round++) this.next();
  }

  /** The current state. A stream created from it continues in the same way. */
  get state(): StreamState {
    // Only the lower 32 bits of each are significant.
    this.#state ??= [this.#a | 0, this.#b | 0, this.#c | 0, this.#counter | 0];
    return this.#state;
  }

  override next(): number {
    this.#state = null;
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}

/** The states of a world's streams by purpose, in the order of their first use. */
export type StreamStates = Iterable<readonly [purpose: string, state: StreamState]>;

/** Holds the states only, since the purposes never change their order. */
class StatesAtMoment implements StreamStates {
  readonly #purposes: readonly string[];
  readonly #states: readonly StreamState[];

  constructor(purposes: readonly string[], states: readonly StreamState[]) {
    this.#purposes = purposes;
    this.#states = states;
  }

  *[Symbol.iterator](): Generator<readonly [purpose: string, state: StreamState]> {
    for (const [index, state] of this.#states.entries()) yield [this.#purposes[index] ?? '', state];
  }
}

/**
 * The random source of one world, from one seed. Each purpose has its own stream, so that drawing for one purpose never
 * changes the results for another.
 */
export class Random {
  readonly #seed: number;
  readonly #idLength: number | null;
  readonly #byPurpose = new Map<string, RandomStream>();
  /** The streams and their purposes, in the order of their first use. */
  readonly #streams: RandomStream[] = [];
  readonly #purposes: string[] = [];

  /**
   * `from` holds the states of the streams that are in use. `idLength` is the length of ids with their prefix; null for
   * 16 letters after it.
   */
  constructor(seed: number, from: StreamStates = [], idLength: number | null = null) {
    this.#seed = seed;
    this.#idLength = idLength;
    for (const [purpose, state] of from) this.#add(purpose, state);
  }

  states(): StreamStates {
    const states = new Array<StreamState>(this.#streams.length);
    let index = 0;
    for (const stream of this.#streams) states[index++] = stream.state;
    return new StatesAtMoment(this.#purposes, states);
  }

  stream(purpose: string): RandomStream {
    return this.#byPurpose.get(purpose) ?? this.#add(purpose);
  }

  #add(purpose: string, from?: StreamState): RandomStream {
    const stream = new RandomStream(this.#seed, purpose, from);
    this.#byPurpose.set(purpose, stream);
    this.#streams.push(stream);
    this.#purposes.push(purpose);
    return stream;
  }

  id(prefix: string): string {
    const letters = this.#idLength === null ? ID_LETTERS : this.#idLength - prefix.length - 1;
    return this.stream(prefix).letters(letters, `${prefix}_`);
  }
}
