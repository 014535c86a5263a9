import { expect, test } from 'vitest';
import { newControlToken } from '../../../src/server/http/server-secrets.ts';

test('a control token is 32 random hex digits', () => {
  const tokens = Array.from({ length: 50 }, newControlToken);
  for (const token of tokens) expect(token).toMatch(/^[\da-f]{32}$/);
  expect(new Set(tokens).size).toBe(50);
});
