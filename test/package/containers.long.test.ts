import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { vacant } from '../cli/support/deserted.ts';
import { atFileEnd } from '../support/at-file-end.ts';
import { CLI_PROGRAM, startProcess } from '../support/cli-process.ts';
import { type Installed, install, ROOT, run } from './installed.ts';

// No image is built here. Its commands run one by one in a folder, so this does not test the base image, the user, the
// published port, Testcontainers, and GitHub's runner.
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const DOCUMENT = readFileSync(join(ROOT, 'docs/containers.md'), 'utf8');

let installed: Installed;

const atEnd = atFileEnd();
beforeAll(async () => {
  installed = await install(atEnd);
});

/** The arguments of an instruction of the Dockerfile. */
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(DOCKERFILE)?.[1] ?? '';
/** The words of a command in the form of a JSON list. */
const listIn = (text: string): string[] => JSON.parse(/\[.*\]/.exec(text)?.[0] ?? '[]');
/** A file in the document, by the name in its first line. */
const fileInDocument = (name: string) =>
  new RegExp(`\`\`\`\\w+\\n(?:#|//) ${name}\\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? '';

test('the commands of the Dockerfile install, start and check the sandbox', async () => {
  const prefix = join(installed.folder, 'prefix');
  const command = instruction('RUN').replace('/tmp/card-sandbox.tgz', installed.packed.file);
  await run('sh', ['-c', command], installed.folder, { npm_config_prefix: prefix });
  const inImage = (word: string) => join(prefix, 'bin', word);
  const [start = '', ...args] = [...listIn(instruction('ENTRYPOINT')), ...listIn(instruction('CMD'))];
  const token = { CARD_SANDBOX_CONTROL_TOKEN: 'a-token-of-the-container' };
  const { child, printed, ended } = startProcess(inImage(start), [...args, '--port', '0', '--json'], token);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, url = ''] = await printed(/"url":"([^"]+)"/);
  const [check = '', ...checked] = listIn(DOCKERFILE.match(/^HEALTHCHECK.*$/m)?.[0] ?? '');
  await run(inImage(check), checked, installed.folder, { ...token, CARD_SANDBOX_URL: url });
  expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  await expect(
    run(inImage(check), checked, installed.folder, { ...token, CARD_SANDBOX_URL: url }),
  ).rejects.toThrow();
});

test('the image has no root user and contains only the packed package', () => {
  expect(instruction('USER')).toBe('node');
  expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8')).toBe('*\n!card-sandbox-*.tgz\n');
  expect(DOCKERFILE.match(/^(?:COPY|ADD) .*$/gm)).toEqual([`COPY \${PACKAGE} /tmp/card-sandbox.tgz`]);
});

test('the documents for compose and GitHub start the image as the Dockerfile does', () => {
  const { services } = parse(fileInDocument('compose.yml'));
  const image = listIn(instruction('CMD'));
  expect(services.sandbox.command.slice(0, image.length)).toEqual(image);
  expect(services.app.depends_on).toEqual({ sandbox: { condition: 'service_healthy' } });
  expect(parse(fileInDocument('workflow.yml')).jobs.test.services.sandbox.ports).toEqual(['4242:4242']);
  expect(fileInDocument('containers.test.ts')).toContain(instruction('EXPOSE'));
});

test('the container of the Kubernetes manifests starts, answers its probes, and keeps its state', async () => {
  const [deployment] = parseAllDocuments(
    readFileSync(join(ROOT, 'examples/kubernetes/sandbox.yaml'), 'utf8'),
  ).map(document => document.toJS());
  const [container] = deployment.spec.template.spec.containers;
  const state = join(installed.folder, 'world.json');
  const args = container.args.map((each: string) => each.replace('/state/world.json', state));
  const [{ name }] = container.env;
  const variables = { [name]: 'a-token-of-the-cluster' };
  const url = await vacant();
  const { child, printed, ended } = startProcess(
    process.execPath,
    [CLI_PROGRAM, ...args, '--port', new URL(url).port, '--json'],
    variables,
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await printed(/"url":"https:\/\/sandbox-acme\.example\.com"/);
  const { path } = container.readinessProbe.httpGet;
  expect((await fetch(url + path)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ format: 'card-sandbox-state' });
});

test('the action starts a sandbox and exports its variables', async () => {
  const { runs, outputs, inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  expect(runs.using).toBe('composite');
  expect(outputs.url.value).toContain('steps.start.outputs.url');
  const folder = join(installed.folder, 'runner');
  mkdirSync(folder);
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${CLI_PROGRAM}" "$@"\n`);
  chmodSync(npx, 0o755);
  const [{ run: script }] = runs.steps;
  await run('bash', ['-e', '-c', script], folder, {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    VERSION: inputs.version.default,
    FIXTURES: inputs.fixtures.default,
    FLAGS: '--freeze --port 0',
    RUNNER_TEMP: folder,
    GITHUB_ENV: join(folder, 'environment'),
    GITHUB_OUTPUT: join(folder, 'output'),
  });
  const [, url = ''] = /^url=(http.*)$/m.exec(readFileSync(join(folder, 'output'), 'utf8')) ?? [];
  const exported = readFileSync(join(folder, 'environment'), 'utf8');
  expect(exported).toContain(url);
  expect(exported).toContain('SERVICE_API_KEY');
  expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(200);
  await run(process.execPath, [CLI_PROGRAM, 'stop', '--url', url], folder);
});
