import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownTable } from '../docs/tables.ts';
import { withTable } from '../docs/with-table.ts';
import { APPS, copyApp, isInstalled } from './apps/apps.ts';
import { CANDIDATES } from './apps/bugs/candidates.ts';
import { examine, runTests } from './apps/run-exam.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/exam-samples.md');
const EXAM_MS = 10 * 60_000;
const LEAST_FOUND = 18;

for (const app of APPS) {
  // Only Node.js is certain to be installed.
  const isHere = isInstalled(app);
  const note = isHere ? '' : ` (skipped: ${app.version[0]} is not installed)`;
  describe.skipIf(!isHere)(`the ${app.name} integration${note}`, () => {
    test('passes its own tests', async () => {
      const { folder, remove } = copyApp(app, null);
      const { code, stdout, stderr } = await runTests(['exec', '--allow-http-webhooks'], app, folder);
      remove();
      expect(code, stdout + stderr).toBe(0);
    });

    test('survives the whole exam', { timeout: EXAM_MS }, async () => {
      const { folder, remove } = copyApp(app, null);
      const { findings, details } = await examine(app, folder);
      remove();
      expect(findings, details).toEqual([]);
    });

    test('has its planted bugs found, as docs/exam-samples.md says', { timeout: EXAM_MS }, async () => {
      const rows: string[][] = [];
      for (const bug of app.bugs) {
        const { folder, remove } = copyApp(app, bug);
        const { findings } = await examine(app, folder, CANDIDATES[bug.id]);
        remove();
        rows.push([`\`${bug.id}\``, findings.map(each => `\`${each}\``).join(', ') || 'not found']);
      }
      const found = rows.filter(([, by]) => by !== 'not found');
      expect(found.length, JSON.stringify(rows)).toBeGreaterThanOrEqual(LEAST_FOUND);
      const table = markdownTable(['Planted bug', 'Found by'], rows);
      const document = withTable(readFileSync(DOCUMENT, 'utf8'), app.name, table);
      await expect(document).toMatchFileSnapshot(DOCUMENT);
    });
  });
}
