import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInstalled } from '../../cli/support/installed.ts';
import { isFullRun, sample } from '../../support/proof/proof-size.ts';
import { ACME_KEY } from '../../support/sandbox.ts';
import { createWorkplace } from '../support/shell.ts';
import { PAGES, runnableBlocks } from './blocks.ts';

const hasBash = isInstalled('bash', '-c', 'true');

/** What has happened in the sandbox of a page: pages say how to look at refused requests, and how to undo. */
const CARD = '/v1/partner/cards/card_mia_active';
const EARLIER = [
  ...[`${CARD}/freeze`, `${CARD}/unfreeze`, `${CARD}/freeze`, `${CARD}/unfreeze`],
  '/v1/partner/cards/card_theo_cancelled/activate',
];
/** The tests that the commands of a page run, besides \`npm test\`. They survive an error that passes. */
const TESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/exam.md': {
    'test_app.py': `import os, urllib.error, urllib.request

def test_cards():
    headers = {"x-service-api-key": os.environ["SERVICE_API_KEY"]}
    request = urllib.request.Request(os.environ["SERVICE_BASE_URL"] + "/partner/cards", headers=headers)
    for attempt in range(4):
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            assert attempt < 3, error
`,
    'app.test.js': `import { createSandbox } from 'card-sandbox';
import { expect, test } from 'vitest';

test('cards', async () => {
  const sandbox = createSandbox();
  const init = { headers: { 'x-service-api-key': sandbox.apiKey } };
  await expect.poll(async () => (await sandbox.fetch('/v1/partner/cards', init)).status).toBe(200);
  await sandbox.close();
});
`,
  },
};
const HEADERS = { 'x-service-api-key': ACME_KEY };

/** The pages with blocks to run here. */
const pages = PAGES.map(page => ({ page, blocks: runnableBlocks(page) })).filter(
  ({ blocks }) => blocks.length > 0,
);

describe.runIf(hasBash)('the blocks', () => {
  // The page that everybody reads, and some others.
  const others = pages.filter(({ page }) => page !== 'README.md');
  const tried = isFullRun
    ? pages
    : [...pages.filter(({ page }) => page === 'README.md'), ...sample(others, 4)];
  test.each(tried)(
    'of $page run in order, on a fresh sandbox',

    async ({ page, blocks }) => {
      const script = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
      const isRunning = !script.join('').includes('start --background');
      const { folder, url, run } = await createWorkplace({ isRunning });
      if (isRunning)
        for (const path of EARLIER) await fetch(url + path, { method: 'POST', headers: HEADERS });
      const shown = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]));
      for (const [file, text] of [...shown, ...Object.entries(TESTS[page] ?? {})]) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const { code, output } = await run(script.join(''));
      expect(code, output).toBe(0);
    },
  );
});
