import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The script of axe without its comments: to send it to a page takes longer than to run it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the violations that axe finds in a page or frame, each with its elements. `rules` limits it to those rules. */
export async function violations(page: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  // A page keeps the script until it is loaded again.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: [...rules] }) };
  const found = await page.evaluate<readonly axe.Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(result => result.violations)`,
  );
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
