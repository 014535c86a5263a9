import { test } from 'vitest';

// Once this file has been run, `runner.ts` goes on with what it has been told to do.
test('the tests can be run', () => {});
