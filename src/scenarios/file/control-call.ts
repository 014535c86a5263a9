import { CONTROL_PREFIX } from '../../kernel/operation/plane.ts';
import { nearestOperation } from '../../kernel/request/nearest-operation.ts';
import { Router } from '../../kernel/request/router.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import { operations } from '../../sandbox/operations.ts';
import { CALL } from './schema.ts';

const control = operations.filter(({ plane }) => plane === 'control');
const router = new Router(CONTROL_PREFIX, control);

/** A control operation as a step names it. */
interface ControlCall {
  readonly method: string;
  /** Path below `/_sandbox`; by an operation's id with its `{…}` still in it. */
  readonly path: string;
  /** The names in the `{…}`. */
  readonly names: readonly string[];
}

/** What is wrong with the name of a control operation, in words; null when nothing is. */
export function controlProblem(text: string): string | null {
  const [, method = '', path = ''] = CALL.exec(text) ?? [];
  if (method === '') {
    if (control.some(({ id }) => id === text)) return null;
    const ids = control.map(({ id }) => id);
    const way = suggestion(text, ids) || '; write a method and a path, such as POST /clock/advance';
    return `is no control operation${way}`;
  }
  const below = path.split('?', 1)[0] ?? '';
  if (router.match(method, CONTROL_PREFIX + below) !== null) return null;
  const meant = nearestOperation(control, method, below);
  return `is no control operation${meant === null ? '' : `, did you mean ${meant}?`}`;
}

/** The call behind the name of a control operation that has no problem. */
export function controlCall(text: string): ControlCall {
  const [, method, path] = CALL.exec(text) ?? [];
  if (method !== undefined && path !== undefined) return { method, path, names: [] };
  const operation = control.find(({ id }) => id === text);
  if (operation === undefined) throw new Error(`no control operation ${text}`);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { method: operation.method, path: operation.path, names };
}
