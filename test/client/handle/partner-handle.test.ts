import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, type Sandbox, startServer } from '../../../src/index.ts';
import { GLOBEX_KEY, START } from '../../support/sandbox.ts';

const OPTIONS = { fixtures: ['starter'], clock: START, freeze: true } as const;
const GLOBEX = 'partner_globex';

/** A sandbox of an entry point, stopped after the test. */
async function started(entry: string): Promise<Sandbox> {
  const served = entry === 'createSandbox' ? createSandbox(OPTIONS) : await startServer(OPTIONS);
  onTestFinished(() => served.close());
  if (entry === 'worlds.create') return served.worlds.create();
  return entry === 'connect' ? await connect({ url: served.url }) : served;
}

describe.each(['createSandbox', 'startServer', 'connect', 'worlds.create'])('with %s', entry => {
  test.each([
    ['reset', ({ reset }: Sandbox) => reset()],
    ['rewind', ({ history }: Sandbox) => history.rewind({ writes: 1 })],
  ])('the handle has the key that is valid after a rotation and a %s', async (_, goBack) => {
    const sandbox = await started(entry);
    const before = sandbox.apiKey;
    await sandbox.partners.rotateKey('partner_acme');
    expect(sandbox.apiKey).not.toBe(before);
    await sandbox.api.cards.list();
    await goBack(sandbox);
    expect(sandbox.apiKey).toBe(before);
    expect(sandbox.as('partner_acme').apiKey).toBe(before);
    await sandbox.api.cards.list();
  });

  test('the handle has the key of the checkpoint that is restored, and of the state that is loaded', async () => {
    const sandbox = await started(entry);
    const before = sandbox.apiKey;
    const [checkpoint, state] = [await sandbox.checkpoint(), await sandbox.state.export()];
    await sandbox.partners.rotateKey('partner_acme');
    await checkpoint.restore();
    expect(sandbox.apiKey).toBe(before);
    await sandbox.partners.rotateKey('partner_acme');
    await sandbox.state.import(state);
    expect(sandbox.apiKey).toBe(before);
    await sandbox.api.cards.list();
  });
});

describe.each(['createSandbox', 'startServer', 'connect'])('with %s', entry => {
  test('a handle of one partner has its key, its records and its balance', async () => {
    const sandbox = await started(entry);
    const globex = sandbox.as(GLOBEX);
    expect(globex).toMatchObject({ partnerId: GLOBEX, apiKey: GLOBEX_KEY, baseUrl: sandbox.baseUrl });
    expect((await globex.api.cardholders.list()).data).toMatchObject([{ id: 'ch_gus_globex' }]);
    const before = await sandbox.api.balance.get();
    const { available } = await globex.api.balance.get();
    await globex.simulate.topUp({ amount: 5 });
    expect((await globex.api.balance.get()).available).toBe(available + 5);
    expect(await sandbox.api.balance.get()).toEqual(before);
  });

  test('a partner that was just created has a handle at once', async () => {
    const sandbox = await started(entry);
    const partner = await sandbox.partners.create({ name: 'Worker 3' });
    const worker = sandbox.as(partner);
    expect(worker.apiKey).toBe(partner.apiKey);
    expect(await worker.api.cards.list()).toMatchObject({ total: 0 });
    const byId = sandbox.as(partner.id);
    await byId.ready;
    expect(byId.apiKey).toBe(partner.apiKey);
  });

  test('webhooks are configured, listed and expected for the partner alone', async () => {
    const sandbox = await started(entry);
    const globex = sandbox.as(GLOBEX);
    await globex.webhooks.configure({ subscribedEvents: ['balance.top_up'] });
    expect(await globex.webhooks.config()).toMatchObject({ subscribedEvents: ['balance.top_up'] });
    expect(await sandbox.webhooks.config('partner_acme')).not.toMatchObject({
      subscribedEvents: ['balance.top_up'],
    });
    await globex.simulate.topUp({ amount: 5 });
    const acme = sandbox.as('partner_acme');
    await acme.webhooks.expectNone({ eventType: 'balance.top_up' });
    expect(await acme.webhooks.list({ eventType: 'balance.top_up' })).toEqual([]);
    expect(await globex.webhooks.wait({ eventType: 'balance.top_up', timeoutMs: 60_000 })).toMatchObject({
      partnerId: GLOBEX,
    });
    await expect(globex.webhooks.expectNone()).rejects.toThrow('balance.top_up');
  });

  test('a token minted for a partner is refused to another', async () => {
    const sandbox = await started(entry);
    const { token } = await sandbox.as(GLOBEX).mintShareToken();
    const person = { externalUserId: 'u', email: 'u@example.com', phoneNumber: '+4915123456789' };
    const body = { ...person, kycSource: 'idp1', idp1ShareToken: token } as const;
    await expect(sandbox.api.cardholders.create(body)).rejects.toMatchObject({ status: 400 });
    expect(await sandbox.as(GLOBEX).api.cardholders.create(body)).toMatchObject({ externalUserId: 'u' });
  });

  test('an unknown partner is refused by every call, and by ready', async () => {
    const nobody = (await started(entry)).as('partner_nobody');
    const refused = { status: 404, message: expect.stringContaining('no partner with id "partner_nobody"') };
    await expect(nobody.ready).rejects.toMatchObject(refused);
    await expect(nobody.api.cards.list()).rejects.toMatchObject(refused);
    await expect(nobody.webhooks.config()).rejects.toMatchObject(refused);
    expect(() => nobody.apiKey).toThrow('the API key of "partner_nobody" is not known');
  });
});

test('a partner that is named in a call wins over that of the handle', async () => {
  const sandbox = await started('createSandbox');
  const globex = sandbox.as(GLOBEX);
  const { available } = await sandbox.api.balance.get();
  await globex.simulate.topUp({ amount: 5, partnerId: 'partner_acme' });
  expect((await sandbox.api.balance.get()).available).toBe(available + 5);
});

test('as() refuses what is not a partner in words', async () => {
  const sandbox = await started('createSandbox');
  // JavaScript may pass anything.
  const wrong = { name: 'Acme' } as unknown as string;
  expect(() => sandbox.as(wrong)).toThrow(
    'as: must get the id of a partner, or what partners.create() returns',
  );
});
