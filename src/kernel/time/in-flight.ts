/** Work that has begun and not ended, each with what is to be known of it. */
export class InFlight<T> {
  readonly #work = new Map<Promise<void>, T>();

  /** Whether nothing is under way. */
  get isEmpty(): boolean {
    return this.#work.size === 0;
  }

  /** How much is under way. */
  get size(): number {
    return this.#work.size;
  }

  /** What is known of all that is under way, in the order in which it began. */
  values(): T[] {
    return [...this.#work.values()];
  }

  /** Keeps `work` until it resolves; it must not reject. */
  add(work: Promise<void>, about: T): void {
    this.#work.set(work, about);
    void work.then(() => this.#work.delete(work));
  }

  /** Resolves when nothing is under way any more, what is added meanwhile included. */
  async allDone(): Promise<void> {
    while (!this.isEmpty) await Promise.all(this.#work.keys());
  }
}
