import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../src/build/format.js';
import { generatedFiles } from '../../src/build/generation/generated-files.ts';

test.each(Object.entries(await generatedFiles()))('%s is up to date (npm run generate)', (path, source) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(format(path, source));
});
