import { expect, test } from 'vitest';
import { type Json, newCardholder, type Reply, startSandbox } from '../../support/sandbox.ts';
import { newWorld, type TestWorld } from '../../support/worlds.ts';

async function hintsOf({ control }: Pick<TestWorld, 'control'>, { headers }: Reply): Promise<string[]> {
  return (await control('GET', `/requests/${headers.get('x-sandbox-request')}`)).body.hints;
}

test('the journal says which other world has the record that a request names; the response does not', async () => {
  const sandbox = await startSandbox();
  const [a, b] = [
    await newWorld(sandbox, { id: 'a', seed: 1 }),
    await newWorld(sandbox, { id: 'b', seed: 2 }),
  ];
  const { id } = (await a.api('POST', '/partner/cardholders', newCardholder())).body;
  for (const [name, other] of [
    ['b', b],
    ['main', sandbox],
  ] as const) {
    const read = await other.api('GET', `/partner/cardholders/${id}`);
    expect(read).toMatchObject({ status: 404, body: { error: `no cardholder with id "${id}"` } });
    expect(await hintsOf(other, read)).toEqual([
      `cardholder ${id} belongs to world a; the request has a key of world ${name}`,
    ]);
    const filtered = await other.api('GET', `/partner/cards?cardholderId=${id}`);
    expect(filtered.body.total).toBe(0);
    expect((await hintsOf(other, filtered)).join()).toMatch(
      /^query\.cardholderId is the id of a cardholder that belongs to world a, and the request has a key of another/,
    );
    const inBody = await other.api('POST', '/partner/cards', { cardholderId: id, cardProgramId: 'prog_x' });
    expect(inBody.status).toBe(404);
    expect(await hintsOf(other, inBody)).toEqual([
      `cardholder ${id} belongs to world a; the request has a key of world ${name}`,
    ]);
  }
  expect(await hintsOf(b, await b.api('GET', '/partner/cardholders/ch_nobody'))).toEqual([]);
});

test('the journal says which other world minted a share token', async () => {
  const sandbox = await startSandbox();
  const [a, b] = [
    await newWorld(sandbox, { id: 'a', seed: 1 }),
    await newWorld(sandbox, { id: 'b', seed: 2 }),
  ];
  const { body: partner } = await a.control('POST', '/partners', {});
  for (const partnerId of ['partner_acme', partner.id]) {
    const { token } = (await a.control('POST', '/share-tokens', { partnerId })).body as Json;
    const refused = await b.api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: token }));
    expect(refused.status).toBe(400);
    expect(refused.body.error).not.toMatch(/world a/);
    expect(await hintsOf(b, refused)).toEqual([
      'body.idp1ShareToken: the share token belongs to world a; the request has a key of world b',
    ]);
  }
});

test('a record of another partner of the same world is named before one of another world', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { api, control, keys } = await newWorld(sandbox, { id: 'a' });
  const [, globex = ''] = keys;
  const read = await sandbox.api('GET', '/partner/cards/card_mia_active', undefined, {
    'x-service-api-key': globex,
  });
  expect(read.status).toBe(404);
  expect(await hintsOf({ control }, read)).toEqual([
    'card card_mia_active belongs to partner_acme; the request has the key of another partner',
  ]);
  expect((await api('GET', '/partner/cards/card_mia_active')).status).toBe(200);
});
