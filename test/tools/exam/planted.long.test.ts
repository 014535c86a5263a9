import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownTable, withSection } from '../../../src/build/documents/markdown.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { examine } from './apps/run-exam.ts';
import { apps, bugs, pairBugs } from './planted/bugs.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/exam-samples.md');
const SOURCE = 'npm run prove -- planted';
const FOLDER = join(import.meta.dirname, 'planted');
/** Only each of so many bugs is tried in the short run, from the second one on. */
const STEP = size(20, 1);
const OFFSET = size(1, 0);
/** The app of the short run, and what it is tried with. */
const SHORT_APPS = ['hosted-kyc'];
const SHORT_TRIED = ['connection-lost-after', 'webhooks-twice', 'webhooks-late', 'signature-missing'];
const LEAST_FOUND = 36;
const LEAST_PAIRS_FOUND = 14;

function commandOf(app: string): string[] {
  return [process.execPath, ...(apps[app] ?? [])];
}

/** Returns the row of a bug in the document, with what finds it of what it is tried with. */
async function rowOf([name, app, what, shows, tried]: (typeof bugs)[number]): Promise<string[]> {
  const { findings } = await examine(commandOf(app), FOLDER, tried, 3, { PLANTED: name });
  const found = findings.map(each => `\`${each}\``).join(', ') || 'not found';
  return [`\`${name}\``, app, what, shows, found];
}

describe.each([
  ['planted', 'a misbehaviour shows', bugs, LEAST_FOUND],
  ['planted-pairs', 'only two misbehaviours together show', pairBugs, LEAST_PAIRS_FOUND],
] as const)('%s', (table, which, all, least) => {
  test(`bugs that ${which} in apps whose author did not know the exam are found, as docs/exam-samples.md says`, {
    timeout: PROOF_TIMEOUT_MS,
  }, async context => {
    const rows: string[][] = [];
    for (const bug of all.filter((_, index) => index % STEP === OFFSET)) rows.push(await rowOf(bug));
    const document = readFileSync(DOCUMENT, 'utf8');
    if (!isFullRun) {
      for (const row of rows) expect(document).toContain(`| ${row.join(' | ')} |`);
      return;
    }
    const found = rows.filter(row => row.at(-1) !== 'not found').length;
    expect(found, JSON.stringify(rows)).toBeGreaterThanOrEqual(least);
    const head = ['Planted bug', 'App', 'What is wrong', 'Expected to show it', 'Found by'];
    writeFileSync(DOCUMENT, withSection(document, table, markdownTable(head, rows), SOURCE));
    recordResult(context, `${found} of ${rows.length} bugs found`);
  });
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
