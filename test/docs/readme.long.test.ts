import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';

const ROOT = join(import.meta.dirname, '../..');
const readPage = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const readme = readPage('README.md');
const run = promisify(execFile);

/** The code blocks of a language, in order. */
function blocks(language: string, page = readme): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
}

/** The calls of docs/first-calls.md, from the share token to the webhook. */
function firstCalls(): string[] {
  return blocks('sh', readPage('docs/first-calls.md')).filter(code => !code.includes('card-sandbox'));
}

/** Runs the first calls against a sandbox and returns their standard output. */
async function runFirstCalls(origin: string): Promise<string> {
  const script = firstCalls().join('').replace('http://127.0.0.1:4242', origin);
  return (await run('sh', ['-ec', script])).stdout;
}

/** Starts a sandbox with a command line. Resolves with its address when it listens; it is ended after the test. */
async function startWith(command: string, args: readonly string[], cwd: string): Promise<string> {
  // In a group of its own, because npm does not pass signals on in every version.
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line).url;
  }
  throw new Error(`${command} ${args.join(' ')} ended before it listened`);
}

/** A project that has this package installed. */
function projectWithPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/card-sandbox'));
  symlinkSync('../card-sandbox/bin/card-sandbox.js', join(folder, 'node_modules/.bin/card-sandbox'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  return folder;
}

test('the first calls lead from a share token to a card that spends, and to its webhook', {
  timeout: 180_000,
}, async () => {
  const { origin, api } = await startSandbox({ fixtures: ['starter'] });
  const before = await api('GET', '/partner/cards?limit=1');
  const lines = (await runFirstCalls(origin)).split('\n');
  const bodies = lines.filter(line => /^[{[]/.test(line)).map(line => JSON.parse(line));
  const card = bodies.find(body => body.nameOnCard !== undefined);
  expect(card).toMatchObject({ status: 'active', programId: 'prog_everyday' });
  const sale = bodies.find(body => body.merchant !== undefined);
  expect(sale).toMatchObject({ status: 'authorized', amount: 24.9, merchant: { name: 'Book Shop' } });
  const [[delivery] = [], later = []] = bodies.filter(body => Array.isArray(body));
  expect(delivery).toMatchObject({ eventType: 'card.transaction', resourceId: sale.id, attemptCount: 1 });
  expect(JSON.parse(delivery.payload).data).toMatchObject({ cardId: sale.cardId, amount: 24.9 });
  // Its retries are over after the advance.
  expect(later.find((each: { id: string }) => each.id === delivery.id)).toMatchObject({ status: 'failed' });
  const after = await api('GET', '/partner/cards?limit=1');
  expect(after.body.total).toBe(before.body.total + 1);
});

test.each([
  { place: 'a clone', command: 'npm start', folder: () => ROOT },
  { place: 'a project', command: 'npx card-sandbox start', folder: projectWithPackage },
])('the first calls work in $place with $command', async ({ command, folder }) => {
  expect(blocks('sh').join('')).toContain(command);
  const [program = '', ...words] = command.split(' ');
  const flags = ['--port', '0', '--json'];
  const args = program === 'npm' ? [...words, '--', ...flags] : ['--offline', ...words, ...flags];
  const origin = await startWith(program, args, folder());
  expect(await runFirstCalls(origin)).toContain('"eventType":"card.transaction"');
});

test('npx finds the command in a clone as well', async () => {
  // The first time, npx installs the clone into its cache. Its scripts would build again while other tests use the build.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' };
  const { stdout } = await run('npx', ['--offline', 'card-sandbox', '--version'], { cwd: ROOT, env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the in-process example of the README runs', async () => {
  const [example = ''] = blocks('js');
  const script = `${example}\nconsole.log(response.status);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  expect(stdout).toBe('200\n');
});
