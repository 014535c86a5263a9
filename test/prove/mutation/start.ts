import { test } from 'vitest';

// After this file, `runner.ts` processes its job.
test('the tests can be run', () => {});
