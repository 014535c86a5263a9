/** Names of variables for ids, by their prefix. */
const BY_PREFIX: Readonly<Record<string, string>> = {
  ch: 'cardholder',
  card: 'card',
  prog: 'cardProgram',
  txn: 'transaction',
  evt: 'event',
  use: 'usage',
  kycs: 'kycSession',
  tds: 'challenge',
  flt: 'fault',
  partner: 'partner',
};

/** Gives variables names that say what they hold: `cardholder`, `card2`, `apiKey`. */
export class VariableNames {
  readonly #used = new Map<string, number>();

  /** Returns a new name for a value, by the prefix of an id or else by the member that holds it. */
  next(value: string, member: string): string {
    const base =
      BY_PREFIX[/^([a-z]+)_/.exec(value)?.[1] ?? ''] ?? (/^[A-Za-z]\w*$/.test(member) ? member : 'value');
    const count = (this.#used.get(base) ?? 0) + 1;
    this.#used.set(base, count);
    return count === 1 ? base : `${base}${count}`;
  }
}
