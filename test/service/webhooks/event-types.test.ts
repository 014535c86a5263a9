import { expect, test } from 'vitest';
import { EVENT_TYPES, UNRECORDED_TYPES } from '../../../src/service/webhooks/event-types.ts';
import { ALL_TYPES } from '../../support/receiver.ts';

test('the event types are those of the interface', () => {
  expect([...EVENT_TYPES].sort()).toEqual([...ALL_TYPES].sort());
  expect(UNRECORDED_TYPES).toEqual(['card.3ds_otp', 'cardholder.approved', 'balance.alert']);
});
