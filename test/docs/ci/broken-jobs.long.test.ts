import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isInstalled } from '../../cli/support/installed.ts';
import { sample } from '../../support/proof/proof-size.ts';
import {
  backgroundUrl,
  github,
  githubSteps,
  gitlab,
  runJob,
  type Step,
  scriptOf,
  stepsOf,
} from './runner.ts';

// The recipes of the two services run the same commands.
const ONE_COMMAND = sample<readonly [string, Step[]]>(
  [
    ['GitHub', stepsOf(github)],
    ['GitLab', scriptOf(gitlab)],
  ],
  1,
);
const SEVERAL_STEPS: readonly (readonly [string, Step[]])[] = [['GitHub', stepsOf(githubSteps)]];
const hasBash = isInstalled('bash', '-c', 'true');

/** A server of somebody else, which answers everything with 200. */
async function startStranger(): Promise<string> {
  const server = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const deadProxy = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy'].flatMap(name => [
    [name, 'http://127.0.0.1:9'],
    [name.toUpperCase(), 'http://127.0.0.1:9'],
  ]),
);

describe.runIf(hasBash)('a recipe with one command', () => {
  test.each(ONE_COMMAND)('of %s runs when the default port is taken', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { url: await startStranger() });
    expect(output).toBe('the tests got 200\n');
    expect(codes.every(code => code === 0)).toBe(true);
  });

  test.each(ONE_COMMAND)('of %s runs no test when the fixture is missing', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { flags: '--fixtures missing.yaml' });
    expect(output).toMatch(/missing\.yaml/);
    expect(output).not.toMatch(/the tests got/);
    expect(codes.at(-1)).toBe(1);
  });

  test.each(ONE_COMMAND)('of %s runs beside a proxy that does not respond', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { variables: { ...deadProxy, NODE_USE_ENV_PROXY: '1' } });
    expect(output).toBe('the tests got 200\n');
    expect(codes.every(code => code === 0)).toBe(true);
  });

  test.each(ONE_COMMAND)('of %s keeps the exit code in a read-only folder', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { isReadOnly: true, variables: { TESTS_FAIL: 'yes' } });
    expect(output).toMatch(/the tests got 200\n/);
    expect(output).toMatch(/sandbox-artifacts.*EACCES|EACCES.*sandbox-artifacts/);
    expect(codes.at(-1)).toBe(3);
  });
});

describe.runIf(hasBash)('a recipe with several steps', () => {
  test.each(SEVERAL_STEPS)('of %s runs when the default port is taken', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { url: await startStranger() });
    expect(output).toMatch(/the tests got 200\n/);
    expect(codes.every(code => code === 0)).toBe(true);
  });

  test.each(SEVERAL_STEPS)('of %s stops its sandbox after failed tests', async (_service, steps) => {
    const { codes, folder } = await runJob(steps, { variables: { TESTS_FAIL: 'yes' } });
    expect(codes.filter(code => code !== 0)).toEqual([3]);
    const url = await backgroundUrl(folder);
    expect(url).toMatch(/^http:/);
    await expect(fetch(`${url}/_sandbox/health`)).rejects.toThrow('fetch failed');
  });

  test.each(SEVERAL_STEPS)('of %s runs no test when the fixture is missing', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { flags: '--fixtures missing.yaml' });
    expect(output).toMatch(/missing\.yaml/);
    expect(output).not.toMatch(/the tests got/);
    expect(codes.find(code => code !== 0)).toBe(1);
  });

  test.each(SEVERAL_STEPS)('of %s runs beside a proxy that does not respond', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { variables: deadProxy });
    expect(output).toMatch(/the tests got 200\n/);
    expect(codes.every(code => code === 0)).toBe(true);
  });

  test.each(SEVERAL_STEPS)('of %s runs no test in a read-only folder', async (_service, steps) => {
    const { codes, output } = await runJob(steps, { isReadOnly: true });
    expect(output).toMatch(/sandbox\.(?:log|json)/);
    expect(output).not.toMatch(/the tests got/);
    expect(codes.find(code => code !== 0)).toBeGreaterThan(0);
  });
});
