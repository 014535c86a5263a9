import type { Owner } from './owner.ts';
import {
  Branch,
  copyLeaf,
  EMPTY,
  firstOf,
  isLeaf,
  type Leaf,
  lastOf,
  ownedBranch,
  sizeOf,
  type TreeNode,
  WIDTH,
  widthOf,
} from './tree-node.ts';

/** The indexes from `start` to before `end`. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/**
 * Operations on persistent ordered lists of numbers: counted B-trees. The lists of one `OrderedTrees` have the same
 * order, and their branches know the earliest and latest time of their elements.
 */
export class OrderedTrees {
  readonly #compare: ((a: number, b: number) => number) | null;
  readonly #timeOf: ((element: number) => number) | null;

  /** `compare` is the order, by default the order of numbers. `timeOf` returns the time of an element, for `between`. */
  constructor(
    compare: ((a: number, b: number) => number) | null = null,
    timeOf: ((element: number) => number) | null = null,
  ) {
    this.#compare = compare;
    this.#timeOf = timeOf;
  }

  insert(root: TreeNode, element: number, owner: Owner): TreeNode {
    const node = this.#insertInto(root, element, owner);
    if (widthOf(node) <= WIDTH) return node;
    const branch = new Branch(owner, { children: [], sizes: [], firsts: [], earliest: [], latest: [] });
    branch.size = sizeOf(node);
    this.#put(branch, 0, node, 0);
    this.#split(branch, 0, element, owner);
    return branch;
  }

  remove(root: TreeNode, element: number, owner: Owner): TreeNode {
    if (!(root instanceof Branch)) {
      const index = this.#lowerBound(root, element);
      return root[index] === element ? copyLeaf(root, index, -1) : root;
    }
    const branch = ownedBranch(root, owner);
    const index = this.#childOf(branch, element);
    const child = this.remove(branch.children[index] ?? EMPTY, element, owner);
    branch.size -= (branch.sizes[index] ?? 0) - sizeOf(child);
    const left = branch.children[index - 1];
    if (sizeOf(child) === 0) this.#put(branch, index, null, 1);
    else if (isLeaf(child) && left !== undefined && isLeaf(left) && child.length + left.length <= WIDTH / 2) {
      this.#put(branch, index - 1, [...left, ...child], 2);
    } else {
      branch.children[index] = child;
      branch.sizes[index] = sizeOf(child);
      // `compare` can compare elements of the list only, not one that was removed.
      branch.firsts[index] = firstOf(child) ?? 0;
    }
    return branch.children.length > 1 ? branch : (branch.children[0] ?? EMPTY);
  }

  rank(root: TreeNode, element: number): number {
    let rank = 0;
    let node = root;
    while (node instanceof Branch) {
      const index = this.#childOf(node, element);
      for (let before = 0; before < index; before++) rank += node.sizes[before] ?? 0;
      node = node.children[index] ?? EMPTY;
    }
    return rank + this.#lowerBound(node, element);
  }

  /** Returns the runs of elements with a time from `from` to `to`, both inclusive. One run if times grow with the order. */
  between(root: TreeNode, from: number, to: number): Run[] {
    const runs: Run[] = [];
    this.#addRuns(runs, root, 0, { from, to });
    return runs;
  }

  #addRuns(
    runs: Run[],
    node: TreeNode,
    start: number,
    range: { readonly from: number; readonly to: number },
  ) {
    let offset = start;
    if (!(node instanceof Branch)) {
      for (const element of node) {
        const time = this.#timeOf?.(element) ?? 0;
        if (time >= range.from && time <= range.to) addRun(runs, offset, 1);
        offset += 1;
      }
      return;
    }
    for (const [index, child] of node.children.entries()) {
      const [earliest = 0, latest = 0, size = 0] = [
        node.earliest[index],
        node.latest[index],
        node.sizes[index],
      ];
      if (earliest >= range.from && latest <= range.to) addRun(runs, offset, size);
      else if (latest >= range.from && earliest <= range.to) this.#addRuns(runs, child, offset, range);
      offset += size;
    }
  }

  /** The result may be wider than a node may be. */
  #insertInto(node: TreeNode, element: number, owner: Owner): TreeNode {
    if (!(node instanceof Branch)) {
      const index = this.#lowerBound(node, element);
      const leaf = copyLeaf(node, index, 1);
      leaf[index] = element;
      return leaf;
    }
    const branch = ownedBranch(node, owner);
    const index = this.#childOf(branch, element);
    const child = this.#insertInto(branch.children[index] ?? EMPTY, element, owner);
    branch.children[index] = child;
    branch.sizes[index] = (branch.sizes[index] ?? 0) + 1;
    branch.size += 1;
    if (this.#isBefore(element, branch.firsts[index] ?? element)) branch.firsts[index] = element;
    if (this.#timeOf !== null) {
      const time = this.#timeOf(element);
      branch.earliest[index] = Math.min(branch.earliest[index] ?? time, time);
      branch.latest[index] = Math.max(branch.latest[index] ?? time, time);
    }
    if (widthOf(child) > WIDTH) this.#split(branch, index, element, owner);
    return branch;
  }

  /** Splits a child that is too wide: in the middle, or before an element that was appended, so that nodes stay full. */
  #split(parent: Branch, index: number, element: number, owner: Owner): void {
    const child = parent.children[index] ?? EMPTY;
    const isAppended = index === parent.children.length - 1 && lastOf(child) === element;
    const cut = isAppended ? WIDTH : WIDTH / 2;
    const [left, right] =
      child instanceof Branch
        ? [new Branch(owner, child, 0, cut), new Branch(owner, child, cut)]
        : [child.slice(0, cut), child.slice(cut)];
    this.#put(parent, index, left, 1);
    this.#put(parent, index + 1, right, 0);
  }

  /** Replaces `count` children from `index` on by one, or by none. The size of the branch stays. */
  #put(branch: Branch, index: number, child: TreeNode | null, count: number): void {
    const put = <T>(list: T[], value: T) => {
      if (child === null) list.splice(index, count);
      else list.splice(index, count, value);
    };
    const node = child ?? EMPTY;
    const nested = node instanceof Branch ? node : null;
    const times = this.#timeOf === null || node instanceof Branch ? [] : node.map(this.#timeOf);
    put(branch.children, node);
    put(branch.sizes, sizeOf(node));
    put(branch.firsts, nested?.firsts[0] ?? firstOf(node) ?? 0);
    if (this.#timeOf === null) return;
    put(branch.earliest, Math.min(...(nested?.earliest ?? times)));
    put(branch.latest, Math.max(...(nested?.latest ?? times)));
  }

  /** Returns the index of the child that has the element or is to get it. */
  #childOf({ firsts }: Branch, element: number): number {
    let low = 0;
    let high = firsts.length - 1;
    if (!this.#isBefore(element, firsts[high] ?? element)) return high;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#isBefore(element, firsts[middle] ?? element)) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /** Returns the index of the first element that does not come before this one. */
  #lowerBound(leaf: Leaf, element: number): number {
    let low = 0;
    let high = leaf.length;
    if (high > 0 && this.#isBefore(leaf[high - 1] ?? element, element)) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(leaf[middle] ?? element, element)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(a: number, b: number): boolean {
    return this.#compare === null ? a < b : this.#compare(a, b) < 0;
  }
}

function addRun(runs: Run[], start: number, size: number): void {
  const last = runs.at(-1);
  if (last?.end === start) runs[runs.length - 1] = { start: last.start, end: start + size };
  else runs.push({ start, end: start + size });
}
