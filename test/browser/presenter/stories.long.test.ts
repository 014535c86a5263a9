import { expect } from 'vitest';
import { BASE, fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { cutParts, openStory, pressUntil, smallTexts } from './support.ts';

const STORIES = [
  ['kyc-reimport', 17],
  ['error-flows', 32],
  ['card-lifecycle', 33],
  ['hotel', 14],
] as const;

browserTest.each(STORIES)(
  '%s is played by keyboard alone, in large type and without scrolling',
  async (story, steps) => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { page, scriptErrors, consoleErrors } = await openStory(sandbox, story);
    const keys = ['ArrowRight', 'PageDown', ' '];
    const headings = new Set<string | null>();
    for (let step = 1; step <= steps; step += 1) {
      await pressUntil(page, keys[step % keys.length] ?? '', step);
      expect(await cutParts(page), `step ${step}`).toEqual([]);
      expect(await smallTexts(page), `step ${step}`).toEqual([]);
      expect(await page.locator('[role=alert]').allTextContents(), `step ${step}`).toEqual([]);
      headings.add(await page.locator('h1').textContent());
    }
    expect(headings.size).toBeGreaterThan(steps / 2);
    expect(await page.getByRole('button', { name: 'The end' }).isDisabled()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    expect(scriptErrors).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
  60_000,
);

browserTest(
  'all stories are played by keyboard alone in a world of 100,000 cardholders with cards',
  async () => {
    const people = 'cardholders: [{ generate: 100000, kycStatus: approved, card: { status: active } }]\n';
    const sandbox = await startSandbox({ fixtures: [fixtureFile(BASE + people)] });
    for (const [story, steps] of STORIES) {
      const { page } = await openStory(sandbox, story);
      for (let step = 1; step <= steps; step += 1) await pressUntil(page, 'PageDown', step);
      expect((await sandbox.control('GET', `/stories/${story}`)).body.played).toHaveLength(steps);
      expect(await page.locator('.presenter-problem').count()).toBe(0);
      await page.close();
    }
  },
  180_000,
);
