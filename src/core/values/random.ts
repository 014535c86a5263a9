const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The number of 5-bit letters in a 32-bit number. */
const LETTERS_PER_NUMBER = 6;

/** The letters of an id after its prefix. */
const ID_LETTERS = 16;

/** A 32-bit hash of a text (FNV-1a), to derive seeds from text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The state of a stream: four 32-bit numbers. */
export type StreamState = readonly [number, number, number, number];

/** A stream of random numbers, from which texts are made. */
export abstract class NumberStream {
  /** Returns the next integer from 0 to 2^32 - 1. */
  abstract next(): number;

  /** Returns `count` decimal digits. */
  digits(count: number): string {
    let text = '';
    while (text.length < count) text += this.next() % 10;
    return text;
  }

  /**
   * Returns a prefix and `count` characters that are easy to read aloud: digits and lower-case letters without i, l, o and
   * u.
   */
  letters(count: number, prefix = ''): string {
    // Appending to a string would allocate a string per letter, and keep its parts in memory.
    const start = prefix.length;
    const codes = new Array<number>(start + count);
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
  /** The current state, once it has been asked for. */
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

  /** How many numbers the stream has given, modulo 2^32, plus a constant. */
  get counter(): number {
    return this.#counter;
  }

  /** Returns the state in which the counter was this, by taking back the numbers since. */
  stateAt(counter: number): StreamState {
    let [a, b, c, current] = this.state;
    while (current !== counter) {
      // The inverse of `next`: 9 * 0x38e38e39 is 1 modulo 2^32.
      current = (current - 1) | 0;
      const [oldB, oldC] = [a ^ (a >>> 9) ^ (a >>> 18) ^ (a >>> 27), Math.imul(b, 0x38e38e39)];
      const sum = c - ((oldC << 21) | (oldC >>> 11));
      [a, b, c] = [(sum - oldB - current) | 0, oldB, oldC];
    }
    return [a, b, c, current];
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

/** The states of a world's streams by purpose. */
export type StreamStates = Readonly<Record<string, StreamState>>;

/** The counters of the streams that a random source had at one moment, in the order of their first use. */
export type RandomMark = readonly number[];

/**
 * The random source of one world, from one seed. Each purpose has its own stream, so that drawing for one purpose never
 * changes the results for another.
 */
export class Random {
  readonly #seed: number;
  readonly #from: StreamStates;
  readonly #idLength: number | null;
  readonly #streams = new Map<string, RandomStream>();
  #uses = 0;

  /**
   * `from` holds the states of the streams that are in use. `idLength` is the length of ids with their prefix; null for
   * 16 letters after it.
   */
  constructor(seed: number, from: StreamStates = {}, idLength: number | null = null) {
    this.#seed = seed;
    this.#from = from;
    this.#idLength = idLength;
  }

  /** How many times a stream has been asked for. While it is the same, only streams that a caller keeps have changed. */
  get uses(): number {
    return this.#uses;
  }

  /** Returns the state of each stream. */
  states(): StreamStates {
    const states = { ...this.#from };
    for (const [purpose, stream] of this.#streams) states[purpose] = stream.state;
    return states;
  }

  /** Takes note of the current states. Costs less than `states`. */
  mark(): RandomMark {
    const counters = new Array<number>(this.#streams.size);
    let index = 0;
    for (const stream of this.#streams.values()) counters[index++] = stream.counter;
    return counters;
  }

  /** Returns the states at a mark. */
  statesAt(mark: RandomMark): StreamStates {
    const states = { ...this.#from };
    for (const [index, [purpose, stream]] of [...this.#streams].entries()) {
      const counter = mark[index];
      if (counter !== undefined) states[purpose] = stream.stateAt(counter);
    }
    return states;
  }

  /** Returns the stream of a purpose such as `card-number`. */
  stream(purpose: string): RandomStream {
    this.#uses += 1;
    let stream = this.#streams.get(purpose);
    if (stream === undefined) {
      stream = new RandomStream(this.#seed, purpose, this.#from[purpose]);
      this.#streams.set(purpose, stream);
    }
    return stream;
  }

  /** Generates an id with a prefix, such as `ch_8z2k…`. */
  id(prefix: string): string {
    const letters = this.#idLength === null ? ID_LETTERS : this.#idLength - prefix.length - 1;
    return this.stream(prefix).letters(letters, `${prefix}_`);
  }
}
