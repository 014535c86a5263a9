import { test } from 'vitest';
import { PROOF_TIMEOUT_MS } from '../../support/proof/proof-size.ts';
import { proveSequences } from './run-sequence.ts';
import { shortSequence } from './sequence.ts';

test(
  'the record of each world of any sequence of requests plays as it was, as a whole and in parts',
  context => proveSequences(context, shortSequence, { count: 5, seed: 42 }),
  PROOF_TIMEOUT_MS,
);
