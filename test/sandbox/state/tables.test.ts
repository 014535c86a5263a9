import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTable, rowSchema } from '../../../src/core/store/table-definition.ts';
import { createWorld } from '../../support/worlds.ts';

test('a world has only the listed tables', () => {
  const unlisted = defineTable({
    kind: 'rumour',
    row: rowSchema(() => ({ text: z.string() })),
  });
  const state = createWorld();
  expect(() => state.table(unlisted)).toThrow('"rumour" is not listed in src/sandbox/tables.ts');
});
