import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { anyMoneySequence, anySequence } from '../actions.ts';
import { BUGS } from './bugs.ts';
import { buildWithBug, sourceFor } from './build-with-bug.ts';
import { runInProcess } from './in-process.ts';

/** More than any of the bugs needs. */
const SEQUENCES = 500;

test.for(BUGS.slice(0, size(4, BUGS.length)).map(bug => [bug.name, bug] as const))(
  'the model detects that %s',
  { timeout: PROOF_TIMEOUT_MS },
  async ([, bug], context) => {
    const create = await buildWithBug(bug);
    const found = await fc.check(
      fc.asyncProperty(bug.needsMoneySequences ? anyMoneySequence : anySequence, sequence =>
        runInProcess(sequence, create),
      ),
      // The first failure is enough, without shrinking, and the same on every machine.
      { numRuns: SEQUENCES, endOnFailure: true, seed: 42 },
    );
    expect(found.failed).toBe(true);
    recordResult(context, `found in sequence ${found.numRuns}`);
  },
);

test('the source has exactly one place for each planted bug', context => {
  for (const bug of BUGS) expect(sourceFor(bug).text).toContain(bug.right);
  recordResult(context, `${BUGS.length} bugs`);
});
