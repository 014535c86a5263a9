import { describe, expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { APPS, copyApp, isInstalled } from './apps/apps.ts';
import { examine, runTests } from './apps/run-exam.ts';

/** Only Node.js is certain to be installed, and the short run tries nothing else. */
for (const app of APPS.slice(0, isFullRun ? undefined : 1)) {
  const isHere = isInstalled(app);
  const note = isHere ? '' : ` (skipped: ${app.version[0]} is not installed)`;
  describe.skipIf(!isHere)(`the ${app.name} integration${note}`, () => {
    test('passes its own tests', async () => {
      const { folder, remove } = copyApp(app, null);
      const { code, stdout, stderr } = await runTests(['exec', '--allow-http-webhooks'], app.command, folder);
      remove();
      expect(code, stdout + stderr).toBe(0);
    });

    test.runIf(isFullRun)('survives the whole exam', { timeout: PROOF_TIMEOUT_MS }, async () => {
      const { folder, remove } = copyApp(app, null);
      const { findings, details } = await examine(app.command, folder);
      remove();
      expect(findings, details).toEqual([]);
    });

    test.runIf(isFullRun && app.bugs.length > 0)(
      'has its planted bugs found',
      { timeout: PROOF_TIMEOUT_MS },
      async context => {
        for (const bug of app.bugs) {
          const { folder, remove } = copyApp(app, bug);
          const { findings } = await examine(app.command, folder, bug.tried, 3);
          remove();
          // The exam reports in the order of its conditions.
          expect(findings.toSorted(), bug.id).toEqual(bug.tried.toSorted());
        }
        recordResult(context, `${app.bugs.length} bugs found`);
      },
    );
  });
}
