import { join } from 'node:path';
import { test } from 'vitest';
import { ROOT, sources } from './areas.js';

// Loads every source, so that what runs while it loads counts for no test. After this file, `runner.ts` processes its job.
test('the sources can be loaded', async () => {
  for (const file of sources()) await import(/* @vite-ignore */ join(ROOT, file));
});
