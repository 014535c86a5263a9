import type { AssumptionValues } from '../../kernel/operation/errors.ts';
import type { PartnerOperation } from '../../kernel/operation/operation.ts';
import { bodyOnWire, contentOnWire, conversionOf } from './fields.ts';
import { callersNames, ownNames, renamedQuery } from './parameter-names.ts';

/**
 * Returns an operation as its callers see it under settings: with their names of parameters, their rules for bodies and
 * their form of responses. It runs the same code on the same input.
 */
export function operationOnWire(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const { query, names } = renamedQuery(operation.query, values);
  const all = Object.entries(operation.responses);
  const responses = Object.fromEntries(
    all.map(([status, schema]) => [status, schema && contentOnWire(schema, values)]),
  );
  const conversions = Object.fromEntries(
    all.map(([status, schema]) => [status, conversionOf(schema, values)]),
  );
  return {
    ...operation,
    query,
    body: bodyOnWire(operation.body, values),
    responses,
    hints: (given, world) =>
      operation.hints(ownNames(given, names), world).map(hint => callersNames(hint, names)),
    run(context) {
      const reply = operation.run({ ...context, query: ownNames(context.query, names) });
      return { ...reply, body: conversions[reply.status]?.(reply.body) };
    },
  };
}
