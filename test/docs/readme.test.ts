import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const run = promisify(execFile);

/** The code blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
}

/** Runs shell blocks of the README against a sandbox and returns their standard output. */
async function runBlocks(origin: string, selected: readonly string[]): Promise<string> {
  const [settings = ''] = blocks('sh').filter(code => code.startsWith('BASE='));
  const script = [settings.replace('http://127.0.0.1:4242', origin), ...selected].join('');
  return (await run('sh', ['-ec', script])).stdout;
}

test('the first calls of the README lead from a share token to a card', async () => {
  const { origin, api } = await startSandbox({ fixtures: ['starter'] });
  const before = await api('GET', '/partner/cards?limit=1');
  const all = blocks('sh');
  const first = all.findIndex(code => code.startsWith('TOKEN='));
  const stdout = await runBlocks(origin, all.slice(first, first + 5));
  const card = JSON.parse(stdout.slice(stdout.lastIndexOf('{"id":"card_')));
  expect(card).toMatchObject({ nameOnCard: 'Mia Wong', status: 'created', programId: 'prog_everyday' });
  const after = await api('GET', '/partner/cards?limit=1');
  expect(after.body.total).toBe(before.body.total + 1);
});

test('the webhook calls of the README raise an event and show its attempts', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'], forwardTo: 'http://127.0.0.1:9/' });
  const stdout = await runBlocks(
    origin,
    blocks('sh').filter(code => code.includes('/_sandbox/events')),
  );
  const [newest] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(newest).toMatchObject({ eventType: 'card.issued', status: 'failed' });
  expect(newest.attempts).toHaveLength(6);
});

test('the in-process example of the README runs', async () => {
  const [example = ''] = blocks('js');
  const script = `${example}\nconsole.log(response.status);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  expect(stdout).toBe('200\n');
});

test('the fixture of the README loads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'people.yaml');
  writeFileSync(file, blocks('yaml').join(''));
  const { api } = await startSandbox({ fixtures: ['empty', file] });
  expect((await api('GET', '/partner/cardholders')).body.total).toBe(501);
});

test('the README lists every built-in fixture', () => {
  const names = readdirSync(join(ROOT, 'fixtures')).filter(name => name.endsWith('.yaml'));
  expect(names.filter(name => !readme.includes(`| \`${name.replace('.yaml', '')}\``))).toEqual([]);
});
