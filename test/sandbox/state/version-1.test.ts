import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { fakeReceiver } from '../../support/receiver.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** Saved by version 0.1.0, with an authorization, a challenge, a KYC submission and deliveries pending. */
const SAVED = join(import.meta.dirname, 'saved/version-1.state');
const saved: Json = JSON.parse(readFileSync(SAVED, 'utf8'));

async function loaded() {
  const file = await temporaryFile('world.json');
  copyFileSync(SAVED, file);
  const receiver = fakeReceiver(() => 200);
  const sandbox = await startSandbox(
    { state: file, allowHttpWebhooks: true },
    { transport: receiver.transport },
  );
  return { ...sandbox, receiver, file };
}

test('a state file of version 1 loads whole and is saved as version 2', async () => {
  const { control, file } = await loaded();
  await control('POST', '/state/save');
  const state: Json = JSON.parse(readFileSync(file, 'utf8'));
  const { vault, ...tables } = saved.tables;
  const { vault: numbers, ...counts } = saved.counts;
  expect(state).toEqual({
    notice: expect.stringMatching(/^Holds API keys, webhook secrets and card numbers/),
    ...saved,
    version: 2,
    clock: { ...saved.clock, timers: expect.any(Array) },
    counts: {
      ...counts,
      cardNumbers: numbers,
      faults: 0,
      webhookFaults: 0,
      heldDeliveries: 0,
      redeliveries: 0,
    },
    tables: {
      ...tables,
      cardNumbers: vault,
      faults: [],
      webhookFaults: [],
      heldDeliveries: [],
      redeliveries: [],
    },
  });
  const kinds = state.clock.timers.map(({ kind }: Json) => kind);
  expect(new Set(kinds)).toEqual(new Set(['delivery.attempt', 'kyc.decide', 'balance.checkLow']));
  const untyped = (timers: Json[]) => timers.map(({ ref, at }) => ({ ref, at }));
  expect(untyped(state.clock.timers)).toEqual(untyped(saved.clock.timers));
});

test('a world of version 1 continues: deliveries, KYC, authorizations, challenges and checks', async () => {
  const { control, receiver } = await loaded();
  const { transactions, challenges, cardholders } = saved.tables;
  const { id: authorized } = transactions.find(({ status }: Json) => status === 'authorized');
  expect((await control('POST', `/transactions/${authorized}/settle`)).body.status).toBe('settled');
  const [{ id: challenge, otp }] = challenges;
  expect((await control('POST', `/3ds/${challenge}/verify`, { otp })).body.status).toBe('approved');
  await control('POST', '/clock/advance', { duration: '5s' });
  const { id: submitted } = cardholders.find(({ kycStatus }: Json) => kycStatus === 'pending');
  expect((await control('GET', `/cardholders/${submitted}`)).body.kycStatus).toBe('approved');
  expect(receiver.seen).toHaveLength(saved.tables.deliveries.length + 1);
  await control('PATCH', '/webhooks/config', { subscribedEvents: ['balance.low'] });
  await control('POST', '/clock/advance', { duration: '1d' });
  expect((await control('GET', '/deliveries?eventType=balance.low')).body).toHaveLength(1);
});

test('a damaged state of version 1 is refused by the rules of the current version', async () => {
  const { control } = await startSandbox();
  const problem = async (document: unknown) => (await control('PUT', '/state', document)).body.error;
  expect(await problem({ ...saved, clock: 7, tables: null })).toMatch(/clock: must be an object; tables: /);
  expect(await problem({ ...saved, counts: { ...saved.counts, vault: 9 } })).toMatch(
    /counts\.cardNumbers: says 9, and tables\.cardNumbers has 1/,
  );
  const clock = { ...saved.clock, timers: [7, { kind: 'kyc.decisions', ref: 'ch_1', at: saved.clock.now }] };
  expect(await problem({ ...saved, clock })).toMatch(/clock\.timers\[0\]: must be an object/);
});
