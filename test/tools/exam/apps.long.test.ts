import { describe, expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { APPS, copyApp, isInstalled } from './apps/apps.ts';
import { CANDIDATES } from './apps/bugs/candidates.ts';
import { examine, runTests } from './apps/run-exam.ts';

/** Only each of so many planted bugs is tried, because each is an exam of its own. */
const STEP = size(40, 1);
/** What a sound app is tried with in the short run; everything for none. */
const TRIED = isFullRun
  ? []
  : ['connection-lost-after', 'error-503-before', 'webhooks-twice', 'signature-missing'];

for (const app of APPS) {
  // Only Node.js is certain to be installed.
  const isHere = isInstalled(app);
  const note = isHere ? '' : ` (skipped: ${app.version[0]} is not installed)`;
  describe.skipIf(!isHere)(`the ${app.name} integration${note}`, () => {
    test('passes its own tests', async () => {
      const { folder, remove } = copyApp(app, null);
      const { code, stdout, stderr } = await runTests(['exec', '--allow-http-webhooks'], app.command, folder);
      remove();
      expect(code, stdout + stderr).toBe(0);
    });

    test('survives the whole exam', async () => {
      const { folder, remove } = copyApp(app, null);
      const { findings, details } = await examine(app.command, folder, TRIED);
      remove();
      expect(findings, details).toEqual([]);
    });

    test.runIf(app.bugs.length > 0)(
      'has its planted bugs found',
      { timeout: PROOF_TIMEOUT_MS },
      async context => {
        const bugs = app.bugs.filter((_, index) => index % STEP === 0);
        for (const bug of bugs) {
          const { folder, remove } = copyApp(app, bug);
          const { findings } = await examine(app.command, folder, CANDIDATES[bug.id], 3);
          remove();
          expect(findings, bug.id).toEqual(CANDIDATES[bug.id]);
        }
        recordResult(context, `${bugs.length} bugs found`);
      },
    );
  });
}
