import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const INDEX = new URL('../../../../dist/index.js', import.meta.url).href;

/** Reads the balance of the sandbox, and lists cards of a world and cardholders of a sandbox in the process. */
const SCRIPT = `
import { connect, createSandbox } from '${INDEX}';
const server = await connect({ url: process.env.CARD_SANDBOX_URL });
await server.api.balance.get();
const world = await server.worlds.create();
await world.api.cards.list();
await world.close();
await createSandbox().api.cardholders.list();
`;
const exec = (...words: string[]) => runInProcess(['exec', ...words]);
const node = (script: string) => [process.execPath, '--input-type=module', '-e', script];
const run = ['--', ...node(SCRIPT)];

test('--coverage counts the conditions of all worlds and sandboxes of the command, and lists the others', async () => {
  const file = await temporaryFile('coverage.json');
  const { code, stderr } = await exec(`--coverage=${file}`, ...run);
  expect(code).toBe(0);
  const { conditions, summary } = JSON.parse(await readFile(file, 'utf8'));
  const seen = conditions.filter(({ count }: { count: number }) => count > 0);
  expect(seen.map(({ id }: { id: string }) => id).sort()).toEqual([
    'balance.get 200',
    'cardholders.list 200',
    'cards.list 200',
  ]);
  expect(seen.filter(({ firstAt }: { firstAt: string }) => !(Date.parse(firstAt) > 0))).toEqual([]);
  expect(summary.documented.seen).toBe(2);
  expect(stderr).toMatch(/^coverage: 2 of \d+ documented conditions \(\d+\.\d %\)$/m);
  const rows = stderr.split('\n').filter(line => line.startsWith('  '));
  expect(rows.filter(row => row.startsWith('  cardholders.create: '))).toEqual([
    expect.stringMatching(/409 EMAIL_ALREADY_REGISTERED \(7\).*; assumed: 400 /),
  ]);
  expect(rows.filter(row => /^ {2}balance\.get: .*\b200\b/.test(row))).toEqual([]);
  expect(rows).toContain(
    '  other: event-retried (6.4), page-beyond-first (8), rate-limited (8), key-rotated (5.6); assumed: event-duplicate (6)',
  );
  const isAssumed = rows.map(row => row.includes(': assumed: '));
  expect(isAssumed).toEqual(isAssumed.toSorted());
});

test('--min-coverage fails a command that passed, and leaves the exit code of one that failed', async () => {
  const [low, enough, failed] = await Promise.all([
    exec('--min-coverage', '90', ...run),
    exec('--min-coverage', '1', ...run),
    exec('--min-coverage', '90', '--', process.execPath, '-e', 'process.exit(7)'),
  ]);
  expect([low.code, enough.code, failed.code]).toEqual([1, 0, 7]);
  expect(low.stderr).toContain('the coverage is below the --min-coverage of 90 %');
  expect((await exec('--min-coverage', '101', '--', 'true')).code).toBe(2);
});

test('the value of --coverage stands after = or before --, and otherwise the next word belongs to the command', async () => {
  const script = await temporaryFile('script.mjs');
  await writeFile(script, 'process.exit(Number(process.argv.at(-1)))\n');
  const [bare, separated, empty] = await Promise.all([
    exec('--coverage', process.execPath, script, '7'),
    exec('--coverage', '--', process.execPath, script, '7'),
    exec('--coverage=', process.execPath, script, '7'),
  ]);
  expect([bare.code, separated.code, empty.code]).toEqual([7, 7, 7]);
  expect(bare.stderr).toContain('documented conditions');
  expect((await exec('--coverage', script)).code).toBe(126);
  const file = await temporaryFile('coverage.json');
  for (const words of [
    ['--coverage', file],
    ['--coverage', file, '--min-coverage', '0'],
  ])
    expect((await exec(...words, '--', process.execPath, script, '0')).code).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('summary');
  expect(await readFile(script, 'utf8')).toContain('process.exit');
  const { stderr } = await exec('--json', process.execPath, script, '--coverage', '7');
  expect(stderr).not.toContain('documented conditions');
  expect((await exec('--help')).stdout).toContain('--coverage[=file] ');
});

test('a coverage below the minimum fails the command, whether it can be written or not', async () => {
  const file = join(await temporaryFile('none'), 'coverage.json');
  const { code, stderr } = await exec(`--coverage=${file}`, '--min-coverage', '90', ...run);
  expect(stderr).toMatch(/below the --min-coverage of 90 %[\s\S]*cannot be written/);
  expect(code).toBe(1);
  expect((await exec(`--coverage=${file}`, ...run)).code).toBe(0);
});

test('what a rewind has undone was seen, and has a record', async () => {
  const folder = await temporaryFile('artifacts');
  const script = `
    import { createSandbox } from '${INDEX}';
    const sandbox = createSandbox();
    await sandbox.api.balance.get();
    await sandbox.history.rewind({ steps: 1 });
  `;
  const { stderr } = await exec(
    '--coverage',
    '--artifacts',
    folder,
    '--artifacts-always',
    '--',
    ...node(script),
  );
  expect(stderr).toContain('coverage: 1 of ');
  expect(stderr).not.toMatch(/recorded|balance\.get: [^;]*\b200\b/);
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^in-process-.*\.record\.jsonl$/));
});
