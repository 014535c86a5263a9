import fc from 'fast-check';
import { isFullRun } from './proof/proof-size.ts';

// Properties try the same cases in every run, so that a run in CI fails only because of the change that it tests.
// `npm run prove` tries new cases.
if (!isFullRun) fc.configureGlobal({ seed: 42 });
