import type { Period } from '../../values/timestamp.ts';
import { OrderedTrees, type Run } from './ordered-tree.ts';
import { elementAt, sizeOf, type TreeNode } from './tree-node.ts';

export interface RowSource<R> {
  at(sequence: number): R;
}

/**
 * A list of rows, oldest first. It reads a row when asked for it, so a page costs its rows. Valid until the next write
 * to its table.
 */
export class RowList<R> {
  readonly #rows: RowSource<R>;
  readonly #trees: OrderedTrees;
  readonly #root: TreeNode;
  readonly #runs: readonly Run[];
  readonly length: number;

  constructor(
    rows: RowSource<R>,
    trees: OrderedTrees,
    root: TreeNode,
    runs: readonly Run[] = [{ start: 0, end: sizeOf(root) }],
  ) {
    this.#rows = rows;
    this.#trees = trees;
    this.#root = root;
    this.#runs = runs;
    this.length = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Returns the row at an index from 0, the oldest; or at -1, the newest, and so on. */
  at(index: number): R | undefined {
    const sequence = this.#sequenceAt(index < 0 ? index + this.length : index);
    return sequence === undefined ? undefined : this.#rows.at(sequence);
  }

  /** The rows of this list in a period, by the time of the table. Of a whole list only. */
  within({ from, to }: Period): RowList<R> {
    if (from === undefined && to === undefined) return this;
    const runs = this.#trees.between(
      this.#root,
      from ?? Number.NEGATIVE_INFINITY,
      to ?? Number.POSITIVE_INFINITY,
    );
    return new RowList(this.#rows, this.#trees, this.#root, runs);
  }

  /** The rows with at least this sequence number, of a list in the order of creation. */
  since(sequence: number): RowList<R> {
    const [start, end] = [this.#trees.rank(this.#root, sequence), sizeOf(this.#root)];
    return new RowList(this.#rows, this.#trees, this.#root, [{ start, end }]);
  }

  get firstSequence(): number | undefined {
    return this.#sequenceAt(0);
  }

  [Symbol.iterator](): IterableIterator<R> {
    return this.oldestFirst();
  }

  /** The rows, oldest first, from the oldest but `skip` on. */
  *oldestFirst(skip = 0): IterableIterator<R> {
    for (let index = skip; index < this.length; index++) {
      const row = this.at(index);
      if (row !== undefined) yield row;
    }
  }

  /** The rows, newest first, from the newest but `skip` on. */
  *newestFirst(skip = 0): IterableIterator<R> {
    for (let index = this.length - 1 - skip; index >= 0; index--) {
      const row = this.at(index);
      if (row !== undefined) yield row;
    }
  }

  #sequenceAt(index: number): number | undefined {
    if (index < 0) return undefined;
    let rest = index;
    for (const { start, end } of this.#runs) {
      if (rest < end - start) return elementAt(this.#root, start + rest);
      rest -= end - start;
    }
    return undefined;
  }
}

export function listOf<R>(...rows: readonly R[]): RowList<R> {
  const at = (index: number) => {
    const row = rows[index];
    if (row === undefined) throw new Error(`the list has no row ${index}`);
    return row;
  };
  return new RowList({ at }, new OrderedTrees(), [...rows.keys()]);
}
