import { OPERATIONS } from '../../client/operation-table.ts';
import { catalogue } from '../../tools/exam/catalogue/catalogue.ts';
import { safeRepeatOf } from '../../tools/exam/catalogue/requests.ts';
import type { Kind } from '../../tools/exam/misbehaviour.ts';
import { markdownTable } from './markdown.ts';

export function repeatTable(): string {
  const rows = OPERATIONS.filter(({ plane, method }) => plane === 'partner' && method !== 'GET').map(
    ({ id, method, path }) => [`\`${method} ${path}\``, safeRepeatOf(id)],
  );
  return markdownTable(['Request', 'Before it is sent again'], rows);
}

/** The ids of the misbehaviours by their kind. Those of a connection stand once for all operations. */
export function misbehaviourTable(): string {
  const idsOf = (kind: Kind) =>
    catalogue.filter(each => each.kind === kind).map(({ id }) => `\`${id.replace(/\..*/, '.OPERATION')}\``);
  const rows = (['benign', 'forged'] as const).map(kind => [kind, [...new Set(idsOf(kind))].join(', ')]);
  return markdownTable(['Kind', 'Ids'], rows);
}
