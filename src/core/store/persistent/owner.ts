/**
 * The right to change nodes of a persistent structure in place. A node has the owner that wrote at the moment of its
 * creation; nodes that are shared are copied before they change, because their structure has a new owner since.
 */
export type Owner = number;

let owners = 0;

export function newOwner(): Owner {
  owners += 1;
  return owners;
}
