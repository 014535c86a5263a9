import { test } from 'vitest';
import { PROOF_TIMEOUT_MS, size } from '../../support/proof/proof-size.ts';
import { proveSequences } from './run-sequence.ts';

test(
  'the records of many sequences of requests play as they were',
  context => proveSequences(context, size(20, 200), size(43, 44)),
  PROOF_TIMEOUT_MS,
);
