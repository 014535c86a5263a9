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

/** Optimal string alignment distance. Returns `bound` for any distance that large. */
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

interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * The operations closest to a request that matches none, as `GET /path or POST /path`, or null when none is close. A
 * path is close when each of its segments is close, or when it is the beginning of a longer path.
 */
export function nearestOperation(routes: readonly Route[], method: string, path: string): string | null {
  const segments = path.replace(/\/+$/, '').split('/');
  const ranked = routes
    .map(route => ({ route, distance: pathDistance(segments, route.path.split('/')) }))
    .filter(({ distance }) => distance !== null)
    .sort((a, b) => Number(a.distance) - Number(b.distance));
  const closest = ranked[0]?.route ?? routes.find(route => isPrefix(segments, route.path.split('/')));
  if (closest === undefined) return null;
  const samePath = routes.filter(route => route.path === closest.path);
  const sameMethod = samePath.filter(route => route.method === method);
  const suggested = sameMethod.length > 0 ? sameMethod : samePath;
  return suggested.map(route => `${route.method} ${route.path}`).join(' or ');
}

/** The sum of the edit distances of all segments, or null when a segment is not close. A parameter matches any text. */
function pathDistance(segments: readonly string[], pattern: readonly string[]): number | null {
  if (pattern.length !== segments.length) return null;
  let sum = 0;
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const isParameter = expected.startsWith('{');
    const distance = isParameter ? (segment === '' ? null : 0) : closeDistance(segment, expected);
    if (distance === null) return null;
    sum += distance;
  }
  return sum;
}

function isPrefix(segments: readonly string[], pattern: readonly string[]): boolean {
  return segments.length > 2 && segments.every((segment, index) => segment === pattern[index]);
}
