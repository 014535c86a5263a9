import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { examine } from './apps/run-exam.ts';
import { apps, bugs, UNFOUND } from './planted/bugs.ts';

const FOLDER = join(import.meta.dirname, 'planted');

function commandOf(app: string): string[] {
  return [process.execPath, ...(apps[app] ?? [])];
}

test.runIf(isFullRun)(
  'bugs in apps whose author did not know the exam are found',
  { timeout: PROOF_TIMEOUT_MS },
  async context => {
    for (const [name, app, what, finders] of bugs) {
      // The whole exam: what finds a bug must find it beside everything else.
      const { findings } = await examine(commandOf(app), FOLDER, [], 3, { PLANTED: name });
      const found = finders.filter(id => findings.includes(id));
      expect(found, `${name}: ${what}`).toEqual(UNFOUND.includes(name) ? [] : finders);
    }
    recordResult(context, `${bugs.length - UNFOUND.length} of ${bugs.length} bugs found`);
  },
);

test.runIf(isFullRun)(
  'apps whose author did not know the exam survive it without a bug',
  { timeout: PROOF_TIMEOUT_MS },
  async context => {
    for (const app of Object.keys(apps)) {
      const { findings, details } = await examine(commandOf(app), FOLDER, [], 3);
      expect(findings, `${app}: ${details}`).toEqual([]);
    }
    recordResult(context, `${Object.keys(apps).length} apps`);
  },
);
