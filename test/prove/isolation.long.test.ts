import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { startInProcess } from '../support/in-process.ts';
import { recordResult } from '../support/proof/proof-size.ts';
import { ALL_TYPES, fakeReceiver, SECRET } from '../support/receiver.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, START, startSandbox } from '../support/sandbox.ts';

const PARTNERS = [
  { id: 'partner_acme', key: ACME_KEY, program: 'prog_everyday' },
  { id: 'partner_globex', key: GLOBEX_KEY, program: 'prog_globex' },
] as const;
/** Lists of both partners, which must not be empty. */
const LISTS = ['cardholders', 'cards', 'card-programs', 'transactions', 'usage/records', 'webhooks/events'];

/** A sandbox in which both partners have records of every kind, the requests of their receivers, and its state. */
async function populated() {
  const { transport, seen } = fakeReceiver();
  const { send, control } = startInProcess({ fixtures: ['starter'] }, { transport });
  for (const { id, key, program } of PARTNERS) {
    const api = async (method: string, path: string, body?: unknown) =>
      (await send(key, method, path, body)).body;
    const webhookUrl = `https://hooks.example.com/${id}`;
    await api('PATCH', '/partner/webhooks/config', {
      webhookUrl,
      webhookSecret: SECRET,
      subscribedEvents: ALL_TYPES,
    });
    for (const number of [1, 2]) {
      // Both partners use the same external IDs, e-mail addresses and share tokens.
      const { id: holder } = await api('POST', '/partner/cardholders', {
        externalUserId: `twin_${number}`,
        email: `twin_${number}@example.com`,
        phoneNumber: '+4915123456789',
        kycSource: 'idp1',
        idp1ShareToken: `idp1_test_approve_twin_${number}`,
      });
      await api('POST', `/partner/cardholders/${holder}/kyc`, { cardProgramId: program });
      await control('POST', `/cardholders/${holder}/kyc/approve`);
      const card = await api('POST', '/partner/cards', { cardholderId: holder, cardProgramId: program });
      await api('POST', `/partner/cards/${card.id}/activate`);
      await control('POST', '/transactions', { cardId: card.id, amount: 12.5 });
      await control('POST', `/cards/${card.id}/3ds`, {});
      await api('POST', `/partner/cards/${card.id}/reveal-html`, {});
    }
    await api('POST', '/partner/kyc-sessions', {});
    await control('POST', '/balance/top-up', { amount: 5, partnerId: id });
  }
  await control('POST', '/deliveries/settle');
  const { body: state } = await control('GET', '/state');
  const idsOf = (partnerId: string): string[] =>
    Object.values<Json[]>(state.tables).flatMap(rows =>
      rows.filter(row => row.partnerId === partnerId).map(row => row.token ?? row.id),
    );
  return { send, control, seen, state, idsOf };
}

test('every operation with any ID of another partner returns 404 and changes nothing', async context => {
  const { send, control, state, idsOf } = await populated();
  const withId = operations.filter(({ plane, path }) => plane === 'partner' && path.includes('{'));
  let requests = 0;
  for (const [number, { key, program }] of PARTNERS.entries()) {
    const foreign = idsOf(PARTNERS[1 - number]?.id ?? '');
    expect(foreign.length).toBeGreaterThan(30);
    for (const { method, path } of withId) {
      for (const id of foreign) {
        const body = method === 'GET' ? undefined : { cardProgramId: program };
        const response = await send(key, method, path.replace(/\{\w+\}/, encodeURIComponent(id)), body);
        expect([method, path, id, response.status]).toEqual([method, path, id, 404]);
        requests += 1;
      }
    }
    const [own] = state.tables.cardholders.filter((row: Json) =>
      idsOf(PARTNERS[number]?.id ?? '').includes(row.id),
    );
    for (const id of foreign) {
      const responses = [
        await send(key, 'POST', '/partner/cards', { cardholderId: id, cardProgramId: program }),
        await send(key, 'POST', '/partner/cards', { cardholderId: own.id, cardProgramId: id }),
        await send(key, 'POST', `/partner/cardholders/${own.id}/kyc`, { cardProgramId: id }),
        await send(key, 'POST', '/partner/cardholders', {
          externalUserId: 'thief',
          email: 'thief@example.com',
          phoneNumber: '+4915123456789',
          kycSource: 'web',
          kycSessionId: id,
        }),
      ];
      expect([id, ...responses.map(({ status }) => status)]).toEqual([id, 404, 404, 404, 404]);
      requests += responses.length;
    }
  }
  const { body: after } = await control('GET', '/state');
  expect(after.tables).toEqual(state.tables);
  recordResult(context, `${requests} requests, ${requests} responses with 404`);
});

