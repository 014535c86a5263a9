import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** What axe finds serious or critical in a page or frame: for each the rule, and the elements that break it. */
export async function seriousViolations(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly axe.Result[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
}
