import type { AssumptionValues } from '../../core/operation/assumption-values.ts';
import { ApiError, type AssumptionId } from '../../core/operation/errors.ts';
import type { Operation, PartnerOperation } from '../../core/operation/operation.ts';
import type { Wire } from '../../core/request/dispatch-options.ts';
import { DEFAULT_SETTINGS } from '../assumptions/settings.ts';
import { operationOnWire } from './operation-on-wire.ts';

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
  return operations.map(each => (each.plane === 'partner' ? (wire?.operation(each) ?? each) : each));
}

function createWire(values: AssumptionValues): Wire {
  const operations = new Map<PartnerOperation, PartnerOperation>();
  return {
    operation(operation) {
      let onWire = operations.get(operation);
      if (onWire === undefined) {
        onWire = operationOnWire(operation, values);
        operations.set(operation, onWire);
      }
      return onWire;
    },
    refusal: refusal => withStatus(refusal, values),
  };
}

function withStatus(refusal: ApiError, values: AssumptionValues): ApiError {
  const { rule, message, details, headers, hint, missing } = refusal;
  const name = rule.kind === 'assumed' ? STATUSES[rule.id] : undefined;
  if (name === undefined || values[name] === refusal.status) return refusal;
  return new ApiError(values[name], rule, message, { headers, hint, missing, ...(details && { details }) });
}
