import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownTable, withTable } from '../docs/tables.ts';
import { APPS, copyApp, isInstalled } from './apps/apps.ts';
import { CANDIDATES } from './apps/bugs/candidates.ts';
import { examine, runTests } from './apps/run-exam.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/exam-samples.md');
const SOURCE = 'npm run test:long -- --update';
const EXAM_MS = 10 * 60_000;
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

    test('survives the whole exam', { timeout: EXAM_MS }, async () => {
      const { folder, remove } = copyApp(app, null);
      const { findings, details } = await examine(app.command, folder);
      remove();
      expect(findings, details).toEqual([]);
    });

    test('has its planted bugs found, as docs/exam-samples.md says', { timeout: EXAM_MS }, async () => {
      const rows: string[][] = [];
      for (const bug of app.bugs) {
        const { folder, remove } = copyApp(app, bug);
        const { findings } = await examine(app.command, folder, CANDIDATES[bug.id]);
        remove();
        rows.push([`\`${bug.id}\``, findings.map(each => `\`${each}\``).join(', ') || 'not found']);
      }
      const found = rows.filter(([, by]) => by !== 'not found');
      expect(found.length, JSON.stringify(rows)).toBeGreaterThanOrEqual(LEAST_FOUND);
      const table = markdownTable(['Planted bug', 'Found by'], rows);
      const document = withTable(readFileSync(DOCUMENT, 'utf8'), app.name, table, SOURCE);
      await expect(document).toMatchFileSnapshot(DOCUMENT);
    });
  });
}

const RECEIVERS = join(import.meta.dirname, '../../examples/receivers');
const SUITE = join(import.meta.dirname, 'apps/receiver-suite.mjs');

test.for([
  ['node', 'node.js', process.execPath],
  ['python', 'python.py', 'python3'],
] as const)(
  'the %s receiver survives the whole exam',
  { timeout: EXAM_MS },
  async ([name, file, program], { skip }) => {
    const app = APPS.find(each => each.name === name);
    if (app === undefined || !isInstalled(app)) return skip(`${program} is not installed`);
    const command = [process.execPath, SUITE, program, join(RECEIVERS, file)];
    const { findings, details } = await examine(command, RECEIVERS);
    expect(findings, details).toEqual([]);
  },
);

test('the Go receiver survives the whole exam', { timeout: EXAM_MS }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-receiver-'));
  const binary = join(folder, 'receiver');
  const built = spawnSync('go', ['build', '-o', binary, join(RECEIVERS, 'receiver.go')]);
  if (built.error !== undefined) return skip('go is not installed');
  const { findings, details } = await examine([process.execPath, SUITE, binary], folder);
  rmSync(folder, { recursive: true });
  expect(findings, details).toEqual([]);
});
