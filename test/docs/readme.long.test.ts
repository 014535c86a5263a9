import { execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** The first calls, from the share token to the webhook. */
function firstCalls(): string[] {
  const all = blocks('sh');
  const first = all.findIndex(code => code.startsWith('TOKEN='));
  return all.slice(first, first + 8);
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

test('the first calls of the README lead from a share token to a card that spends, and to its webhook', async () => {
  const { origin, api } = await startSandbox({ fixtures: ['starter'] });
  const before = await api('GET', '/partner/cards?limit=1');
  const stdout = await runBlocks(origin, firstCalls());
  const lines = stdout.split('\n').filter(line => line.startsWith('{'));
  const body = (part: string) => JSON.parse(lines.find(line => line.includes(part)) ?? 'null');
  expect(body('"nameOnCard"')).toMatchObject({ status: 'active', programId: 'prog_everyday' });
  const sale = body('"merchant"');
  expect(sale).toMatchObject({ status: 'authorized', amount: 24.9, merchant: { name: 'Book Shop' } });
  const [delivery] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(delivery).toMatchObject({ eventType: 'card.transaction', resourceId: sale.id, attemptCount: 1 });
  expect(JSON.parse(delivery.payload).data).toMatchObject({ cardId: sale.cardId, amount: 24.9 });
  const after = await api('GET', '/partner/cards?limit=1');
  expect(after.body.total).toBe(before.body.total + 1);
});

test.each([
  { place: 'a clone', command: 'npm start', folder: () => ROOT },
  { place: 'a project', command: 'npx card-sandbox start', folder: projectWithPackage },
])('the first calls of the README work in $place with $command', async ({ command, folder }) => {
  expect(blocks('sh').join('')).toContain(command);
  const [program = '', ...words] = command.split(' ');
  const flags = ['--port', '0', '--json'];
  const args = program === 'npm' ? [...words, '--', ...flags] : ['--offline', ...words, ...flags];
  const origin = await startWith(program, args, folder());
  expect(await runBlocks(origin, firstCalls())).toContain('"eventType":"card.transaction"');
});

test('every command of the README works in a clone and in a project', () => {
  const commands =
    blocks('sh')
      .join('')
      .match(/^(?:npm|npx) .*/gm) ?? [];
  const forProjects = commands.filter(command => !/^npm install && npm (?:start|test)\b/.test(command));
  expect(commands.length).toBeGreaterThan(forProjects.length);
  expect(forProjects.filter(command => !command.startsWith('npx card-sandbox '))).toEqual([]);
});

test('npx finds the command in a clone as well', async () => {
  // The first time, npx installs the clone into its cache. Its scripts would build again while other tests use the build.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' };
  const { stdout } = await run('npx', ['--offline', 'card-sandbox', '--version'], { cwd: ROOT, env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
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
