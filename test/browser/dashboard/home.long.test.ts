import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { openDashboard, waitForText } from '../support/dashboard.ts';

const TIMEOUT_MS = 120_000;

browserTest(
  'an empty world shows the first steps in order, and the curl command of each leads to the next',
  async () => {
    const sandbox = await startSandbox();
    const { page, consoleErrors } = await openDashboard(sandbox);
    const steps = page.locator('.first-steps li');
    await expect.poll(() => steps.count()).toBe(7);
    expect(await violations(page)).toEqual([]);
    expect(await steps.getByText('Copy as curl').count()).toBe(7);
    for (let step = 0; step < 7; step += 1) {
      await expect.poll(() => steps.nth(step).getAttribute('class')).toBe('next');
      const { stdout } = await promisify(execFile)('sh', [
        '-c',
        await steps.nth(step).locator('pre').innerText(),
      ]);
      expect(stdout).toMatch(/^HTTP\/1.1 20[01] /);
    }
    await expect.poll(() => steps.count()).toBe(0);
    await waitForText(page, '.section', 'Nothing waits for you.');
    expect(consoleErrors).toEqual([]);
  },
  TIMEOUT_MS,
);
