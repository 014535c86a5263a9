import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownTable, withSection } from '../../../src/build/documents/markdown.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { APPS, copyApp, isInstalled } from './apps/apps.ts';
import { CANDIDATES } from './apps/bugs/candidates.ts';
import { examine, runTests } from './apps/run-exam.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/exam-samples.md');
const SOURCE = 'npm run prove -- exam';
/** Only each of so many planted bugs is tried, because each is an exam of its own. */
const STEP = size(40, 1);
/** What a sound app is tried with in the short run; everything for none. */
const TRIED = isFullRun
  ? []
  : ['connection-lost-after', 'error-503-before', 'webhooks-twice', 'signature-missing'];
const LEAST_FOUND = 18;

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

    test('has its planted bugs found, as docs/exam-samples.md says', {
      timeout: PROOF_TIMEOUT_MS,
    }, async context => {
      const rows: string[][] = [];
      for (const bug of app.bugs.filter((_, index) => index % STEP === 0)) {
        const { folder, remove } = copyApp(app, bug);
        const { findings } = await examine(app.command, folder, CANDIDATES[bug.id], 3);
        remove();
        rows.push([`\`${bug.id}\``, findings.map(each => `\`${each}\``).join(', ') || 'not found']);
      }
      const document = readFileSync(DOCUMENT, 'utf8');
      if (!isFullRun) {
        for (const row of rows) expect(document).toContain(`| ${row.join(' | ')} |`);
        return;
      }
      const found = rows.filter(([, by]) => by !== 'not found').length;
      expect(found, JSON.stringify(rows)).toBeGreaterThanOrEqual(LEAST_FOUND);
      const table = markdownTable(['Planted bug', 'Found by'], rows);
      writeFileSync(DOCUMENT, withSection(document, app.name, table, SOURCE));
      recordResult(context, `${found} of ${rows.length} bugs found`);
    });
  });
}
