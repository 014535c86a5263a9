import { test } from 'vitest';
import { PROOF_TIMEOUT_MS, size } from '../../support/proof/proof-size.ts';
import { proveSequences } from './run-sequence.ts';
import { anySequence } from './sequence.ts';

test(
  'the records of many sequences of requests play as they were',
  context => proveSequences(context, anySequence, { count: size(20, 200), seed: size(42, 44) }),
  PROOF_TIMEOUT_MS,
);
