import type { Owner } from './owner.ts';

/** The maximum number of elements of a leaf, and of children of a branch. */
export const WIDTH = 32;

/** Elements in order. Never changed in place, and of exactly its size, since most lists are short. */
export type Leaf = readonly number[];

export type TreeNode = Leaf | Branch;

/** The children of a branch, and by child: its size, a lower bound of its elements, and the bounds of their times. */
export class Branch {
  readonly owner: Owner;
  readonly children: TreeNode[];
  readonly sizes: number[];
  readonly firsts: number[];
  readonly earliest: number[];
  readonly latest: number[];
  size: number;

  constructor(
    owner: Owner,
    { children, sizes, firsts, earliest, latest }: Members,
    from = 0,
    to = WIDTH + 1,
  ) {
    this.owner = owner;
    this.children = children.slice(from, to);
    this.sizes = sizes.slice(from, to);
    this.firsts = firsts.slice(from, to);
    this.earliest = earliest.slice(from, to);
    this.latest = latest.slice(from, to);
    this.size = 0;
    for (const size of this.sizes) this.size += size;
  }
}

type Members = Pick<Branch, 'children' | 'sizes' | 'firsts' | 'earliest' | 'latest'>;

export const EMPTY: TreeNode = [];

export function sizeOf(node: TreeNode): number {
  return node instanceof Branch ? node.size : node.length;
}

export function elementAt(root: TreeNode, index: number): number | undefined {
  let node = root;
  let rest = index;
  while (node instanceof Branch) {
    let place = 0;
    for (let size = node.sizes[0] ?? 0; rest >= size && place < node.sizes.length; ) {
      rest -= size;
      place += 1;
      size = node.sizes[place] ?? 0;
    }
    node = node.children[place] ?? EMPTY;
  }
  return node[rest];
}

export function firstOf(root: TreeNode): number | undefined {
  let node = root;
  while (node instanceof Branch) node = node.children[0] ?? EMPTY;
  return node[0];
}

export function lastOf(root: TreeNode): number | undefined {
  let node = root;
  while (node instanceof Branch) node = node.children.at(-1) ?? EMPTY;
  return node.at(-1);
}

export function isLeaf(node: TreeNode): node is Leaf {
  return !(node instanceof Branch);
}

export function widthOf(node: TreeNode): number {
  return node instanceof Branch ? node.children.length : node.length;
}

/** Returns a branch that `owner` may change: this one, or a copy. */
export function ownedBranch(branch: Branch, owner: Owner): Branch {
  return branch.owner === owner ? branch : new Branch(owner, branch);
}

/** Copies a leaf: with room for one more element at `index` (1), or without the one there (-1). */
export function copyLeaf(leaf: Leaf, index: number, change: 1 | -1): number[] {
  // Not with `splice` or `push`, which leave room for more.
  const copy = new Array<number>(leaf.length + change);
  for (let place = 0; place < index; place++) copy[place] = leaf[place] ?? 0;
  if (change === 1) for (let place = index; place < leaf.length; place++) copy[place + 1] = leaf[place] ?? 0;
  else for (let place = index + 1; place < leaf.length; place++) copy[place - 1] = leaf[place] ?? 0;
  return copy;
}
