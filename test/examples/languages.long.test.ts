import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const LANGUAGES = join(ROOT, 'examples/languages');
const CLI = join(ROOT, 'bin/card-sandbox.js');
const STUBS = join(import.meta.dirname, 'java-stubs');

/** Copies a sample, so that what its tools write stays out of the repository. Returns the folder. */
function copied(language: string): string {
  const folder = mkdtempSync(join(tmpdir(), `card-sandbox-${language}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(LANGUAGES, language), folder, { recursive: true });
  return folder;
}

/** Runs a command in a folder. Resolves with its output, and rejects with it when it fails. */
async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', NO_COLOR: '1', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const done = await promisify(execFile)(command, args, { cwd: folder, env }).catch(error => {
    throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return done.stdout + done.stderr;
}

/** Runs the test of a sample under `exec`, as its page says. */
function underExec(folder: string, ...command: string[]): Promise<string> {
  return run(folder, process.execPath, CLI, 'exec', '--', ...command);
}

const isInstalled = (command: string, argument = '--version') =>
  spawnSync(command, [argument]).error === undefined;

test.skipIf(!isInstalled('javac'))('the Java sample compiles with every warning, and passes', async () => {
  const folder = copied('java');
  const sources = [join(folder, 'src/test/java'), STUBS].flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.java'))
      .map(file => join(root, file)),
  );
  // Stubs replace JUnit and Testcontainers, which are no packages of this project.
  await run(folder, 'javac', '-Xlint:all', '-Werror', '--release', '17', '-d', 'classes', ...sources);
  const command = ['java', '-cp', 'classes', 'RunTests', 'example.OnboardingTest'];
  expect(await underExec(folder, ...command)).toBe('passed fromTheFirstCallToAVerifiedWebhook\n');
  const exam = ['exam', '--only', 'webhooks-twice', 'webhook-type-unknown', '--', ...command];
  expect(await run(folder, process.execPath, CLI, ...exam)).toContain('2 survived, 0 broke');
});

test('the .NET sample takes the same steps as the Java sample', () => {
  const read = (file: string) => readFileSync(join(LANGUAGES, file), 'utf8');
  const dotnet = read('dotnet/OnboardingTests.cs');
  const java = read('java/src/test/java/example/OnboardingTest.java');
  const stepsIn = (text: string) => text.match(/Step \d(?: begins| ends)?: .*/g)?.slice(-5);
  expect(stepsIn(dotnet)).toHaveLength(5);
  expect(stepsIn(dotnet)).toEqual(stepsIn(java));
  const routes = (text: string) =>
    [...text.matchAll(/\/(?:partner|clock|forwarding)[\w/-]*/g)].map(([route]) => route.replace(/\/$/, ''));
  expect(new Set(routes(dotnet))).toEqual(new Set(routes(java)));
});