test('totals, filters and lists of two partners do not overlap', async context => {
  const { send, state, idsOf } = await populated();
  let lists = 0;
  for (const list of LISTS) {
    const responses = await Promise.all(
      PARTNERS.map(({ key }) => send(key, 'GET', `/partner/${list}?limit=100`)),
    );
    responses.forEach(({ body }, number) => {
      const own = idsOf(PARTNERS[number]?.id ?? '');
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.total).toBe(body.data.length);
      expect(body.data.filter(({ id }: Json) => !own.includes(id))).toEqual([]);
    });
    lists += 2;
  }
  const [acme, globex] = PARTNERS;
  const card = state.tables.cards.find((row: Json) => row.partnerId === globex.id);
  const holder = state.tables.cardholders.find(
    (row: Json) => row.partnerId === globex.id && !row.externalUserId.startsWith('twin'),
  );
  for (const query of [
    `cards?cardholderId=${card.cardholderId}`,
    `transactions?cardId=${card.id}`,
    ...(holder === undefined
      ? []
      : [`cardholders?email=${holder.email}`, `cardholders?externalUserId=${holder.externalUserId}`]),
  ]) {
    expect((await send(acme.key, 'GET', `/partner/${query}`)).body).toMatchObject({ total: 0, data: [] });
    lists += 1;
  }
  recordResult(context, `${lists} lists`);
});

test('each event goes to the receiver of its own partner and is about a record of that partner', async context => {
  const { seen, state, idsOf } = await populated();
  for (const { id } of PARTNERS) {
    const own = new Set([...idsOf(id), ...state.tables.challenges.map((row: Json) => row.id)]);
    const foreign = idsOf(PARTNERS.find(each => each.id !== id)?.id ?? '').filter(each => !own.has(each));
    const sent = seen.filter(({ url }) => url.endsWith(id));
    expect(sent.length).toBeGreaterThan(8);
    for (const { body } of sent) expect(foreign.filter(each => body.includes(`"${each}"`))).toEqual([]);
  }
  recordResult(context, `${seen.length} requests to receivers`);
});

test('a partner can neither exhaust the rate limit nor use the reveal links of another', async context => {
  const sandbox = await startSandbox({ fixtures: ['starter'], rateLimit: 20, clock: START });
  const { api, globex, control, origin } = sandbox;
  for (let request = 0; request < 20; request++)
    expect((await api('GET', '/partner/balance')).status).toBe(200);
  expect((await api('GET', '/partner/balance')).status).toBe(429);
  expect((await globex('GET', '/partner/balance')).headers.get('x-ratelimit-remaining')).toBe('19');
  await control('POST', '/clock/advance', { duration: '60s' });
  const reveal = async (send: typeof globex) => {
    const { data } = (await send('GET', '/partner/cards?status=active')).body;
    return new URL((await send('POST', `/partner/cards/${data[0].id}/reveal-html`, {})).body.accessUrl);
  };
  const [own, other] = [await reveal(api), await reveal(globex)];
  const swapped = new URL(own.pathname + other.search, origin);
  expect((await fetch(swapped)).status).toBe(403);
  expect((await fetch(own)).status).toBe(200);
  expect((await fetch(other)).status).toBe(200);
  recordResult(context, '429 for one partner, 19 requests left for the other; a swapped link returns 403');
});
