import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { OPERATIONS } from '../../../src/client/generated/operations.ts';
import { catalogue } from '../../../src/tools/exam/catalogue/catalogue.ts';
import { safeRepeatOf } from '../../../src/tools/exam/catalogue/requests.ts';
import type { Kind } from '../../../src/tools/exam/misbehaviour.ts';
import { expectTables, markdownTable } from '../../docs/tables.ts';

const NODE_APP = join(import.meta.dirname, '../../../examples/integrations/node');

test('the tables of docs/exam.md are complete (npm run docs updates them)', async () => {
  await expectTables('docs/exam.md', {
    benign: misbehaviourTable('benign'),
    malign: misbehaviourTable('malign'),
    repeats: repeatTable(),
  });
});

test('the code of docs/sound-integration.md is that of the Node.js app (npm run docs updates it)', async () => {
  await expectTables('docs/sound-integration.md', {
    attempt: excerpt('client.js', '  async #attempt('),
    cardholder: excerpt('onboarding.js', 'async function ensureCardholder('),
    list: excerpt('client.js', '  async *list('),
    genuine: excerpt('webhooks.js', 'export function isGenuine('),
    receive: excerpt('webhooks.js', 'async function receive('),
    bounds: excerpt('reports.js', 'export function boundsOf('),
  });
});

/** How each writing operation is repeated. */
function repeatTable(): string {
  const rows = OPERATIONS.filter(({ plane, method }) => plane === 'partner' && method !== 'GET').map(
    ({ id, method, path }) => [`\`${id}\``, `\`${method} ${path}\``, safeRepeatOf(id)],
  );
  return markdownTable(['OPERATION', 'Request', 'What to do before it is sent again'], rows);
}

/** The misbehaviours of an exam of one kind. Those of a connection stand once for all operations. */
function misbehaviourTable(kind: Kind): string {
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
function excerpt(file: string, begin: string): string {
  const lines = readFileSync(join(NODE_APP, file), 'utf8').split('\n');
  const first = lines.findIndex(line => line.startsWith(begin));
  const indent = begin.length - begin.trimStart().length;
  const last = lines.indexOf(`${' '.repeat(indent)}}`, first);
  if (first < 0 || last < 0) throw new Error(`${file} has no function that begins with ${begin}`);
  const code = lines.slice(first, last + 1).map(line => line.slice(indent));
  return ['```js', ...code, '```'].join('\n');
}
