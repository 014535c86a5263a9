import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { launch } from '../support/process.ts';

const SCRIPT = fileURLToPath(new URL('kill-rounds.js', import.meta.url));

test('a state file survives the death of its sandbox at any moment, and nothing that was saved is lost', async () => {
  const rounds = launch(process.execPath, [SCRIPT, '10']);
  expect(await rounds.ended, rounds.stderr()).toMatchObject({ code: 0 });
  expect(rounds.stdout()).toMatch(/^10 rounds, \d+ saves, \d+ stray files swept, 0 states lost$/m);
}, 60_000);
