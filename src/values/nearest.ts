/** Longer texts are not compared: the cost of an edit distance is quadratic. */
const MAX_LENGTH = 200;

/** The edit distance between `text` and `candidate`, or null when it is too large for a typing error. */
export function closeDistance(text: string, candidate: string): number | null {
  if (text === candidate) return 0;
  if (text.length > MAX_LENGTH) return null;
  const bound = Math.max(1, Math.floor(text.length / 3)) + 1;
  const distance = editDistance(text.toLowerCase(), candidate.toLowerCase(), bound);
  return distance < bound ? distance : null;
}

/** The candidate nearest to `text`, or null when none is close. */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = closeDistance(text, candidate) ?? Number.POSITIVE_INFINITY;
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** The end of a message: `, did you mean "x"?` for the nearest candidate, or an empty text when none is close. */
export function suggestion(text: string, candidates: Iterable<string>): string {
  const candidate = nearest(text, candidates);
  return candidate === null ? '' : `, did you mean ${JSON.stringify(candidate)}?`;
}

/**
 * The edit distance between two texts: insertions, deletions, substitutions and transpositions (optimal string
 * alignment). Returns `bound` for any distance that large.
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
