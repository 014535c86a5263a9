import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIST, loadedByStart } from '../../../package/dist-files.ts';
import { runCli, startCli } from '../../../support/cli-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const FIXTURE = `import { defineFixture } from ${JSON.stringify(join(DIST, 'index.js'))};
export default defineFixture(async ({ cardholders }) => {
  await cardholders.createMany(3, index => ({ id: \`ch_\${index}\`, firstName: 'Mia' }));
});
`;
/** What only the collections of fixtures in code hold. */
const COLLECTIONS = 'Failed to create a new record with initial values';

test('start takes a fixture that a module exports', async () => {
  const file = await temporaryFile('people.mjs');
  await writeFile(file, FIXTURE);
  const sandbox = await startCli(['--fixtures', 'empty', file]);
  const { body } = await sandbox.ask('GET', '/v1/partner/cardholders/ch_2');
  expect(body).toMatchObject({ id: 'ch_2', firstName: 'Mia' });
});

test('an invalid module is an error with a fix, and a watched one is refused', async () => {
  const file = await temporaryFile('people.mjs');
  await writeFile(file, 'export const people = 1;');
  const wrong = await runCli(['start', '--port', '0', '--fixtures', file]);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stderr).toContain(`${file}: its default export must be what defineFixture returns`);
  const watched = await runCli(['start', '--port', '0', '--watch', '--fixtures', 'empty', file]);
  expect(watched).toMatchObject({ code: 2 });
  expect(watched.stderr).toContain('is code, which Node loads only once: restart instead');
});

test.runIf(Number(process.versions.node.split('.')[0]) < 22)(
  'TypeScript that this Node cannot load is an error with the fixes',
  async () => {
    const file = await temporaryFile('people.ts');
    await writeFile(file, FIXTURE);
    const { code, stderr } = await runCli(['start', '--port', '0', '--fixtures', 'empty', file]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file}: Node ${process.versions.node} cannot load TypeScript`);
  },
);

test('a start without such a fixture does not load the collections', () => {
  const loaded = loadedByStart();
  const all = readdirSync(DIST).map(file => join(DIST, file));
  const holding = all.filter(
    file => file.endsWith('.cjs') && readFileSync(file, 'utf8').includes(COLLECTIONS),
  );
  expect(holding).toHaveLength(1);
  expect(loaded).not.toContain(holding[0]);
  expect(loaded.length).toBeGreaterThan(3);
});
