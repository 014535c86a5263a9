import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CARD_PROGRAM, createCard } from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const TRANSITIONS = ['activate', 'freeze', 'unfreeze', 'cancel'] as const;
type Transition = (typeof TRANSITIONS)[number];

/** The complete state table: the new status by transition and status. Everything else is refused. */
const TABLE: Readonly<Record<string, Partial<Record<Transition, string>>>> = {
  created: { activate: 'active', cancel: 'cancelled' },
  active: { freeze: 'frozen', cancel: 'cancelled' },
  frozen: { unfreeze: 'active', cancel: 'cancelled' },
  cancelled: {},
};
const WAY: Readonly<Record<string, readonly Transition[]>> = {
  created: [],
  active: ['activate'],
  frozen: ['activate', 'freeze'],
  cancelled: ['cancel'],
};

const cases = Object.keys(TABLE).flatMap(state =>
  TRANSITIONS.map(transition => [transition, state] as const),
);

test.each(cases)('%s of a card that is %s follows the state table', async (transition, state) => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox);
  for (const step of WAY[state] ?? []) await sandbox.api('POST', `/partner/cards/${id}/${step}`);
  const before = await sandbox.api('GET', `/partner/cards/${id}`);
  expect(before.body.status).toBe(state);
  const reply = await sandbox.api('POST', `/partner/cards/${id}/${transition}`);
  const next = TABLE[state]?.[transition];
  const done = await lastRequest(sandbox);
  const after = (await sandbox.api('GET', `/partner/cards/${id}`)).body;
  if (next === undefined) {
    expect(reply).toMatchObject({ status: 400, body: { success: false } });
    expect(reply.body.error).toContain(`card ${id} is ${state}; only a card that is`);
    expect(done).toMatchObject({ events: [], changes: [] });
    expect(after).toEqual(before.body);
  } else {
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...before.body, status: next });
    expect(done).toEqual({ events: [`card.status.changed ${id}`], changes: ['updated card'], hints: [] });
    expect(after).toEqual(reply.body);
  }
});

test('any sequence of transitions follows the state table and refuses all others', () => {
  const sandbox = startInProcess();
  const { id: cardholderId } = sandbox.api('POST', '/partner/cardholders', newCardholder()).body;
  sandbox.api('POST', `/partner/cardholders/${cardholderId}/kyc`, { cardProgramId: CARD_PROGRAM });
  return sandbox.control('POST', `/cardholders/${cardholderId}/kyc/approve`).then(() => {
    const step = fc.record({ card: fc.nat(1), transition: fc.constantFrom(...TRANSITIONS) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps => {
        const cards = [0, 1].map(() => ({
          id: sandbox.api('POST', '/partner/cards', { cardholderId, cardProgramId: CARD_PROGRAM }).body.id,
          status: 'created',
        }));
        for (const { card, transition } of steps) {
          const model = cards[card];
          if (model === undefined) throw new Error('no such card');
          const next = TABLE[model.status]?.[transition];
          const reply = sandbox.api('POST', `/partner/cards/${model.id}/${transition}`);
          expect(reply.status).toBe(next === undefined ? 400 : 200);
          model.status = next ?? model.status;
          for (const { id, status } of cards) {
            expect(sandbox.api('GET', `/partner/cards/${id}`).body).toMatchObject({ id, status });
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
