import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, waitForText } from '../support/dashboard.ts';

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

browserTest('fault counters are live, and Home shows what differs from the start', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/faults');
  await page.getByRole('button', { name: /^Unavailable/ }).click();
  for (let hits = 1; hits <= 3; hits += 1) {
    const headers = { 'x-service-api-key': ACME_KEY };
    expect((await fetch(`${sandbox.origin}/v1/partner/balance`, { headers })).status).toBe(503);
    await waitForText(page, '.faults', hits === 3 ? 'used up after 3 times' : `3 times, ${hits} so far`);
  }
  expect(await page.locator('.faults .spent').count()).toBe(1);

  await goTo(page, '#/home');
  await sandbox.control('POST', '/clock/resume');
  await sandbox.control('POST', '/partners', { name: 'Hasty' });
  await waitForText(page, '.differences', 'The clock runs; it started frozen.');
  await waitForText(page, '.differences', 'The partner Hasty was added.');
});
