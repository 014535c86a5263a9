import { expect, test } from 'vitest';
import { createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

test('a checkpoint brings the world back as it was, any number of times', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { api, control } = sandbox;
  await createSubmittedCardholder(sandbox);
  const { status, body } = await control('POST', '/checkpoints/submitted');
  const before = (await control('GET', '/state')).body;
  const counts: number[] = Object.values(before.counts);
  const records = counts.reduce((sum, count) => sum + count, 0);
  expect({ status, body }).toEqual({ status: 201, body: { name: 'submitted', createdAt: START, records } });
  for (let round = 0; round < 3; round++) {
    await control('POST', '/clock/advance', { duration: '1h' });
    await createCardholder(sandbox);
    await api('POST', '/partner/cards/card_mia_active/freeze');
    expect((await control('GET', '/state')).body).not.toEqual(before);
    expect(await control('POST', '/checkpoints/submitted/restore')).toMatchObject({
      status: 204,
      body: null,
    });
    expect((await control('GET', '/state')).body).toEqual(before);
  }
  await control('POST', '/clock/advance', { duration: '2s' });
  expect((await api('GET', '/partner/cardholders')).body.data[0].kycStatus).toBe('approved');
});

test('changes after a checkpoint was saved or restored do not alter it', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const first = await createCardholder(sandbox);
  await control('POST', '/checkpoints/one');
  await createCardholder(sandbox);
  await control('POST', '/checkpoints/two');
  await control('POST', '/checkpoints/one/restore');
  await createCardholder(sandbox);
  await control('POST', `/cardholders/${first}/status`, { status: 'suspended' });
  const total = async () => (await api('GET', '/partner/cardholders')).body.total;
  const status = async () => (await api('GET', `/partner/cardholders/${first}`)).body.status;
  expect([await total(), await status()]).toEqual([2, 'suspended']);
  await control('POST', '/checkpoints/one/restore');
  expect([await total(), await status()]).toEqual([1, 'active']);
  await control('POST', '/checkpoints/two/restore');
  expect([await total(), await status()]).toEqual([2, 'active']);
});

test('checkpoints are listed, survive a reset and an import, and can be replaced and deleted', async () => {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  expect((await control('GET', '/checkpoints')).body).toEqual([]);
  const { body: empty } = await control('GET', '/state');
  await control('POST', '/checkpoints/a');
  await control('POST', '/checkpoints/b%20c');
  const names = async () =>
    (await control('GET', '/checkpoints')).body.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['a', 'b c']);
  await control('POST', '/reset');
  await control('PUT', '/state', empty);
  expect(await names()).toEqual(['a', 'b c']);
  await createCardholder(sandbox);
  const replaced = await control('POST', '/checkpoints/a');
  expect((await control('GET', '/checkpoints')).body[0]).toEqual(replaced.body);
  await control('POST', '/reset');
  await control('POST', '/checkpoints/a/restore');
  expect((await control('GET', '/state')).body.counts.cardholders).toBe(1);
  expect(await control('DELETE', '/checkpoints/a')).toMatchObject({ status: 204, body: null });
  expect(await names()).toEqual(['b c']);
});

test('an unknown checkpoint is a 404 that names the known ones', async () => {
  const { control } = await startSandbox();
  const none = await control('POST', '/checkpoints/before/restore');
  expect(none).toMatchObject({
    status: 404,
    body: { error: 'no checkpoint "before"; none is saved, and none is kept when the sandbox starts again' },
  });
  await control('POST', '/checkpoints/before');
  for (const [method, path] of [
    ['POST', '/checkpoints/befor/restore'],
    ['DELETE', '/checkpoints/befor'],
  ] as const) {
    const reply = await control(method, path);
    expect(reply).toMatchObject({
      status: 404,
      body: { error: 'no checkpoint "befor", did you mean "before"?' },
    });
  }
  const other = await control('DELETE', '/checkpoints/something-else');
  expect(other.body.error).toBe('no checkpoint "something-else"; known are "before"');
});

test('a restore drops the timers of the previous world and clears journal and rate-limit windows', async () => {
  const sandbox = await startSandbox({ rateLimit: 3 });
  const { api, control } = sandbox;
  await control('POST', '/checkpoints/empty');
  await createSubmittedCardholder(sandbox);
  await control('POST', '/checkpoints/empty/restore');
  expect((await control('GET', '/requests')).body).toEqual([]);
  expect((await control('GET', '/clock')).body.pendingTimers).toBe(0);
  await control('POST', '/clock/advance', { duration: '1m' });
  const list = await api('GET', '/partner/cardholders');
  expect(list.body.total).toBe(0);
  expect(list.headers.get('x-ratelimit-remaining')).toBe('2');
});

test('a sandbox keeps 100 checkpoints: one more is a 400 that says how to delete one', async () => {
  const { api, control } = await startSandbox();
  // The checkpoint that it saves does not count.
  await api('GET', '/partner/cards');
  await control('POST', '/rewind', { steps: 1 });
  for (let count = 0; count < 100; count++) await control('POST', `/checkpoints/each-${count}`);
  const refused = await control('POST', '/checkpoints/one-more');
  expect([refused.status, refused.body.error]).toEqual([
    400,
    expect.stringMatching(/100 checkpoints already.*DELETE \/_sandbox\/checkpoints\/each-0,/),
  ]);
  expect((await control('POST', '/checkpoints/each-7')).status).toBe(201);
  expect((await control('DELETE', '/checkpoints/each-0')).status).toBe(204);
  expect((await control('POST', '/checkpoints/one-more')).status).toBe(201);
  expect((await control('GET', '/checkpoints')).body).toHaveLength(101);
});
