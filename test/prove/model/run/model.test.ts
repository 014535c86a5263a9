import fc from 'fast-check';
import { test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { type ActionSequence, anySequence } from '../actions.ts';
import { type Assumed, anySettings, USUAL } from '../settings.ts';
import { runInProcess } from './in-process.ts';

const SEQUENCES = size(20, 10_000);
const SETTINGS = size(8, 2_000);

/** The authorization expires in the last moment of the advance that ends a sequence. */
const EXPIRY_AT_THE_END: [ActionSequence, Assumed] = [
  {
    actions: [
      { kind: 'pay', card: 1, amount: 33_255, type: 'sale', forced: false },
      { kind: 'advance', ms: 3_600_000 },
    ],
    failurePercent: 100,
  },
  { ...USUAL, 'authorization-ttl': 7_200_000 },
];

test(
  'for any sequence of actions of two partners, the sandbox matches an independent model',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, anySettings(SETTINGS), (sequence, assumed) =>
        runInProcess({ ...sequence, assumed }),
      ),
      { numRuns: SEQUENCES, examples: [EXPIRY_AT_THE_END] },
    );
    recordResult(context, `${SEQUENCES} sequences, 0 violations`);
  },
  PROOF_TIMEOUT_MS,
);
