import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTable, rowSchema } from '../../../src/core/store/table-definition.ts';
import { tables } from '../../../src/sandbox/tables.ts';
import { createWorld } from '../../support/worlds.ts';

const SOURCE = join(import.meta.dirname, '../../../src');

test('every table that the code defines is listed, so that no saved state lacks one', async () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('store.ts'))
    .filter(file => /\bdefineTable\(/.test(readFileSync(join(SOURCE, file), 'utf8')));
  const listed = new Set<unknown>(Object.values(tables));
  const missing: string[] = [];
  let found = 0;
  for (const file of files) {
    const defined = readFileSync(join(SOURCE, file), 'utf8').matchAll(/(\w+) = defineTable\(/g);
    const exported = await import(join(SOURCE, file));
    for (const [, name = ''] of defined) {
      found += 1;
      if (!listed.has(exported[name])) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toBe(listed.size);
});

test('a world has only the listed tables', () => {
  const unlisted = defineTable({
    kind: 'rumour',
    row: rowSchema(() => ({ text: z.string() })),
    unique: {},
    groups: {},
  });
  const state = createWorld();
  expect(() => state.table(unlisted)).toThrow('"rumour" is not listed in src/sandbox/tables.ts');
});
