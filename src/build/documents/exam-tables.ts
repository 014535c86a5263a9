import { readFileSync } from 'node:fs';
import { OPERATIONS } from '../../client/generated/operations.ts';
import { catalogue } from '../../tools/exam/catalogue/catalogue.ts';
import { safeRepeatOf } from '../../tools/exam/catalogue/requests.ts';
import type { Kind } from '../../tools/exam/misbehaviour.ts';
import { markdownTable } from './markdown.ts';

/** The app whose code docs/sound-integration.md shows, from the top of the repository, where the build runs. */
const NODE_APP = 'examples/integrations/node';

/** How each writing operation is repeated. */
export function repeatTable(): string {
  const rows = OPERATIONS.filter(({ plane, method }) => plane === 'partner' && method !== 'GET').map(
    ({ id, method, path }) => [`\`${id}\``, `\`${method} ${path}\``, safeRepeatOf(id)],
  );
  return markdownTable(['OPERATION', 'Request', 'What to do before it is sent again'], rows);
}

/** The misbehaviours of an exam of one kind. Those of a connection stand once for all operations. */
export function misbehaviourTable(kind: Kind): string {
  const rows = catalogue
    .filter(each => each.kind === kind)
    .map(({ id, why, sound }) =>
      id.includes('.')
        ? [`\`${id.replace(/\..*/, '.OPERATION')}\``, why, '[See below](#after-a-lost-connection).']
        : [`\`${id}\``, why, sound],
    )
    .map(row => row.join(' | '));
  return markdownTable(
    ['Id', 'Why it happens', 'What is sound'],
    [...new Set(rows)].map(row => [row]),
  );
}

/** A function or method of the Node.js app as a code block, from the line that begins with a text to its last brace. */
export function excerpt(file: string, begin: string): string {
  const lines = readFileSync(`${NODE_APP}/${file}`, 'utf8').split('\n');
  const first = lines.findIndex(line => line.startsWith(begin));
  const indent = begin.length - begin.trimStart().length;
  const last = lines.indexOf(`${' '.repeat(indent)}}`, first);
  if (first < 0 || last < 0) throw new Error(`${file} has no function that begins with ${begin}`);
  const code = lines.slice(first, last + 1).map(line => line.slice(indent));
  return ['```js', ...code, '```'].join('\n');
}
