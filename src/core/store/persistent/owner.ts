let lines = 0;

/**
 * The right to change nodes of a persistent structure in place. A node has the owner that wrote at the moment of its
 * creation; a snapshot takes a new owner, so that the nodes that it shares are copied before they change.
 */
export class Owner {
  /** The same for an owner and those that follow it. No two structures have owners of one line. */
  readonly line: number;
  /** The place in the line: 0 for the owner of what may be changed for all others of the line too. */
  readonly place: number;
  /** The owner of that in this line. */
  readonly common: Owner;

  private constructor(line: number, place: number, common?: Owner) {
    this.line = line;
    this.place = place;
    this.common = common ?? this;
  }

  /** Returns the first owner of a new line. */
  static first(): Owner {
    lines += 1;
    return new Owner(lines, 0).next();
  }

  /** Returns the next owner of the same line. */
  next(): Owner {
    return new Owner(this.line, this.place + 1, this.common);
  }
}

/**
 * Whether an owner may change in place what the owner with this line and place owns. The common owner may change what all
 * of its line own.
 */
export function isOwn(line: number | undefined, place: number | undefined, owner: Owner): boolean {
  return line === owner.line && (owner.place === 0 || place === owner.place);
}
