import type { Plane } from '../core/values/plane.ts';
import { OPERATIONS, type OperationEntry } from './operation-table.ts';

/**
 * Returns the operation for a method and a path below the prefix of its plane, with or without a query, or null when
 * there is none. A path without parameters is found before one with them; HEAD finds the operation of GET.
 */
export function findOperation(plane: Plane, method: string, path: string): OperationEntry | null {
  const verb = method === 'HEAD' ? 'GET' : method;
  const segments = (path.split('?', 1)[0] ?? '').split('/');
  const found = OPERATIONS.filter(
    each => each.plane === plane && each.method === verb && fits(each.path.split('/'), segments),
  );
  return found.find(each => !each.path.includes('{')) ?? found[0] ?? null;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((text, index) => (text.startsWith('{') ? segments[index] !== '' : text === segments[index]))
  );
}
