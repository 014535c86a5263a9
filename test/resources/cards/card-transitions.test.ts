import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issued, PROGRAM } from '../../support/fixtures/people.ts';
import { inProcess } from '../../support/in-process.ts';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const MOVES = ['activate', 'freeze', 'unfreeze', 'cancel'] as const;
type Move = (typeof MOVES)[number];

/** The whole of the state table: what a move makes of a state; what is not here is refused. */
const TABLE: Readonly<Record<string, Partial<Record<Move, string>>>> = {
  created: { activate: 'active', cancel: 'cancelled' },
  active: { freeze: 'frozen', cancel: 'cancelled' },
  frozen: { unfreeze: 'active', cancel: 'cancelled' },
  cancelled: {},
};
const WAY: Readonly<Record<string, readonly Move[]>> = {
  created: [],
  active: ['activate'],
  frozen: ['activate', 'freeze'],
  cancelled: ['cancel'],
};

const cases = Object.keys(TABLE).flatMap(state => MOVES.map(move => [move, state] as const));

test.each(cases)('%s of a card that is %s does what the state table says', async (move, state) => {
  const sandbox = await startSandbox();
  const { id } = await issued(sandbox);
  for (const step of WAY[state] ?? []) await sandbox.api('POST', `/partner/cards/${id}/${step}`);
  const before = await sandbox.api('GET', `/partner/cards/${id}`);
  expect(before.body.status).toBe(state);
  const reply = await sandbox.api('POST', `/partner/cards/${id}/${move}`);
  const next = TABLE[state]?.[move];
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

test('any sequence of moves leaves a card where the state table says, and refuses every other move', () => {
  const sandbox = inProcess();
  const { id: cardholderId } = sandbox.api('POST', '/partner/cardholders', newCardholder()).body;
  sandbox.api('POST', `/partner/cardholders/${cardholderId}/kyc`, { cardProgramId: PROGRAM });
  return sandbox.control('POST', `/cardholders/${cardholderId}/kyc/approve`).then(() => {
    const step = fc.record({ card: fc.nat(1), move: fc.constantFrom(...MOVES) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps => {
        const cards = [0, 1].map(() => ({
          id: sandbox.api('POST', '/partner/cards', { cardholderId, cardProgramId: PROGRAM }).body.id,
          status: 'created',
        }));
        for (const { card, move } of steps) {
          const model = cards[card];
          if (model === undefined) throw new Error('no such card');
          const next = TABLE[model.status]?.[move];
          const reply = sandbox.api('POST', `/partner/cards/${model.id}/${move}`);
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

test('of 20 activations at once exactly one is accepted', async () => {
  const sandbox = await startSandbox();
  const { id } = await issued(sandbox);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => sandbox.api('POST', `/partner/cards/${id}/activate`)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
});

test.each(['', '/activate', '/freeze', '/unfreeze', '/cancel'])(
  "an unknown card, or another partner's, is a 404 at /partner/cards/{id}%s",
  async move => {
    const sandbox = await startSandbox();
    const method = move === '' ? 'GET' : 'POST';
    const { id } = await issued(sandbox);
    const foreign = await sandbox.globex(method, `/partner/cards/${id}${move}`);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual({ success: false, error: `no card with id "${id}"` });
    const unknown = await sandbox.api(method, `/partner/cards/card_none${move}`);
    expect(unknown).toMatchObject({ status: 404, body: { error: 'no card with id "card_none"' } });
    expect((await sandbox.api('GET', `/partner/cards/${id}`)).body.status).toBe('created');
  },
);
