import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_TYPES, UNRECORDED_TYPES } from '../../../src/service/webhooks/event-types.ts';
import { ALL_TYPES } from '../../support/receiver.ts';

const SOURCE = join(import.meta.dirname, '../../../src');

test('the event types are those of the interface', () => {
  expect([...EVENT_TYPES].sort()).toEqual([...ALL_TYPES].sort());
  expect(UNRECORDED_TYPES).toEqual(['card.3ds_otp', 'cardholder.approved', 'balance.alert']);
});

test('one module lists the event types', () => {
  const isList = (file: string) => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const named = EVENT_TYPES.filter(type => text.includes(type));
    return named.length > EVENT_TYPES.length / 2 && !text.startsWith('// Generated');
  };
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(file =>
    /\.tsx?$/.test(file),
  );
  // The payloads are a record of the types, which compiles only if it is complete.
  const lists = files.filter(isList).map(file => file.replace(/.*[\\/]/, ''));
  expect(lists.sort()).toEqual(['event-types.ts', 'payloads.ts']);
});
