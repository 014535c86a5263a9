import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientTypes } from './client-types.ts';

test.each([
  'records.ts',
  'api/api-records.ts',
  'api/network-types.ts',
  'feed-types.ts',
  'inputs.ts',
  'handle/server-records.ts',
  'handle/history-records.ts',
] as const)('src/client/%s has the types of the schemas (npm run docs writes it)', async file => {
  await expect(clientTypes(file)).toMatchFileSnapshot(join(import.meta.dirname, '../../src/client', file));
});
