import type { Owner } from './owner.ts';

const BITS = 5;
const WIDTH = 2 ** BITS;
const MASK = WIDTH - 1;

class Leaf<V> {
  readonly owner: Owner;
  readonly values: (V | undefined)[];

  constructor(owner: Owner, values: (V | undefined)[] = new Array<V | undefined>(WIDTH).fill(undefined)) {
    this.owner = owner;
    this.values = values;
  }
}

class Branch<V> {
  readonly owner: Owner;
  readonly children: (Node<V> | undefined)[];

  constructor(owner: Owner, children: (Node<V> | undefined)[]) {
    this.owner = owner;
    this.children = children;
  }
}

type Node<V> = Leaf<V> | Branch<V>;

/** A persistent list with gaps: values by whole numbers from 0, as a trie. Ranges without values take no memory. */
export class SparseList<V> {
  #root: Node<V> | undefined;
  /** The bits of an index above the bits of a leaf, which select the children from the root on. */
  #height = 0;

  constructor(from?: SparseList<V>) {
    if (from === undefined) return;
    this.#root = from.#root;
    this.#height = from.#height;
  }

  get(index: number): V | undefined {
    if (index >>> this.#height >= WIDTH) return undefined;
    let node = this.#root;
    for (let shift = this.#height; node instanceof Branch; shift -= BITS) {
      node = node.children[(index >>> shift) & MASK];
    }
    return node?.values[index & MASK];
  }

  set(index: number, value: V, owner: Owner): void {
    while (index >>> this.#height >= WIDTH) {
      this.#height += BITS;
      if (this.#root !== undefined) this.#root = new Branch(owner, [this.#root]);
    }
    this.#root = withValue(this.#root, index, value, owner, this.#height);
  }

  delete(index: number, owner: Owner): void {
    this.#root = withoutValue(this.#root, index, owner, this.#height);
  }

  *[Symbol.iterator](): IterableIterator<V> {
    for (let index = 0; index >>> this.#height < WIDTH; ) {
      let node = this.#root;
      let shift = this.#height;
      for (; node instanceof Branch; shift -= BITS) node = node.children[(index >>> shift) & MASK];
      for (const value of node?.values ?? []) if (value !== undefined) yield value;
      // `shift` belongs to the leaf, or to the range that is missing.
      index = ((index >>> (shift + BITS)) + 1) * 2 ** (shift + BITS);
    }
  }
}

function withValue<V>(
  node: Node<V> | undefined,
  index: number,
  value: V,
  owner: Owner,
  shift: number,
): Node<V> {
  if (shift === 0) {
    const leaf = node instanceof Leaf ? ownedLeaf(node, owner) : new Leaf<V>(owner);
    leaf.values[index & MASK] = value;
    return leaf;
  }
  const branch = node instanceof Branch ? ownedBranch(node, owner) : new Branch<V>(owner, []);
  const place = (index >>> shift) & MASK;
  const child = withValue(branch.children[place], index, value, owner, shift - BITS);
  while (branch.children.length < place) branch.children.push(undefined);
  branch.children[place] = child;
  return branch;
}

function withoutValue<V>(
  node: Node<V> | undefined,
  index: number,
  owner: Owner,
  shift: number,
): Node<V> | undefined {
  if (node === undefined) return undefined;
  if (node instanceof Leaf) {
    const leaf = ownedLeaf(node, owner);
    leaf.values[index & MASK] = undefined;
    return leaf.values.some(value => value !== undefined) ? leaf : undefined;
  }
  const branch = ownedBranch(node, owner);
  const place = (index >>> shift) & MASK;
  branch.children[place] = withoutValue(branch.children[place], index, owner, shift - BITS);
  return branch.children.some(child => child !== undefined) ? branch : undefined;
}

function ownedLeaf<V>(leaf: Leaf<V>, owner: Owner): Leaf<V> {
  return leaf.owner === owner ? leaf : new Leaf(owner, leaf.values.slice());
}

function ownedBranch<V>(branch: Branch<V>, owner: Owner): Branch<V> {
  return branch.owner === owner ? branch : new Branch(owner, branch.children.slice());
}
