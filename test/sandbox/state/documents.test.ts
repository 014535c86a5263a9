import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AUTHENTICATED, responseTo } from '../../server/http/raw.ts';
import { createApprovedCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { anySequence } from '../../support/proof/action-sequences.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

/** The document as the bytes that came. */
async function stateText(origin: string): Promise<string> {
  const response = await fetch(`${origin}/_sandbox/state`);
  return response.text();
}

test('a state is one versioned document of every table, with counts, the clock, its timers and the seed', async () => {
  const sandbox = await startSandbox({ seed: 7 });
  const id = await createSubmittedCardholder(sandbox, newCardholder());
  const { status, body } = await sandbox.control('GET', '/state');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    format: 'card-sandbox-state',
    version: 1,
    seed: 7,
    clock: {
      now: START,
      mode: 'frozen',
      advancedMs: 0,
      timers: [{ kind: 'kyc.decide', ref: id, at: '2026-03-15T10:00:02.000Z' }],
    },
    counts: { partners: 2, apiKeys: 2, cardholders: 1, cards: 0 },
  });
  expect(body.tables.cardholders).toMatchObject([{ id, partnerId: 'partner_acme' }]);
  for (const [name, rows] of Object.entries<unknown[]>(body.tables)) {
    expect(body.counts[name]).toBe(rows.length);
  }
});

test('a state that is exported, imported into another sandbox and exported again is identical to the byte', async () => {
  const one = await startSandbox({ fixtures: ['starter'], seed: 3 });
  await createApprovedCardholder(one);
  await createSubmittedCardholder(one);
  await one.control('POST', '/partners', { fixture: 'starter' });
  await one.control('POST', '/checkpoints/one');
  const text = await stateText(one.origin);
  const other = await startSandbox({ fixtures: ['empty'], clock: '2020-01-01' });
  expect(await other.control('PUT', '/state', text)).toMatchObject({ status: 204, body: null });
  expect(await stateText(other.origin)).toBe(text);
  expect(await other.control('PUT', '/state', text)).toMatchObject({ status: 204 });
  expect(await stateText(other.origin)).toBe(text);
});

test('any world survives export and import and continues identically', async () => {
  await fc.assert(
    fc.asyncProperty(anySequence, anySequence, async (before, after) => {
      const [one, other] = [before.sandbox(), before.sandbox()];
      await before.run(one);
      const { body } = await one.control('GET', '/state');
      expect((await other.control('PUT', '/state', body)).status).toBe(204);
      expect((await other.control('GET', '/state')).body).toEqual(body);
      await after.run(one);
      await after.run(other);
      expect((await other.control('GET', '/state')).body).toEqual((await one.control('GET', '/state')).body);
    }),
    { numRuns: 15 },
  );
}, 60_000);

test('an import drops the timers and deliveries of the previous world', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const empty = await stateText(sandbox.origin);
  await createSubmittedCardholder(sandbox);
  await control('PUT', '/state', empty);
  expect((await control('GET', '/clock')).body).toEqual({ now: START, mode: 'frozen', pendingTimers: 0 });
  await control('POST', '/clock/advance', { duration: '1h' });
  expect((await api('GET', '/partner/cardholders')).body.total).toBe(0);
  expect((await control('GET', '/requests')).body).toHaveLength(1);
});

test('a webhook attempt in flight is in the document as a due timer', async () => {
  let answer: (status: number) => void = () => undefined;
  const receiver = fakeReceiver(
    () =>
      new Promise<number>(resolve => {
        answer = resolve;
      }),
  );
  const sandbox = await startSandbox({}, { transport: receiver.transport });
  await subscribe(sandbox);
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await expect.poll(() => receiver.seen.length).toBe(1);
  const { body } = await sandbox.control('GET', '/state');
  expect(body.clock.timers).toMatchObject([
    { kind: 'delivery.attempt', ref: body.tables.deliveries[0].id, at: START },
  ]);
  await sandbox.control('PUT', '/state', body);
  await expect.poll(() => receiver.seen.length).toBe(2);
  answer(200);
  await sandbox.control('POST', '/deliveries/settle');
  const { body: deliveries } = await sandbox.control('GET', '/deliveries');
  expect(deliveries).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
});

test('a state can be larger than 1 MiB, while every other body is limited', async () => {
  const { api, control } = await startSandbox({ rateLimit: 0 });
  const { body } = await control('GET', '/state');
  const name = 'x'.repeat(2 * 1024 * 1024);
  body.tables.partners[0].name = name;
  expect((await control('PUT', '/state', body)).status).toBe(204);
  expect((await control('GET', '/partners')).body[0].name).toBe(name);
  expect((await control('POST', '/partners', { name })).status).toBe(400);
  expect((await api('POST', '/partner/cardholders', { name })).status).toBe(400);
});

test('a state of more than 64 MiB is refused with the limit before it is read', async () => {
  const { origin } = await startSandbox();
  const head = (bytes: number) =>
    `PUT /_sandbox/state HTTP/1.1\r\n${AUTHENTICATED}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  const { status, text } = await responseTo(origin, head(64 * 1024 * 1024 + 1));
  expect([status, JSON.parse(text).error]).toEqual([400, 'body: must be at most 67108864 bytes (64 MiB)']);
});

test('a request without the control token is refused before a large state is read', async () => {
  const { control } = await startSandbox({}, {}, { host: '0.0.0.0' });
  const large = JSON.stringify({ format: 'x'.repeat(2 * 1024 * 1024) });
  expect((await control('PUT', '/state', large)).status).toBe(401);
});
