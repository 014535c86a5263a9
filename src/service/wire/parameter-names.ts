import * as z from 'zod';
import type { AssumptionValues } from '../../core/operation/assumption-values.ts';
import { isObject } from '../../core/request/input.ts';

/** Query parameters by the names that callers use, with those that the operation uses. */
type ParameterNames = ReadonlyMap<string, string>;

/** Renames the parameters that settings name. Returns the names of those whose name changes. */
export function renamedQuery(
  query: z.ZodType,
  values: AssumptionValues,
): { readonly query: z.ZodType; readonly names: ParameterNames } {
  if (!(query instanceof z.ZodObject)) return { query, names: new Map() };
  const names = new Map<string, string>();
  const shape = Object.entries(query.shape).map(([name, schema]) => {
    const given = nameIn(schema.meta(), values) ?? name;
    if (given !== name) names.set(given, name);
    return [given, schema];
  });
  return names.size === 0 ? { query, names } : { query: z.object(Object.fromEntries(shape)), names };
}

/** The name that the setting of a parameter says, if it has one. */
function nameIn(meta: z.core.GlobalMeta | undefined, values: AssumptionValues): string | undefined {
  const settings: Readonly<Record<string, unknown>> = { ...values };
  const setting = meta?.['x-assumption'];
  const isName = typeof setting === 'string' && setting.endsWith('-parameter');
  const value = isName ? settings[setting] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns a query with the names that the operation uses. */
export function ownNames(query: unknown, names: ParameterNames): unknown {
  if (names.size === 0 || !isObject(query)) return query;
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** Replaces the names of parameters in a hint by those of the callers. */
export function callersNames(hint: string, names: ParameterNames): string {
  const given = new Map([...names].map(([name, own]) => [own, name]));
  return hint.replace(/(?<=\bquery\.)\w+/g, own => given.get(own) ?? own);
}
