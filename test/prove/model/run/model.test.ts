import fc from 'fast-check';
import { test } from 'vitest';
import { recordResult, size, testTimeout } from '../../../support/proof/proof-size.ts';
import { anySequence } from '../actions.ts';
import { anySettings } from '../settings.ts';
import { runInProcess } from './in-process.ts';

const SEQUENCES = size(60, 10_000);
const SETTINGS = size(8, 2_000);

test(
  'for any sequence of actions of two partners, the sandbox matches an independent model',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, anySettings(SETTINGS), (sequence, assumed) =>
        runInProcess({ ...sequence, assumed }),
      ),
      { numRuns: SEQUENCES },
    );
    recordResult(context, `${SEQUENCES} sequences, 0 violations`);
  },
  testTimeout(120_000),
);
