import { HashIndex, type HashRoot, hashKey } from './hash-index.ts';
import { OrderedTrees } from './ordered-tree.ts';
import type { Owner } from './owner.ts';
import { RowList, type RowSource } from './row-list.ts';
import { SparseList } from './sparse-list.ts';
import { EMPTY, firstOf, sizeOf, type TreeNode } from './tree-node.ts';

export interface Grouping<R> {
  /** Returns the key of a row, or null when it is in no list. */
  readonly keyOf: (row: R) => string | null;
  /** The order of the lists; rows that are equal in it are in the order of creation, which is the default. */
  readonly compare?: ((a: R, b: R) => number) | undefined;
}

interface GroupContext<R> {
  readonly rows: RowSource<R>;
  readonly lists: NumberedLists;
  /** The operations on lists in the order of creation. */
  readonly trees: OrderedTrees;
  /** The time by which lists can be limited, of a row by its sequence number. */
  readonly timeOf: ((sequence: number) => number) | null;
}

/** By key: the only row of its list, or the complement (`~`) of the number of the list. */
class ListIndex extends HashIndex {
  readonly #group: Pick<GroupIndex<unknown>, 'hasKey'>;

  constructor(group: Pick<GroupIndex<unknown>, 'hasKey'>, root: HashRoot) {
    super(root);
    this.#group = group;
  }

  protected override hasKey(list: number, key: string): boolean {
    return this.#group.hasKey(list, key);
  }
}

/** The lists of a group. They hold sequence numbers of rows. */
export class GroupIndex<R> {
  readonly #grouping: Grouping<R>;
  readonly #rows: RowSource<R>;
  readonly #index: ListIndex;
  readonly #lists: NumberedLists;
  readonly #trees: OrderedTrees;
  /** The list that got the last row, if it has several: most rows join the list that the row before them joined. */
  #last: { readonly key: string; readonly list: number } | null = null;

  constructor(grouping: Grouping<R>, { rows, lists, trees, timeOf }: GroupContext<R>, root: HashRoot) {
    const { compare } = grouping;
    this.#grouping = grouping;
    this.#rows = rows;
    this.#lists = lists;
    this.#index = new ListIndex(this, root);
    this.#trees =
      compare === undefined
        ? trees
        : new OrderedTrees((a, b) => (a === b ? 0 : compare(rows.at(a), rows.at(b)) || a - b), timeOf);
  }

  /** The numbers of the lists by key, as the constructor takes them. */
  get root(): HashRoot {
    return this.#index.root;
  }

  list(key: string): RowList<R> {
    const list = this.#index.find(hashKey(key), key);
    const root = list === undefined ? EMPTY : list < 0 ? this.#lists.get(~list) : [list];
    return new RowList(this.#rows, this.#trees, root);
  }

  /** Whether a key has the list that the index holds so. */
  hasKey(list: number, key: string): boolean {
    const first = list < 0 ? (firstOf(this.#lists.get(~list)) ?? 0) : list;
    return this.#grouping.keyOf(this.#rows.at(first)) === key;
  }

  /** Whether a row is in another list or at another place of it than the one that it replaces. */
  isMoved(before: R, row: R): boolean {
    const { keyOf, compare } = this.#grouping;
    return keyOf(before) !== keyOf(row) || (compare !== undefined && compare(before, row) !== 0);
  }

  /** Adds a row, which must be among the rows, to its list. */
  add(row: R, sequence: number, owner: Owner): void {
    const key = this.#grouping.keyOf(row);
    if (key === null) return;
    if (this.#last?.key === key) {
      this.#addTo(this.#last.list, sequence, owner);
      return;
    }
    const hash = hashKey(key);
    const list = this.#index.find(hash, key);
    if (list === undefined) {
      this.#index.add(hash, sequence, owner);
    } else if (list >= 0) {
      const added = this.#lists.add(this.#trees.insert([list], sequence, owner), owner);
      this.#index.replace(hash, list, ~added, owner);
    } else {
      this.#addTo(~list, sequence, owner);
      this.#last = { key, list: ~list };
    }
  }

  #addTo(list: number, sequence: number, owner: Owner): void {
    const root = this.#lists.get(list);
    const next = this.#trees.insert(root, sequence, owner);
    if (next !== root) this.#lists.set(list, next, owner);
  }

  /** Removes a row, which must still be among the rows, from its list. */
  remove(row: R, sequence: number, owner: Owner): void {
    const key = this.#grouping.keyOf(row);
    if (key === null) return;
    this.#last = null;
    const hash = hashKey(key);
    const list = this.#index.find(hash, key);
    if (list === undefined) return;
    if (list >= 0) {
      this.#index.remove(hash, list, owner);
      return;
    }
    const rest = this.#trees.remove(this.#lists.get(~list), sequence, owner);
    if (sizeOf(rest) > 1) this.#lists.set(~list, rest, owner);
    else {
      this.#index.replace(hash, list, firstOf(rest) ?? 0, owner);
      this.#lists.delete(~list, owner);
    }
  }
}

export interface ListsSnapshot {
  readonly lists: SparseList<TreeNode>;
  readonly next: number;
}

/** Lists by number. All groups of a table share one, since most groups have few lists. */
export class NumberedLists {
  readonly #lists: SparseList<TreeNode>;
  #next: number;

  constructor(from?: ListsSnapshot) {
    this.#lists = new SparseList(from?.lists);
    this.#next = from?.next ?? 0;
  }

  /** Takes a snapshot. Copies no nodes. */
  snapshot(): ListsSnapshot {
    return { lists: new SparseList(this.#lists), next: this.#next };
  }

  get(number: number): TreeNode {
    return this.#lists.get(number) ?? EMPTY;
  }

  add(list: TreeNode, owner: Owner): number {
    const number = this.#next++;
    this.#lists.set(number, list, owner);
    return number;
  }

  set(number: number, list: TreeNode, owner: Owner): void {
    this.#lists.set(number, list, owner);
  }

  /** Removes a list. Its number is not used again. */
  delete(number: number, owner: Owner): void {
    this.#lists.delete(number, owner);
  }
}
