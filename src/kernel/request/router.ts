import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import type { Operation } from '../operation/operation.ts';
import { isBelow } from '../operation/plane.ts';
import { shorten } from '../values/shorten.ts';
import { nearestOperation } from './nearest-operation.ts';

interface Route<O extends Operation> {
  readonly operation: O;
  /** The pattern's segments; null where a parameter stands. */
  readonly segments: readonly (string | null)[];
  readonly names: readonly string[];
}

/** An operation that was asked for, with the text that stood in its path's braces, still percent-encoded. */
export interface Match<O extends Operation> {
  readonly operation: O;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds operations by method and path, below one prefix such as `/v1`. */
export class Router<O extends Operation> {
  readonly #prefix: string;
  readonly #fixed = new Map<string, Match<O>>();
  readonly #routes = new Map<string, Route<O>[]>();
  readonly #offered: readonly O[];

  /** `offered` are those of the operations that a 404 may suggest. */
  constructor(prefix: string, operations: readonly O[], offered: readonly O[] = operations) {
    this.#prefix = prefix;
    this.#offered = offered;
    for (const operation of operations) this.#add(operation);
  }

  /** The operation behind a path; null when there is none. HEAD is answered by what answers GET. */
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

  /** The 404 for a path without an operation, with the nearest known one where one is close. */
  unknown(method: string, path: string): ApiError {
    const below = isBelow(path, this.#prefix) ? path.slice(this.#prefix.length) : path;
    const meant = nearestOperation(this.#offered, method, below);
    const tail = meant === null ? '' : `; did you mean ${meant}?`;
    return new ApiError(
      404,
      assumed('unknown-operation'),
      `no such operation: ${method} ${shorten(below) || '/'}${tail}`,
    );
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

function fits(route: Route<Operation>, segments: readonly string[]): boolean {
  return route.segments.every((text, index) =>
    text === null ? segments[index] !== '' : text === segments[index],
  );
}

/** The parameters of a match as people wrote them. Throws a 400 for malformed escapes and control characters. */
export function decodeParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decode(params[name] ?? '');
  return decoded;
}

function decode(segment: string): string {
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw badRequest(assumed('invalid-input'), 'path: must not contain control characters');
  }
  return text;
}
