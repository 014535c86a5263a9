import fc from 'fast-check';
import { test } from 'vitest';
import { measured, patience, size } from '../../../support/processes/size.ts';
import { story } from '../actions.ts';
import { playInProcess } from './in-process.ts';

const STORIES = size(500, 10_000);

test(
  'whatever two partners do, the sandbox does what an independent model of it says',
  async context => {
    await fc.assert(
      fc.asyncProperty(story, given => playInProcess(given)),
      { numRuns: STORIES },
    );
    measured(context, `${STORIES} sequences, 0 violations`);
  },
  patience(120_000),
);
