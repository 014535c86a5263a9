import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { anySequence } from '../actions.ts';
import { randomOrder, runAlone, runWorlds, worldRuns } from './worlds.ts';

const WORLDS = 64;
const ROUNDS = size(1, 8);

test(
  `${WORLDS} worlds of one server match an independent model, and each does what it does alone`,
  async context => {
    let responses = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const sequences = fc.sample(anySequence, { numRuns: WORLDS, seed: 15 + round });
      const runs = worldRuns(WORLDS, sequences);
      const traces = await runWorlds(runs, randomOrder(round));
      for (const [number, run] of runs.entries()) {
        const alone = await runAlone(run, number);
        expect(alone.length).toBeGreaterThan(20);
        expect(difference(traces[number] ?? [], alone)).toBeNull();
        responses += alone.length;
      }
    }
    expect(responses).toBeGreaterThan(ROUNDS * WORLDS * 100);
    recordResult(
      context,
      `${ROUNDS} rounds of ${WORLDS} worlds, 0 disagreements, ${responses} responses and webhooks equal`,
    );
  },
  PROOF_TIMEOUT_MS,
);

/** The first lines that differ, or null. A whole trace would be too long for a message. */
function difference(actual: readonly string[], expected: readonly string[]): readonly unknown[] | null {
  for (let line = 0; line < Math.max(actual.length, expected.length); line++) {
    if (actual[line] !== expected[line]) return [line, actual[line], expected[line]];
  }
  return null;
}
