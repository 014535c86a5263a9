import { expect, expectTypeOf, test } from 'vitest';
import type { DomainEvent } from '../../src/core/journal/events.ts';
import { type AssumptionId, assumed, assumedField } from '../../src/core/operation/errors.ts';
import type { assumptions } from '../../src/service/assumptions/register.ts';
import type { EventType } from '../../src/service/webhooks/event-types.ts';
import { createWorld } from '../support/worlds.ts';

test('only ids of the register compile as assumptions', () => {
  expectTypeOf<AssumptionId>().toEqualTypeOf<(typeof assumptions)[number]['id']>();
  expect(assumed('faults')).toEqual({ kind: 'assumed', id: 'faults' });
  // @ts-expect-error the id is misspelt
  assumed('fautls');
  // @ts-expect-error the id is misspelt
  assumedField('filter-name');
});

test('only declared event types can be emitted', () => {
  expectTypeOf<DomainEvent['type']>().toEqualTypeOf<EventType>();
  const state = createWorld();
  const card = { id: 'card_1', partnerId: 'partner_acme' };
  expect(state.emit('card.issued', card, {})).toMatchObject({ type: 'card.issued' });
  // @ts-expect-error no such event type is declared
  state.emit('card.lost', card, {});
});
