import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODE_APP = join(import.meta.dirname, '../../../../examples/integrations/node');

/** The code of docs/sound-integration.md, by the names of its marks. */
export function soundIntegrationCode(): Record<string, string> {
  return {
    attempt: excerpt('client.js', '  async #attempt('),
    cardholder: excerpt('onboarding.js', 'async function ensureCardholder('),
    list: excerpt('client.js', '  async *list('),
    genuine: excerpt('webhooks.js', 'export function isGenuine('),
    receive: excerpt('webhooks.js', 'async function receive('),
    bounds: excerpt('reports.js', 'export function boundsOf('),
  };
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
