import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** The cells of the rows of all tables of a page. */
const rowsOf = (name: string) =>
  [...page(name).matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** The identifiers in the code of a text: `freeze(at?)` is freeze. */
const namesIn = (text = '') => [...text.matchAll(/`(\w+)[^`]*`/g)].map(([, name = '']) => name);

test('docs/embedding.md names every member of the sandbox handle', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const isNamed = (member: string) => new RegExp(`\`(?:sandbox\\.)?${member}\\b`).test(page('embedding.md'));
  expect(Object.keys(sandbox).filter(member => !isNamed(member))).toEqual([]);
  for (const member of ['clock', 'simulate', 'webhooks', 'history'] as const) {
    const [, cell] = rowsOf('embedding.md').find(([first]) => first === `\`${member}\``) ?? [];
    expect(namesIn(cell)).toEqual(expect.arrayContaining(Object.keys(sandbox[member])));
  }
});
