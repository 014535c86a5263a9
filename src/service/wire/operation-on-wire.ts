import type { AssumptionValues } from '../../core/operation/assumption-values.ts';
import type { PartnerOperation } from '../../core/operation/operation.ts';
import { bodyOnWire, contentOnWire, conversionOf } from './fields.ts';
import { callersNames, ownNames, renamedQuery } from './parameter-names.ts';

/**
 * Returns an operation as its callers see it under settings: with their names of parameters, their rules for bodies and
 * their form of responses. It runs the same code on the same input. Where settings change nothing, it is the same object.
 */
export function operationOnWire(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const renamed = withParameters(operation, values);
  const body = bodyOnWire(renamed.body, values);
  const withBody = body === renamed.body ? renamed : { ...renamed, body };
  return withResponses(withBody, values);
}

function withParameters(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const { query, names } = renamedQuery(operation.query, values);
  if (names.size === 0) return operation;
  return {
    ...operation,
    query,
    hints: (given, state) =>
      operation.hints(ownNames(given, names), state).map(hint => callersNames(hint, names)),
    run: context => operation.run({ ...context, query: ownNames(context.query, names) }),
  };
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
