import type { Command } from 'commander';
import { type Member, membersOf } from '../../sandbox/operation-members.ts';
import { operations } from '../../sandbox/operations.ts';
import type { ConnectionFlags } from '../connection/connection.ts';
import { checkField } from '../flags.ts';

/** Reports a field of `--print` that no response of some operations has as wrong usage, before anything is made. */
export function checkPrintFlag(command: Command, ids: readonly string[]): void {
  const { print: field } = command.opts<ConnectionFlags>();
  if (field === undefined) return;
  const members = responseMembers(ids);
  // Below a member such as `options`, names are not known beforehand.
  const isOpen = members.some(
    ({ kind, path }) => ['json', 'pairs'].includes(kind) && field.startsWith(`${path.join('.')}.`),
  );
  if (isOpen) return;
  checkField(command, field, [...new Set(members.map(({ path }) => path.join('.')))]);
}

function responseMembers(ids: readonly string[]): Member[] {
  return operations
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(schema => (schema === null ? [] : membersOf(schema)));
}
