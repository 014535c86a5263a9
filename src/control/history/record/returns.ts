import type { RecordEntry, RecordLine } from './format.ts';

const CHECKPOINT = /^\/_sandbox\/checkpoints\/([^/]+?)(\/restore)?$/;
const FIRST_ERROR = 400;

/** What has an id in the state of a world that goes back: what was made since is forgotten. */
export class StateItems<Item> {
  readonly #items = new Map<string, { readonly item: Item; readonly place: number }>();

  get(id: string): Item | undefined {
    return this.#items.get(id)?.item;
  }

  /** The items, in the order in which they were set. */
  get all(): readonly Item[] {
    return [...this.#items.values()].map(({ item }) => item);
  }

  set(id: string, item: Item, place: number): void {
    this.#items.set(id, { item, place });
  }

  /** Forgets what was set from a place on. */
  goBack(to: number): void {
    for (const [id, { place }] of this.#items) if (place >= to) this.#items.delete(id);
  }
}

/** Follows the lines of a record, and finds those that take the world back to an earlier state, or to another one. */
export class StateReturns {
  /** The places of the first line after the state before an entry, and after that of a checkpoint. */
  readonly #entries = new StateItems<number>();
  readonly #checkpoints = new Map<string, number>();

  /**
   * Takes the next line. Returns null unless the line takes the world to another state. Otherwise returns how many of the
   * first lines that state has behind it: 0 where that is not known, or where it is a state of another kind. Ids that were
   * made after those lines may be made again.
   */
  next(line: RecordLine, place: number): number | null {
    if ('rewind' in line) {
      const to = this.#entries.get(line.rewind.to) ?? place;
      this.#entries.goBack(to);
      return to;
    }
    if (!('entry' in line)) return null;
    const { entry } = line;
    this.#entries.set(entry.id, place - (entry.meanwhile ?? 0), place);
    return this.#callNext(entry, place);
  }

  #callNext({ plane, method, path, status }: RecordEntry, place: number): number | null {
    if (plane !== 'control' || status === null || status >= FIRST_ERROR) return null;
    if (path === '/_sandbox/reset' || (path === '/_sandbox/state' && method === 'PUT')) return 0;
    const [, name, isRestore] = CHECKPOINT.exec(path) ?? [];
    if (name === undefined) return null;
    if (isRestore !== undefined) return this.#checkpoints.get(name) ?? 0;
    if (method === 'POST') this.#checkpoints.set(name, place + 1);
    return null;
  }
}
