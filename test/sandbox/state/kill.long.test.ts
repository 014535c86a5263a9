import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startProcess } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

const SCRIPT = fileURLToPath(new URL('kill-rounds.js', import.meta.url));
const ROUNDS = size(10, 100);

test(
  'a state file survives the death of its sandbox at any moment, and nothing that was saved is lost',
  async context => {
    const rounds = startProcess(process.execPath, [SCRIPT, String(ROUNDS)]);
    expect(await rounds.ended, rounds.stderr()).toMatchObject({ code: 0 });
    expect(rounds.stdout()).toMatch(
      new RegExp(`^${ROUNDS} rounds, \\d+ saves, \\d+ stray files swept, 0 states lost$`, 'm'),
    );
    recordResult(context, `${ROUNDS} kills in the middle of saves, 0 states lost`);
  },
  PROOF_TIMEOUT_MS,
);
