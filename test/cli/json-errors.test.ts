import { expect, test } from 'vitest';
import { runInProcess } from '../support/cli-in-process.ts';

const FAILURES: [args: string[], code: number, message: string, hint: string][] = [
  [
    ['clock', 'advance', '1h', '--durration', '1h'],
    2,
    "unknown option '--durration'",
    'Did you mean --duration? card-sandbox clock advance --help shows its usage',
  ],
  [
    ['clock', 'advance'],
    2,
    "missing required argument 'duration'",
    'card-sandbox clock advance --help shows its usage',
  ],
  [['strat'], 2, "unknown command 'strat'", 'Did you mean start? card-sandbox --help shows the commands'],
  [
    ['fixtures', 'validate', './none.yaml'],
    1,
    'the fixtures are invalid',
    'correct what problems of the result lists',
  ],
  [
    ['start', '--fixtures', 'startr'],
    1,
    expect.stringContaining('startr'),
    'correct the file at the places that the message names',
  ],
  [
    ['doctor', 'webhook', 'http://127.0.0.1:1', '--secret', 'secret'],
    1,
    expect.stringContaining('no response from http://127.0.0.1:1'),
    'is the receiver running, and is the URL right?',
  ],
];

test.each(FAILURES)(
  '%j with --json fails with %i, a message and a hint',
  async (args, code, message, hint) => {
    const finished = await runInProcess([...args, '--json']);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(finished.stderr)).toEqual({ error: { message, hint } });
  },
);

test('--json of the command behind -- is not that of exec', async () => {
  const { code, stderr } = await runInProcess(['exec', '--bogus', '--', 'node', '--json']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: unknown option '--bogus'\n/);
});
