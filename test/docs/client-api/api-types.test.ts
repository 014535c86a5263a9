import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiTypes, routes } from './api-types.ts';

test.each([
  ['api/api-types.ts', apiTypes],
  ['api/routes.ts', routes],
])('src/client/%s has every operation of the table (npm run docs writes it)', async (file, source) => {
  await expect(source()).toMatchFileSnapshot(join(import.meta.dirname, '../../../src/client', file));
});
