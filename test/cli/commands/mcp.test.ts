import { expect, test } from 'vitest';
import { runInProcess } from '../../support/cli-in-process.ts';

/** Nothing listens there. */
const URL_OF_NONE = 'http://127.0.0.1:1';

test.each([
  [['--world', 'blue'], {}],
  [['--url', URL_OF_NONE, '--world', 'blue'], {}],
  [['--url', URL_OF_NONE], { CARD_SANDBOX_WORLD: 'blue' }],
  [[], { CARD_SANDBOX_WORLD: 'blue', CARD_SANDBOX_URL: URL_OF_NONE }],
])('mcp with %j and %j refuses a flag for a new world, because the world exists', async (args, variables) => {
  const { code, stdout, stderr } = await runInProcess(['mcp', ...args, '--freeze'], variables);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--freeze is for a new world; leave out --world, or the flag');
});

test('the variable of the world alone names no sandbox: mcp starts one', async () => {
  const { stderr } = await runInProcess(['mcp', '--fixtures', 'startr'], { CARD_SANDBOX_WORLD: 'blue' });
  expect(stderr).toContain('did you mean "starter"?');
});
