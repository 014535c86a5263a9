import * as z from 'zod';
import { ApiError, type AssumptionId } from '../../core/operation/errors.ts';
import type { Operation, PartnerOperation } from '../../core/operation/operation.ts';
import type { Wire } from '../../core/request/dispatch-options.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { DEFAULT_SETTINGS } from '../assumptions/settings.ts';
import { bodyOnWire, contentOnWire, conversionOf } from './fields.ts';

/** The settings that decide the status of the refusals under a rule. */
const STATUSES: Partial<Record<AssumptionId, 'invalid-input-status' | 'allow-list-status'>> = {
  'invalid-input': 'invalid-input-status',
  'allow-list-status': 'allow-list-status',
};

/** Settings do not change, so the operations of each are made once. */
const wires = new WeakMap<AssumptionValues, Wire>();

/** Returns the wire for settings; null for the default ones, which change nothing. */
export function wireOf(values: AssumptionValues): Wire | null {
  if (values === DEFAULT_SETTINGS.values) return null;
  let wire = wires.get(values);
  if (wire === undefined) {
    wire = createWire(values);
    wires.set(values, wire);
  }
  return wire;
}

/** Returns operations as the callers of a sandbox with settings see them. */
export function operationsOnWire(
  operations: readonly Operation[],
  values: AssumptionValues,
): readonly Operation[] {
  const wire = wireOf(values);
  return wire === null
    ? operations
    : operations.map(each => (each.plane === 'partner' ? wire.operation(each, false) : each));
}

function createWire(values: AssumptionValues): Wire {
  const forApps = new Map<PartnerOperation, PartnerOperation>();
  const forLibrary = new Map<PartnerOperation, PartnerOperation>();
  return {
    operation(operation, hasNeutralNames) {
      const operations = hasNeutralNames ? forLibrary : forApps;
      let onWire = operations.get(operation);
      if (onWire === undefined) {
        onWire = operationOnWire(withParameters(operation, values, hasNeutralNames), values);
        operations.set(operation, onWire);
      }
      return onWire;
    },
    refusal: refusal => withStatus(refusal, values),
  };
}

function withStatus(refusal: ApiError, values: AssumptionValues): ApiError {
  const { rule, message, details, headers, hint, missing } = refusal;
  const own = rule.kind === 'assumed' ? STATUSES[rule.id] : undefined;
  const name = refusal.isInvalidInput ? 'invalid-input-status' : own;
  if (name === undefined || values[name] === refusal.status) return refusal;
  return new ApiError(values[name], rule, message, { headers, hint, missing, ...(details && { details }) });
}

/**
 * Returns an operation as its callers see it under settings: with their rules for bodies and their form of responses. It
 * runs the same code on the same input. Where settings change nothing, it is the same object.
 */
function operationOnWire(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const body = bodyOnWire(operation.body, values);
  const withBody = body === operation.body ? operation : { ...operation, body };
  return withResponses(withBody, values);
}

/** Returns an operation with the names of parameters that settings say; with `keepsOwn`, it takes its own names, too. */
function withParameters(
  operation: PartnerOperation,
  values: AssumptionValues,
  keepsOwn: boolean,
): PartnerOperation {
  const { query, names } = renameQuery(operation.query, values, keepsOwn);
  if (names.size === 0) return operation;
  return {
    ...operation,
    query,
    hints: ({ query, body }, caller) =>
      operation
        .hints({ query: toOwnNames(query, names), body }, caller)
        .map(hint => (keepsOwn ? hint : toCallerNames(hint, names))),
    run: context => operation.run({ ...context, query: toOwnNames(context.query, names) }),
  };
}

type ParameterNames = ReadonlyMap<string, string>;

/**
 * Renames the parameters that settings name. Returns the names of those whose name changes. With `keepsOwn`, both names
 * count, and one that two parameters have means the parameter whose own it is.
 */
function renameQuery(
  query: z.ZodObject,
  values: AssumptionValues,
  keepsOwn: boolean,
): { readonly query: z.ZodObject; readonly names: ParameterNames } {
  const names = new Map<string, string>();
  const shape = Object.entries(query.shape).flatMap(([name, schema]) => {
    const callerName = nameIn(schema.meta(), values) ?? name;
    const isTaken = callerName === name || (keepsOwn && Object.hasOwn(query.shape, callerName));
    if (!isTaken) names.set(callerName, name);
    if (keepsOwn && !isTaken) return [[name, schema] as const, [callerName, schema] as const];
    return [[keepsOwn ? name : callerName, schema] as const];
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
function toOwnNames(query: unknown, names: ParameterNames): unknown {
  // The schema of a query is an object.
  return Object.fromEntries(
    Object.entries(query as object).map(([name, value]) => [names.get(name) ?? name, value]),
  );
}

function toCallerNames(hint: string, names: ParameterNames): string {
  const callerNames = new Map([...names].map(([name, own]) => [own, name]));
  return hint.replace(/(?<=\bquery\.)\w+/g, own => callerNames.get(own) ?? own);
}

function withResponses(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const all = Object.entries(operation.responses);
  const shown = all.map(([status, schema]) => [status, schema && contentOnWire(schema, values)] as const);
  if (shown.every(([, schema], index) => schema === all[index]?.[1])) return operation;
  const conversions = new Map(
    all.map(([status, schema]) => [Number(status), schema && conversionOf(schema, values)]),
  );
  return {
    ...operation,
    responses: Object.fromEntries(shown),
    run(context) {
      const reply = operation.run(context);
      const convert = conversions.get(reply.status);
      return convert ? { ...reply, body: convert(reply.body) } : reply;
    },
  };
}
