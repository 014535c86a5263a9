import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { examine } from './apps/run-exam.ts';
import { apps, bugs, UNFOUND } from './planted/bugs.ts';

const FOLDER = join(import.meta.dirname, 'planted');
/** Only each of so many bugs is tried in the short run, from the second one on. */
const STEP = size(20, 1);
const OFFSET = size(1, 0);
/** The app of the short run, and what it is tried with. */
const SHORT_APPS = ['hosted-kyc'];
const SHORT_TRIED = ['connection-lost-after', 'webhooks-twice', 'webhooks-late', 'signature-missing'];

function commandOf(app: string): string[] {
  return [process.execPath, ...(apps[app] ?? [])];
}

test('bugs in apps whose author did not know the exam are found', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const chosen = bugs.filter((_, index) => index % STEP === OFFSET);
  for (const [name, app, what, tried] of chosen) {
    const { findings } = await examine(commandOf(app), FOLDER, tried, 3, { PLANTED: name });
    expect(findings, `${name}: ${what}`).toEqual(UNFOUND.includes(name) ? [] : tried);
  }
  const found = chosen.filter(([name]) => !UNFOUND.includes(name));
  recordResult(context, `${found.length} of ${chosen.length} bugs found`);
});

const sound = isFullRun ? Object.keys(apps) : SHORT_APPS;

test('apps whose author did not know the exam survive it without a bug', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  for (const app of sound) {
    const { findings, details } = await examine(commandOf(app), FOLDER, isFullRun ? [] : SHORT_TRIED, 3);
    expect(findings, `${app}: ${details}`).toEqual([]);
  }
  recordResult(context, `${sound.length} of ${sound.length} apps`);
});
