import type { operations } from '../../sandbox/operations.ts';
import { kebab } from '../flags.ts';
import { type Alias, aliases, servedElsewhere } from './aliases.ts';
import { EXAMPLES } from './examples.ts';

/** One entry of the operation table. */
export type Operation = (typeof operations)[number];

/** A command that calls operations. */
export interface Plan {
  readonly words: readonly string[];
  /** Its arguments, in order: parameters of the path, then members of query or body. */
  readonly params: readonly string[];
  readonly members: readonly string[];
  readonly operation: Operation;
  /** A second operation, which is called as well or instead. */
  readonly twin: Operation | null;
  readonly alias: Omit<Alias, 'call' | 'words'>;
}

/** Returns a command for every control operation. Aliases of operations that the table lacks are ignored. */
export function plansFor(table: readonly Operation[]): Plan[] {
  const control = table.filter(({ plane }) => plane === 'control');
  const byCall = new Map(control.map(operation => [callOf(operation), operation]));
  const known = aliases.filter(({ call }) => byCall.has(call));
  const twins = known.flatMap(alias => (alias.with === undefined ? [] : [alias.with.call]));
  return control.flatMap(operation => {
    const call = callOf(operation);
    if (twins.includes(call) || Object.hasOwn(servedElsewhere, call)) return [];
    const alias = known.find(each => each.call === call);
    if (alias !== undefined) return [aliased(operation, alias, byCall)];
    return [fromId(operation)];
  });
}

function aliased(operation: Operation, alias: Alias, byCall: ReadonlyMap<string, Operation>): Plan {
  const tokens = alias.words.split(' ');
  const inside = (pattern: RegExp) => tokens.flatMap(token => pattern.exec(token)?.slice(1) ?? []);
  return {
    words: tokens.filter(token => /^\w/.test(token)),
    params: inParamOrder(inside(/^<([a-z]\w*)>$/), operation),
    members: inside(/^\[([a-z]\w*)\]$/),
    operation,
    twin: byCall.get(alias.with?.call ?? '') ?? null,
    alias,
  };
}

/** Returns the parameters of the path. The names in an alias are only shown; there must be as many of them. */
function inParamOrder(names: readonly string[], operation: Operation): string[] {
  const params = paramsOf(operation);
  if (params.length !== names.length)
    throw new Error(`the alias of ${operation.id} does not match the parameters of its path`);
  return params;
}

/** Returns the command that an operation's id spells. */
function fromId(operation: Operation): Plan {
  const params = paramsOf(operation);
  return {
    words: operation.id.split('.').map(kebab),
    params,
    members: [],
    operation,
    twin: null,
    alias: { example: EXAMPLES[operation.id] ?? params.map(name => `<${kebab(name)}>`).join(' ') },
  };
}

function paramsOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** Returns an operation's method and path as aliases write them. */
export function callOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}
