import fc from 'fast-check';
import { test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { runSequence } from './run-sequence.ts';
import { anySequence } from './sequence.ts';

const SEQUENCES = Number(process.env.N ?? size(5, 200));

test(
  'the record of each world of any sequence of requests plays as it was, as a whole and in parts',
  async context => {
    let [records, compared] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anySequence, async sequence => {
        const proved = await runSequence(sequence);
        records += proved.records;
        compared += proved.compared;
      }),
      { numRuns: SEQUENCES, ...(process.env.N && { interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true, seed: Number(process.env.SEED ?? 42) }) },
    );
    recordResult(context, `${records} records, ${compared} responses, all the same`);
    if (process.env.N) console.log(records, compared);
  },
  PROOF_TIMEOUT_MS,
);
