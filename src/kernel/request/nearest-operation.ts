import { closeDistance } from '../../values/nearest.ts';

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
