import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { anyMoneySequence } from '../actions.ts';
import { violatedInvariants } from '../invariants.ts';
import { runInProcess } from './in-process.ts';

const SEQUENCES = size(20, 2_000);

test(
  'for any sequence of authorizations, increments, partial reversals, forced settlements and expiries, available, held and settled amounts add up to what was paid in',
  async context => {
    await fc.assert(
      fc.asyncProperty(anyMoneySequence, sequence =>
        runInProcess(sequence, (document, { toppedUp }) =>
          expect(violatedInvariants(document, { tokens: 0, toppedUp })).toEqual([]),
        ),
      ),
      { numRuns: SEQUENCES },
    );
    recordResult(context, `${SEQUENCES} sequences, 0 violations`);
  },
  PROOF_TIMEOUT_MS,
);
