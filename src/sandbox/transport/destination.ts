import { URL } from 'node:url';
import { parseHttpUrl } from '../../core/values/parse-url.ts';

/** Sends deliveries for URLs below `from` to the same path below `to`. */
export interface Mapping {
  readonly from: URL;
  readonly to: URL;
}

export interface Redirection {
  /** Receives every delivery and takes precedence over `map`; null when nothing is forwarded. */
  readonly forwardTo: string | null;
  /** The first mapping that matches applies. */
  readonly map: readonly Mapping[];
}

export const MAPPING_RULE =
  'must be FROM=TO, two http:// or https:// URLs without user name, query or fragment, such as ' +
  'https://hooks.partner.test=http://127.0.0.1:3000';

/** Parses a `FROM=TO` mapping. Returns null when it is not valid. */
export function parseMapping(text: string): Mapping | null {
  return toMapping(...splitMapping(text));
}

/** Returns both sides of a `FROM=TO` mapping; empty when it has another form. */
export function splitMapping(text: string): [from: string, to: string] {
  const [, from = '', to = ''] = /^(.*?)=(https?:.*)$/is.exec(text) ?? [];
  return [from, to];
}

/** Returns the mapping of two URLs, or null when it is not valid. */
export function toMapping(left: string, right: string): Mapping | null {
  const [from, to] = [parseHttpUrl(left), parseHttpUrl(right)];
  return from !== null && to !== null && isPlain(from) && isPlain(to) ? { from, to } : null;
}

export function forwardProblem(text: string): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return 'must be an absolute http:// or https:// URL';
  return hasCredentials(url) ? 'must not hold a user name or password' : null;
}

export function destinationOf(configured: URL, { forwardTo, map }: Redirection): URL {
  if (forwardTo !== null) return new URL(forwardTo);
  for (const { from, to } of map) {
    const path = pathBelow(configured, from);
    if (path === null) continue;
    const target = new URL(to);
    if (path !== '') target.pathname = target.pathname.replace(/\/$/, '') + path;
    target.search = configured.search;
    return target;
  }
  return configured;
}

/** Where a request is sent: the whole URL, and the parts that a request names. */
export interface Target {
  readonly href: string;
  readonly origin: string;
  readonly path: string;
}

/** Returns where a delivery for a configured URL is sent, or null when that is not a URL. */
export function targetOf(url: string, redirection: Redirection): Target | null {
  const configured = parseHttpUrl(url);
  if (configured === null) return null;
  const { href, origin, pathname, search } = destinationOf(configured, redirection);
  return { href, origin, path: pathname + search };
}

/** Returns the path of `url` relative to `base`, empty or with a leading slash, or null when it is not below `base`. */
function pathBelow(url: URL, base: URL): string | null {
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
