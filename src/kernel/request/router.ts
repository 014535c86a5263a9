import { shorten } from '../../values/shorten.ts';
import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import type { Operation } from '../operation/operation.ts';
import { isBelow } from '../operation/plane.ts';
import { nearestOperation } from './nearest-operation.ts';

interface Route<O extends Operation> {
  readonly operation: O;
  /** The segments of the path; null for a parameter. */
  readonly segments: readonly (string | null)[];
  readonly names: readonly string[];
}

/** The operation of a request, with its path parameters, still percent-encoded. */
export interface Match<O extends Operation> {
  readonly operation: O;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds operations by method and path, below one prefix such as `/v1`. */
export class Router<O extends Operation> {
  readonly #prefix: string;
  readonly #fixed = new Map<string, Match<O>>();
  readonly #routes = new Map<string, Route<O>[]>();
  readonly #suggested: readonly O[];

  /** A 404 suggests only operations of `suggested`. */
  constructor(prefix: string, operations: readonly O[], suggested: readonly O[] = operations) {
    this.#prefix = prefix;
    this.#suggested = suggested;
    for (const operation of operations) this.#add(operation);
  }

  /** The operation for a method and path, or null. HEAD matches the operation of GET. */
  match(method: string, path: string): Match<O> | null {
    if (!isBelow(path, this.#prefix)) return null;
    const verb = method === 'HEAD' ? 'GET' : method;
    const below = path.slice(this.#prefix.length);
    const fixed = this.#fixed.get(`${verb} ${below}`);
    if (fixed !== undefined) return fixed;
    const segments = below.split('/');
    for (const route of this.#routes.get(`${verb} ${segments.length}`) ?? []) {
      if (!fits(route, segments)) continue;
      const params: Record<string, string> = {};
      let found = 0;
      for (let index = 0; index < segments.length; index++) {
        if (route.segments[index] !== null) continue;
        params[route.names[found++] ?? ''] = segments[index] ?? '';
      }
      return { operation: route.operation, params };
    }
    return null;
  }

  /** The 404 for a request without an operation. Suggests the nearest operation if one is close. */
  unknown(method: string, path: string): ApiError {
    const below = isBelow(path, this.#prefix) ? path.slice(this.#prefix.length) : path;
    const nearest = nearestOperation(this.#suggested, method, below);
    const tail = nearest === null ? '' : `; did you mean ${nearest}?`;
    return new ApiError(
      404,
      assumed('unknown-operation'),
      `no such operation: ${method} ${shorten(below) || '/'}${tail}`,
      { hint: this.#intendedHint(method, path) },
    );
  }

  /** The hint about a path that is known once doubled segments are dropped or a missing first one is added, or null. */
  #intendedHint(method: string, path: string): string | null {
    for (const candidate of intendedPaths(this.#prefix, path)) {
      if (candidate === path || this.match(method, candidate) === null) continue;
      return `path: a segment is doubled or missing; ${method} ${shorten(candidate)} was probably meant`;
    }
    return null;
  }

  #add(operation: O): void {
    const texts = operation.path.split('/');
    const segments = texts.map(text => (text.startsWith('{') ? null : text));
    const names = texts.filter(text => text.startsWith('{')).map(text => text.slice(1, -1));
    if (names.length === 0) {
      this.#fixed.set(`${operation.method} ${operation.path}`, { operation, params: {} });
      return;
    }
    const key = `${operation.method} ${segments.length}`;
    this.#routes.set(key, [...(this.#routes.get(key) ?? []), { operation, segments, names }]);
  }
}

/** The segment with which every path of the API begins. */
const FIRST_SEGMENT = 'partner';

function intendedPaths(prefix: string, path: string): string[] {
  const [version = ''] = prefix.split('/').filter(segment => segment !== '');
  const segments = path.split('/').filter(segment => segment !== '');
  const below = segments.filter((segment, index) => segment !== version && segment !== segments[index - 1]);
  const paths = [below, [FIRST_SEGMENT, ...below]];
  return paths.map(each => [prefix, ...each].join('/'));
}

function fits(route: Route<Operation>, segments: readonly string[]): boolean {
  return route.segments.every((text, index) =>
    text === null ? segments[index] !== '' : text === segments[index],
  );
}

/** Decodes path parameters. Throws a 400 for malformed escapes and control characters. */
export function decodeParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decodeParam(params[name] ?? '');
  return decoded;
}

/** Decodes a segment of a path. Throws a 400 for malformed escapes and control characters. */
export function decodeParam(segment: string): string {
  if (!segment.includes('%')) return segment;
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw badRequest(
      assumed('invalid-input'),
      `path: ${JSON.stringify(shorten(segment))} is not valid percent-encoding`,
    );
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw badRequest(assumed('invalid-input'), 'path: must not contain control characters');
  }
  return text;
}
