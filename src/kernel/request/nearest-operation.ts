import { slipsBetween } from '../values/nearest.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * The operations that a request without one may have meant, as `GET /path or POST /path`; null when none is
 * close. A path is close when each of its segments is, or when it is the beginning of a longer one.
 */
export function nearestOperation(routes: readonly Route[], method: string, path: string): string | null {
  const written = path.replace(/\/+$/, '').split('/');
  const ranked = routes
    .map(route => ({ route, slips: slipsIn(route.path.split('/'), written) }))
    .filter(({ slips }) => slips !== null)
    .sort((a, b) => Number(a.slips) - Number(b.slips));
  const closest = ranked[0]?.route ?? routes.find(route => begins(route.path.split('/'), written));
  if (closest === undefined) return null;
  const sharing = routes.filter(route => route.path === closest.path);
  const meant = sharing.filter(route => route.method === method);
  return (meant.length > 0 ? meant : sharing).map(route => `${route.method} ${route.path}`).join(' or ');
}

/** The slips in all segments together; null when a segment is not close. Anything may stand for a parameter. */
function slipsIn(pattern: readonly string[], written: readonly string[]): number | null {
  if (pattern.length !== written.length) return null;
  let sum = 0;
  for (const [index, text] of pattern.entries()) {
    const given = written[index] ?? '';
    const slips = text.startsWith('{') ? (given === '' ? null : 0) : slipsBetween(given, text);
    if (slips === null) return null;
    sum += slips;
  }
  return sum;
}

function begins(pattern: readonly string[], written: readonly string[]): boolean {
  return written.length > 2 && written.every((text, index) => text === pattern[index]);
}
