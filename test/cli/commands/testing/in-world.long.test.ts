import { expect, test } from 'vitest';
import { runInProcess, sharedSandbox } from '../../../support/cli-in-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';

const { json, running } = sharedSandbox([
  '--fixtures',
  'empty',
  '--allow-http-webhooks',
  '--kyc-delay',
  '0s',
]);

/** Runs a command line and returns how many requests it made in main and in a world. */
async function requestsOf(world: string, words: readonly string[], variables: Record<string, string>) {
  const countIn = async (id: string) => (await json('requests', 'list', '--world', id)).length;
  const before = [await countIn('main'), await countIn(world)];
  const finished = await runInProcess(words, variables);
  const [main = 0, own = 0] = before;
  return { ...finished, inMain: (await countIn('main')) - main, inWorld: (await countIn(world)) - own };
}

test('run --world plays in a world with its key, also when the variable holds another', async () => {
  const { url } = running();
  await json('worlds', 'add', 'blue');
  const words = ['run', 'card-lifecycle', '--base-url', `${url}/v1`, '--control-url', url, '--world', 'blue'];
  const played = await requestsOf('blue', words, { SERVICE_API_KEY: ACME_KEY });
  expect(played.stdout).toMatch(/\nAll 24 steps passed\.\n$/);
  expect(played).toMatchObject({ code: 0, inMain: 0, inWorld: expect.toSatisfy(count => count > 10) });
  const own = await runInProcess(['run', 'card-lifecycle', '--base-url', `${url}/v1`, '--world', 'blue']);
  expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --control-url as well') });
});

test('with the variables of a world, run needs no flags', async () => {
  await json('worlds', 'add', 'green');
  const variables = await json('env', '--world', 'green');
  const played = await requestsOf('green', ['run', 'card-lifecycle'], variables);
  expect(played.stdout).toMatch(/\nAll 24 steps passed\.\n$/);
  expect(played).toMatchObject({ code: 0, inMain: 0 });
});

test('run does not take the sandbox of the environment for the control plane of another server', async () => {
  const { url } = running();
  const other = `${url.replace('127.0.0.1', 'localhost')}/v1`;
  const words = ['run', 'kyc-reimport', '--base-url', other, '--api-key', ACME_KEY];
  const { stdout } = await runInProcess(words, { CARD_SANDBOX_URL: url });
  expect(stdout).toContain('skipped: there is no control plane; --control-url sets one');
});

test('demo plays in the world of the running sandbox that the flag or the variables name', async () => {
  const { url } = running();
  await json('worlds', 'add', 'red');
  const variables = { CARD_SANDBOX_URL: url };
  const played = await requestsOf('red', ['demo', 'card-lifecycle', '--world', 'red'], variables);
  expect(played).toMatchObject({ code: 0, inMain: 0, inWorld: expect.toSatisfy(count => count > 10) });
  const named = { ...variables, CARD_SANDBOX_WORLD: 'red' };
  const again = await requestsOf('red', ['demo', 'card-lifecycle'], named);
  expect(again).toMatchObject({ code: 0, inMain: 0, inWorld: expect.toSatisfy(count => count > 10) });
  const { inMain } = await requestsOf('red', ['demo', 'card-lifecycle'], variables);
  expect(inMain).toBeGreaterThan(10);
});
