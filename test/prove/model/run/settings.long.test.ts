import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult } from '../../../support/proof/proof-size.ts';
import { anySequence } from '../actions.ts';
import { OTHER, SETTINGS, USUAL } from '../settings.ts';
import { runInProcess } from './in-process.ts';

/** More than any disagreement needs. */
const SEQUENCES = 200;
const QUICK = ['amount-unit', 'email-comparison', 'kyc-after-rejection', 'patch-config'];

test.for(SETTINGS.filter(name => isFullRun || QUICK.includes(name)))(
  'the model detects a sandbox that has another value of %s',
  { timeout: PROOF_TIMEOUT_MS },
  async (name, context) => {
    const actual = { ...USUAL, [name]: OTHER[name] };
    const found = await fc.check(
      fc.asyncProperty(anySequence, sequence => runInProcess(sequence, undefined, undefined, actual)),
      { numRuns: SEQUENCES, endOnFailure: true, seed: 42 },
    );
    expect(found.failed).toBe(true);
    recordResult(context, `found in sequence ${found.numRuns}`);
  },
);
