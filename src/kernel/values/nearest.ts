/** Longer texts are no typing errors, and comparing them would take long. */
const LONGEST = 200;

/** How many slips of the pen make `candidate` into what was written; null when they are too many to be slips. */
export function slipsBetween(written: string, candidate: string): number | null {
  if (written === candidate) return 0;
  if (written.length > LONGEST) return null;
  const bound = Math.max(1, Math.floor(written.length / 3)) + 1;
  const slips = editDistance(written.toLowerCase(), candidate.toLowerCase(), bound);
  return slips < bound ? slips : null;
}

/** The candidate closest to what was written, when it is close enough to be what was meant; else null. */
export function nearest(written: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const slips = slipsBetween(written, candidate) ?? Number.POSITIVE_INFINITY;
    if (slips >= least) continue;
    least = slips;
    best = candidate;
  }
  return best;
}

/** `, did you mean "x"?` for a close candidate, else nothing: the tail of a message. */
export function suggestion(written: string, candidates: Iterable<string>): string {
  const candidate = nearest(written, candidates);
  return candidate === null ? '' : `, did you mean ${JSON.stringify(candidate)}?`;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string alignment);
 * `bound` when at least that many.
 */
function editDistance(from: string, to: string, bound: number): number {
  if (Math.abs(from.length - to.length) >= bound) return bound;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? bound;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row, column - 1) + 1,
          at(row - 1, column) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : bound,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
