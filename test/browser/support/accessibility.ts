import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The script of axe without its comments: to send it to a page takes longer than to run it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the violations that axe finds in a page or frame, each with its elements. `rules` limits it to those rules. */
export async function violations(page: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  return (await results(page, rules)).map(described);
}

/** Returns the serious and critical violations, see `violations`. */
export async function seriousViolations(page: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  const found = await results(page, rules);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(described);
}

async function results(page: Page | Frame, rules?: readonly string[]): Promise<readonly axe.Result[]> {
  // A page keeps the script until it is loaded again.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: [...rules] }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(result => result.violations)`);
}

function described({ id, help, nodes }: axe.Result): string {
  return `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`;
}
