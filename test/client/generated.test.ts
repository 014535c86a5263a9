import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientFiles } from '../../src/build/generation/client-files.ts';
import { format } from '../../src/build/generation/format.js';

test.each(Object.entries(clientFiles()))('%s is up to date (npm run generate)', (path, source) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(format(path, source));
});
