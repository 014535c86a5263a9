import type { AssumptionValues } from '../../kernel/operation/errors.ts';
import type { PartnerOperation } from '../../kernel/operation/operation.ts';
import { callersNames, ownNames, renamedQuery } from './parameter-names.ts';

/**
 * Returns an operation as its callers see it under settings: with their names of parameters, their rules for bodies and
 * their form of responses. It runs the same code on the same input.
 */
export function operationOnWire(operation: PartnerOperation, values: AssumptionValues): PartnerOperation {
  const { query, names } = renamedQuery(operation.query, values);
  return {
    ...operation,
    query,
    hints: (given, world) =>
      operation.hints(ownNames(given, names), world).map(hint => callersNames(hint, names)),
    run: context => operation.run({ ...context, query: ownNames(context.query, names) }),
  };
}
