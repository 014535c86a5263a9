import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import type { Operation, OperationGroup } from '../operation/operation.ts';
import { nearestOperation } from '../values/nearest.ts';
import { isBelow } from '../values/plane.ts';
import { shorten } from '../values/text.ts';

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

interface Method<O extends Operation> {
  /** Those whose path has no parameter, by their path. */
  readonly fixed: Map<string, Match<O>>;
  /** The others, by the number of segments of their path. */
  readonly routes: Map<number, Route<O>[]>;
}

/** Finds operations by method and path, below one prefix such as `/v1`. */
export class Router<O extends Operation> {
  readonly #prefix: string;
  readonly #groups: readonly OperationGroup<O>[];
  readonly #isSuggested: (operation: O) => boolean;
  readonly #methods = new Map<string, Method<O>>();
  #unread: readonly OperationGroup<O>[];

  /** A 404 suggests only operations for which `isSuggested` returns true. */
  constructor(
    prefix: string,
    groups: readonly OperationGroup<O>[],
    isSuggested: (operation: O) => boolean = () => true,
  ) {
    this.#prefix = prefix;
    this.#groups = groups;
    this.#unread = groups;
    this.#isSuggested = isSuggested;
  }

  /** The operation for a method and path, or null. HEAD matches the operation of GET. */
  match(method: string, path: string): Match<O> | null {
    if (!isBelow(path, this.#prefix)) return null;
    const verb = method === 'HEAD' ? 'GET' : method;
    const below = path.slice(this.#prefix.length);
    return this.#find(verb, below) ?? (this.#read(below) ? this.#find(verb, below) : null);
  }

  #find(verb: string, below: string): Match<O> | null {
    const operations = this.#methods.get(verb);
    if (operations === undefined) return null;
    const fixed = operations.fixed.get(below);
    if (fixed !== undefined) return fixed;
    const segments = below.split('/');
    for (const route of operations.routes.get(segments.length) ?? []) {
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
  unknownPathError(method: string, path: string): ApiError {
    const below = isBelow(path, this.#prefix) ? path.slice(this.#prefix.length) : path;
    const suggested = this.#groups.flatMap(({ operations }) => operations().filter(this.#isSuggested));
    const nearest = nearestOperation(suggested, method, below);
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

  /**
   * Reads the groups that may have an operation of a path, and those that share paths with them: so the order of
   * requests never decides which operation a path belongs to. Returns whether there were any.
   */
  #read(path: string): boolean {
    const mayHave = (below: string) =>
      this.#unread.filter(({ paths }) => paths.some(each => isBelow(below, each)));
    const groups = new Set(mayHave(path));
    for (const { paths } of groups) {
      for (const group of paths.flatMap(mayHave)) groups.add(group);
    }
    const read = [...groups].flatMap(({ operations }) => operations());
    // Groups whose modules cannot be loaded stay unread.
    this.#unread = this.#unread.filter(group => !groups.has(group));
    for (const operation of read) this.#add(operation);
    return groups.size > 0;
  }

  #add(operation: O): void {
    const { method, path } = operation;
    const texts = path.split('/');
    const segments = texts.map(text => (text.startsWith('{') ? null : text));
    const names = texts.filter(text => text.startsWith('{')).map(text => text.slice(1, -1));
    const operations: Method<O> = this.#methods.get(method) ?? { fixed: new Map(), routes: new Map() };
    const { fixed, routes } = operations;
    this.#methods.set(method, operations);
    if (names.length === 0) fixed.set(path, { operation, params: {} });
    else
      routes.set(segments.length, [...(routes.get(segments.length) ?? []), { operation, segments, names }]);
  }
}

/** The segment with which every path of the API begins. */
const FIRST_SEGMENT = 'partner';

function intendedPaths(prefix: string, path: string): string[] {
  const [version = ''] = prefix.split('/').filter(segment => segment !== '');
  const segments = path.split('/').filter(segment => segment !== '');
  const below = segments.filter((segment, index) => segment !== version && segment !== segments[index - 1]);
  const paths = [below, [FIRST_SEGMENT, ...below]].map(each => [prefix, ...each].join('/'));
  // An id that a caller left empty.
  return [path.replace('//', '/{id}/'), ...paths];
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
