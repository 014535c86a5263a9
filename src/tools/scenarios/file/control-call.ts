import { findOperation } from '../../../client/find-operation.ts';
import { OPERATIONS } from '../../../client/operation-table.ts';
import { nearestOperation, suggestion } from '../../../core/values/nearest.ts';
import { CALL } from './schema.ts';

const control = OPERATIONS.filter(({ plane }) => plane === 'control');

/** A control operation as a step names it. */
interface ControlCall {
  readonly method: string;
  /** Path below `/_sandbox`; for an operation's id, the pattern with `{…}`. */
  readonly path: string;
  /** The names of its path parameters. */
  readonly names: readonly string[];
}

/** Returns what is wrong with the name of a control operation, or null when it is valid. */
export function controlProblem(text: string): string | null {
  const [, method = '', path = ''] = CALL.exec(text) ?? [];
  if (method === '') {
    if (control.some(({ id }) => id === text)) return null;
    const ids = control.map(({ id }) => id);
    const hint = suggestion(text, ids) || '; write a method and a path, such as POST /clock/advance';
    return `is not a control operation${hint}`;
  }
  if (findOperation('control', method, path) !== null) return null;
  const nearest = nearestOperation(control, method, path.split('?', 1)[0] ?? '');
  return `is not a control operation${nearest === null ? '' : `, did you mean ${nearest}?`}`;
}

/** Returns the call for a valid name of a control operation. */
export function controlCall(text: string): ControlCall {
  const [, method, path] = CALL.exec(text) ?? [];
  if (method !== undefined && path !== undefined) return { method, path, names: [] };
  const operation = control.find(({ id }) => id === text);
  if (operation === undefined) throw new Error(`no control operation ${text}`);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { method: operation.method, path: operation.path, names };
}
