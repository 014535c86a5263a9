import type { Owner } from './owner.ts';
import { SparseList } from './sparse-list.ts';
import { EMPTY, type TreeNode } from './tree-node.ts';

/** Numbered lists at one moment. */
export interface ListsSnapshot {
  readonly lists: SparseList<TreeNode>;
  readonly next: number;
}

/** Lists by number. All groups of a table share one, since most groups have few lists. */
export class NumberedLists {
  readonly #lists: SparseList<TreeNode>;
  #next: number;

  /** No lists, or those of a snapshot. */
  constructor(from?: ListsSnapshot) {
    this.#lists = new SparseList(from?.lists);
    this.#next = from?.next ?? 0;
  }

  /** Takes a snapshot. Copies no nodes. */
  snapshot(): ListsSnapshot {
    return { lists: new SparseList(this.#lists), next: this.#next };
  }

  /** Returns a list. */
  get(number: number): TreeNode {
    return this.#lists.get(number) ?? EMPTY;
  }

  /** Adds a list and returns its number. */
  add(list: TreeNode, owner: Owner): number {
    const number = this.#next++;
    this.#lists.set(number, list, owner);
    return number;
  }

  /** Replaces a list. */
  set(number: number, list: TreeNode, owner: Owner): void {
    this.#lists.set(number, list, owner);
  }

  /** Removes a list. Its number is not used again. */
  delete(number: number, owner: Owner): void {
    this.#lists.delete(number, owner);
  }
}
