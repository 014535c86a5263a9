import type { ControlOperation } from '../../src/core/operation/operation.ts';
import { controlGroups } from '../../src/sandbox/operation-groups.ts';

/** All operations of the control plane. */
export const CONTROL_OPERATIONS = controlGroups.flatMap(({ operations }) => operations());

/** The path of an operation below the prefix of the plane: for `main` without a world, or for a world. */
export function controlPath({ path }: Pick<ControlOperation, 'path'>, world: string | null): string {
  const filled = path.replace('{world}', world ?? 'main').replace(/\{\w+\}/g, 'some_id');
  return world === null || path.startsWith('/worlds') ? filled : `/worlds/${world}${filled}`;
}
