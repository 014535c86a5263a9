import { expect, test } from 'vitest';
import { startSandbox, type TestSandbox } from '../support/sandbox.ts';

const STORIES = { 'card-lifecycle': 33, 'error-flows': 32, 'kyc-reimport': 17 };

async function play(sandbox: TestSandbox, story: string, to: number, world = '') {
  const { status, body } = await sandbox.control('POST', `${world}/stories/${story}/steps`, { to });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

test('every built-in story can be played to its end, step by step', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { body } = await sandbox.control('GET', '/stories');
  expect(Object.fromEntries(body.map((each: { id: string; steps: number }) => [each.id, each.steps]))).toEqual(STORIES);
  for (const { id, steps } of body) {
    const { played } = await play(sandbox, id, steps);
    const failed = played.filter((each: { status: string }) => each.status !== 'passed');
    expect(failed, id).toEqual([]);
    expect(played).toHaveLength(steps);
    if (id === 'kyc-reimport') console.log(JSON.stringify(played, null, 1).slice(0, 9000));
  }
});
