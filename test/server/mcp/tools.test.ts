import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../../src/sandbox/operations.ts';
import { NOT_SERVED, toolOf } from '../../../src/server/mcp/tools.ts';
import { connectHere } from './mcp-client.ts';

test('there are at most 10 tools, and their list is smaller than 12 kB', async () => {
  const { sdk } = await connectHere();
  const list = await sdk.listTools();
  expect(list.tools.map(({ name }) => name)).toEqual([
    ...['find_operations', 'call_api', 'world', 'time', 'people', 'what_happened', 'deliveries', 'faults'],
    ...['worlds', 'play_scenario'],
  ]);
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(12_000);
});

test('each tool says for every action with arguments which it takes', async () => {
  const { sdk } = await connectHere();
  let signatures = 0;
  for (const { name, inputSchema } of (await sdk.listTools()).tools) {
    const action = inputSchema.properties?.action as { enum?: string[]; description?: string } | undefined;
    for (const id of action?.enum ?? []) {
      const operation = operations.find(each => each.id === id);
      const body = operation?.body as { shape?: object } | undefined;
      if (!operation?.path.includes('{') && Object.keys(body?.shape ?? {}).length === 0) continue;
      signatures += 1;
      expect(action?.description, `${name} ${id}`).toContain(`${id}(`);
    }
  }
  expect(signatures).toBeGreaterThan(20);
});

test('every operation has a tool, except for those that none is to serve', () => {
  const unserved = operations.filter(each => toolOf(each) === null).map(({ id }) => id);
  const isDecided = (id: string) => NOT_SERVED.some(each => `${id}.`.startsWith(`${each}.`));
  expect(unserved).toContain('history.export');
  expect(unserved.filter(id => !isDecided(id))).toEqual([]);
});

test('an agent finds an operation, calls it, and sees what happened', async () => {
  const { call } = await connectHere();
  const found = await call('find_operations', { search: 'issue card' });
  expect(found.json).toContainEqual({
    id: 'cards.issue',
    call: 'call_api POST /v1/partner/cards',
    summary: 'Issue a card',
  });
  // Each has both words.
  expect(found.json).not.toContainEqual(expect.objectContaining({ id: 'cards.freeze' }));
  const { json: person } = await call('people', { action: 'cardholders.addApproved' });
  const { json: card } = await call('world', { action: 'cards.issueActive', cardholderId: person.id });
  const frozen = await call('call_api', { method: 'POST', path: `/v1/partner/cards/${card.id}/freeze` });
  expect(frozen.json).toMatchObject({ status: 200, body: { id: card.id, status: 'frozen' } });
  const { json: requests } = await call('what_happened', {
    action: 'requests.list',
    operation: 'cards.freeze',
  });
  expect(requests).toMatchObject([{ id: frozen.json.request, status: 200 }]);
});

test('an action takes values of path, query and body alike', async () => {
  const { call } = await connectHere();
  const { json: clock } = await call('time', { action: 'clock.advance', duration: '24h' });
  expect(clock).toMatchObject({ now: '2026-03-16T10:00:00.000Z', mode: 'frozen' });
  const { json: history } = await call('what_happened', { action: 'history.list', limit: 1 });
  expect(history).toMatchObject([{ path: '/_sandbox/clock/advance' }]);
  const { json: settings } = await call('worlds', {
    action: 'partners.updateSettings',
    id: 'partner_acme',
    lowThreshold: 7,
  });
  expect(settings).toMatchObject({ lowThreshold: 7 });
});

test('null stands for a value that is left out of a query, and is itself in a body', async () => {
  const { call } = await connectHere();
  const { json: history } = await call('what_happened', { action: 'history.list', limit: null });
  expect(history).toBeInstanceOf(Array);
  const list = { method: 'GET', path: '/v1/partner/cards', query: { status: null, limit: 1 } };
  expect((await call('call_api', list)).json).toMatchObject({ status: 200, body: { limit: 1 } });
  const url = 'http://127.0.0.1:9/';
  await call('deliveries', { action: 'forwarding.set', url });
  const { json: forwarding } = await call('deliveries', { action: 'forwarding.set', url: null });
  expect(forwarding).toMatchObject({ url: null });
});

