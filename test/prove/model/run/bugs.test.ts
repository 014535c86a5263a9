import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measured, patience, size } from '../../../support/processes/size.ts';
import { story } from '../actions.ts';
import { BUGS } from './bugs.ts';
import { playInProcess } from './in-process.ts';
import { soil, withBug } from './planted.ts';

/** As many as `npm test` plays: a bug that takes more would not be found there. */
const STORIES = 500;

test.for(BUGS.slice(0, size(4, BUGS.length)).map(bug => [bug.name, bug] as const))(
  'the model finds out when %s',
  { timeout: patience(60_000) },
  async ([, bug], context) => {
    const create = await withBug(bug);
    const found = await fc.check(
      fc.asyncProperty(story, given => playInProcess(given, create)),
      // The first failure is enough, nobody needs it small; and the same one on every machine.
      { numRuns: STORIES, endOnFailure: true, seed: 42 },
    );
    expect(found.failed).toBe(true);
    measured(context, `found in sequence ${found.numRuns}`);
  },
);

test('there is a place for each bug, those included that only a long run plants', context => {
  for (const bug of BUGS) expect(soil(bug).text).toContain(bug.right);
  measured(context, `${BUGS.length} bugs`);
});
