import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/**
 * Returns the serious and critical violations that axe finds in a page or frame, each with its elements.
 * `rules` limits it to those rules.
 */
export async function seriousViolations(page: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  // A page keeps the script until it is loaded again.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: [...rules] }) };
  const found = await page.evaluate<readonly axe.Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(result => result.violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
}