test('a client ends no world that another one has created under an id that it had removed', async () => {
  const { call, sandbox, close } = await connectHere();
  await call('worlds', { action: 'worlds.create', id: 'blue' });
  await call('worlds', { action: 'worlds.remove', world: 'blue' });
  await sandbox.control({ method: 'POST', path: '/worlds', body: { id: 'blue' } });
  await close();
  expect((await sandbox.inWorld('blue').info()).partners).not.toEqual([]);
});

test('an operation without a response body answers that it is done', async () => {
  const { call } = await connectHere();
  expect((await call('world', { action: 'reset' })).json).toEqual({ done: 'reset' });
});

test('the API is called with the key of the partner that is named, and with headers', async () => {
  const { call } = await connectHere();
  const path = '/v1/partner/cardholders';
  const { json: globex } = await call('call_api', { method: 'get', path, partnerId: 'partner_globex' });
  const { json: acme } = await call('call_api', { method: 'GET', path, query: { limit: 1 } });
  expect(globex.body.total).not.toBe(acme.body.total);
  expect(acme.body.limit).toBe(1);
  const faulty = await call('call_api', {
    method: 'GET',
    path,
    headers: { 'x-sandbox-fault': 'status=503' },
  });
  expect(faulty).toMatchObject({ isError: true, json: { status: 503 } });
});

test('the query of a path is sent as it is, so that the API refuses what an app would be refused', async () => {
  const { call } = await connectHere();
  const refusal = async (path: string, query = {}) => {
    const { isError, json } = await call('call_api', { method: 'GET', path, query });
    return isError ? json.message : json.body.limit;
  };
  const path = '/v1/partner/cardholders';
  expect(await refusal(`${path}?limit=3&status=active`)).toBe(3);
  expect(await refusal(`${path}?status=active`, { limit: 3 })).toBe(3);
  const repeated = 'query.limit: must be given once, is repeated';
  expect(await refusal(`${path}?limit=1&limit=2`)).toBe(repeated);
  expect(await refusal(`${path}?limit=1`, { limit: 2 })).toBe(repeated);
  expect(await refusal(`${path}?limit=1?limit=2`)).toMatch(/^query\.limit: must be /);
});

test('a client changes to another world, which ends with the client', async () => {
  const { call } = await connectHere();
  await call('worlds', { action: 'worlds.create', id: 'blue' });
  const used = await call('worlds', { action: 'worlds.use', world: 'blue' });
  expect(used.json).toMatchObject({ world: 'blue', partners: [{ id: 'partner_acme' }, {}] });
  await call('time', { action: 'clock.advance', duration: '1h' });
  expect((await call('time', { action: 'clock.get' })).json.now).toBe('2026-03-15T11:00:00.000Z');
  expect((await call('call_api', { method: 'GET', path: '/v1/partner/balance' })).isError).toBe(false);
  await call('worlds', { action: 'worlds.use', world: 'main' });
  expect((await call('time', { action: 'clock.get' })).json.now).toBe('2026-03-15T10:00:00.000Z');
  const unknown = await call('worlds', { action: 'worlds.use', world: 'bleu' });
  expect(unknown).toMatchObject({
    isError: true,
    json: { message: expect.stringContaining('did you mean "blue"') },
  });
});

test('a scenario is played forward and back', async () => {
  const { call } = await connectHere();
  const { json: stories } = await call('play_scenario', { action: 'stories.list' });
  expect(stories.map(({ id }: { id: string }) => id)).toContain('card-lifecycle');
  const played = await call('play_scenario', { action: 'stories.play', story: 'card-lifecycle', to: 2 });
  expect(played.isError).toBe(false);
  expect(played.texts.join('')).toContain('"status":"passed"');
});

test('docs/mcp.md lists the tools', async () => {
  const { sdk } = await connectHere();
  const { tools } = await sdk.listTools();
  const text = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('## Tools');
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(tools.map(({ name }) => name));
});
