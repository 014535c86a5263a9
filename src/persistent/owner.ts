/**
 * The right to change nodes of a persistent structure in place. A node is created with the owner that writes at that
 * moment; a snapshot takes a new owner, so that the nodes that it shares are copied before they change.
 */
export type Owner = number;

let last: Owner = 0;

/** Returns an owner that no node has yet. */
export function newOwner(): Owner {
  last += 1;
  return last;
}
