import fc from 'fast-check';
import { isFullRun } from './proof/proof-size.ts';

// Properties try the same cases in every run, so that a run in CI fails only because of the change that it tests.
// `npm run prove` tries new cases, and so does each run of its part `flaky`, which sets another seed.
const { CARD_SANDBOX_SEED: seed = '42' } = process.env;
if (!isFullRun) fc.configureGlobal({ seed: Number(seed) });
