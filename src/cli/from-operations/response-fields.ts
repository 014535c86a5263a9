import { membersOf } from '../../sandbox/operation-members.ts';
import { operations } from '../../sandbox/operations.ts';
import type { Operation } from './plan.ts';

/** Returns the dotted names of the fields in the responses of operations. */
export function responseFields(table: readonly Operation[]): string[] {
  const names = table
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(schema => (schema === null ? [] : membersOf(schema).map(({ path }) => path.join('.'))));
  return [...new Set(names)];
}

/** Returns the dotted names of the fields in the responses of the operation with this id. */
export function responseFieldsOf(id: string): string[] {
  return responseFields(operations.filter(each => each.id === id));
}
