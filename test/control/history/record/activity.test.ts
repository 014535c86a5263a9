import { expect, test } from 'vitest';
import { activityOf, isRefused, isUndelivered } from '../../../../src/control/history/record/activity.ts';
import { readRecord } from '../../../../src/control/history/record/read.ts';
import { startInProcess } from '../../../support/in-process.ts';
import { fakeReceiver, subscribe } from '../../../support/receiver.ts';
import { temporaryRecords } from '../../../support/record-folder.ts';

/** A sandbox whose receiver responds with `receiver.status`, and what its record says. */
function recorded() {
  const { records, file } = temporaryRecords();
  const receiver = { status: 200 };
  const { transport } = fakeReceiver(() => receiver.status);
  const { api, control } = startInProcess({}, { records, transport });
  return {
    ...{ api, control, receiver },
    /** Tops up the balance, and ends the webhooks of it. */
    async topUp() {
      await subscribe({ api }, ['balance.top_up']);
      await control('POST', '/balance/top-up', { amount: 1 });
      await control('POST', '/deliveries/settle', {});
    },
    webhookFault: async (kind: string) =>
      (await control('POST', '/webhook-faults', { kind, times: 1 })).body.id,
    fault: (path: string) => control('POST', '/faults', { path, status: 503, times: 1 }),
    async read() {
      records.finish();
      const activity = activityOf('main', await readRecord(file));
      const { calls, deliveries, unstruck } = activity;
      return {
        refused: calls.filter(isRefused).map(({ path }) => path),
        undelivered: deliveries.filter(isUndelivered).length,
        delivered: deliveries.filter(each => !isUndelivered(each)).length,
        unstruck: unstruck.map(({ id, entry }) => JSON.parse(entry.body ?? '').path ?? id),
      };
    },
  };
}

type Recorded = ReturnType<typeof recorded>;

/** The ways in which a world goes back to its beginning, after a first call that changes nothing. */
const RETURNS: readonly [string, (sandbox: Recorded) => Promise<() => Promise<unknown>>][] = [
  [
    'a reset',
    async ({ control }) =>
      () =>
        control('POST', '/reset'),
  ],
  [
    'a restore',
    async ({ control }) => {
      await control('POST', '/checkpoints/a');
      return () => control('POST', '/checkpoints/a/restore');
    },
  ],
  [
    'a loaded state',
    async ({ control }) => {
      const { body } = await control('GET', '/state');
      return () => control('PUT', '/state', body);
    },
  ],
  [
    'a rewind',
    async ({ api, control }) => {
      api('GET', '/partner/balance');
      return () => control('POST', '/rewind', { to: 'ent_1' });
    },
  ],
];

test.each(RETURNS)(
  '%s begins other webhooks and faults, though they have the same ids',
  async (_, prepare) => {
    const sandbox = recorded();
    const { api, receiver, topUp, fault, read } = sandbox;
    const goBack = await prepare(sandbox);
    receiver.status = 500;
    await topUp();
    await fault('/partner/cards');
    await goBack();
    receiver.status = 200;
    await topUp();
    await fault('/partner/balance');
    expect(api('GET', '/partner/balance').status).toBe(503);
    await goBack();
    await fault('/partner/cardholders');
    expect(await read()).toMatchObject({
      undelivered: 1,
      delivered: 1,
      unstruck: ['/partner/cards', '/partner/cardholders'],
    });
  },
);

test('a fault that a rewind or a restore keeps has struck where it strikes after it', async () => {
  const { api, control, fault, read } = recorded();
  await fault('/partner/balance');
  await control('POST', '/checkpoints/a');
  api('GET', '/partner/cardholders');
  await control('POST', '/rewind', { steps: 1 });
  await control('POST', '/checkpoints/a/restore');
  expect(api('GET', '/partner/balance').status).toBe(503);
  expect((await read()).unstruck).toEqual([]);
});

test('a webhook that follows the deletion of a fault was struck by the next one of its kind', async () => {
  const { control, webhookFault, topUp, read } = recorded();
  const [deleted, cleared] = [await webhookFault('drop'), await webhookFault('drop')];
  await control('DELETE', `/faults/${deleted}`);
  await control('DELETE', '/webhook-faults?partnerId=partner_acme');
  await control('DELETE', '/webhook-faults');
  const kept = await webhookFault('drop');
  await control('DELETE', '/webhook-faults');
  await control('POST', '/rewind', { steps: 1 });
  await topUp();
  expect((await read()).unstruck).toEqual([deleted, cleared]);
  expect(kept).not.toBe(cleared);
});

test('what was refused counts, though a rewind has undone it', async () => {
  const { api, control, read } = recorded();
  api('GET', '/partner/balance');
  api('GET', '/partner/cards/none');
  await control('POST', '/rewind', { steps: 1 });
  expect((await read()).refused).toEqual(['/v1/partner/cards/none']);
});
