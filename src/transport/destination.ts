import { parseHttpUrl } from '../kernel/values/url.ts';

/** Deliveries to a URL below `from` go to the same path below `to`. */
export interface Mapping {
  readonly from: URL;
  readonly to: URL;
}

/** Where deliveries go instead of where they are configured to go. */
export interface Redirection {
  /** Takes every delivery, whatever the map says; null when nothing does. */
  readonly forwardTo: string | null;
  /** The first that fits is used. */
  readonly map: readonly Mapping[];
}

/** What a mapping has to be. */
export const MAPPING_RULE =
  'must be FROM=TO, two http:// or https:// URLs without user name, query or fragment, such as ' +
  'https://hooks.partner.test=http://127.0.0.1:3000';

/** The mapping that a text `FROM=TO` stands for; null when it is none. */
export function parseMapping(text: string): Mapping | null {
  const [, left = '', right = ''] = /^(.*?)=(https?:.*)$/is.exec(text) ?? [];
  const [from, to] = [parseHttpUrl(left), parseHttpUrl(right)];
  return from !== null && to !== null && isPlain(from) && isPlain(to) ? { from, to } : null;
}

/** What is wrong with a URL that takes every delivery; null when nothing is. */
export function forwardProblem(text: string): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return 'must be an absolute http:// or https:// URL';
  return hasCredentials(url) ? 'must not hold a user name or password' : null;
}

/** Where a delivery to the configured URL really goes. */
export function destinationOf(configured: URL, { forwardTo, map }: Redirection): URL {
  if (forwardTo !== null) return new URL(forwardTo);
  for (const { from, to } of map) {
    const rest = restBelow(configured, from);
    if (rest === null) continue;
    const moved = new URL(to);
    if (rest !== '') moved.pathname = moved.pathname.replace(/\/$/, '') + rest;
    moved.search = configured.search;
    return moved;
  }
  return configured;
}

/** The path of a URL beyond that of another, empty or from a slash on; null when it is not below it. */
function restBelow(url: URL, base: URL): string | null {
  if (url.origin !== base.origin) return null;
  if (url.pathname === base.pathname) return '';
  const path = base.pathname.replace(/\/$/, '');
  return url.pathname.startsWith(`${path}/`) ? url.pathname.slice(path.length) : null;
}

function isPlain(url: URL): boolean {
  return !hasCredentials(url) && url.search === '' && url.hash === '';
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
