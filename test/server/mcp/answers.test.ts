import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../support/at-file-end.ts';
import { connectHere, type McpClient } from './mcp-client.ts';

/** For calls that change nothing. */
let shared: McpClient;
const atEnd = atFileEnd();
beforeAll(async () => {
  shared = await connectHere(atEnd);
});

test('a long answer is cut after 20,000 characters, which is said', async () => {
  const { call } = await connectHere();
  const body = { note: 'x'.repeat(15_000) };
  for (const path of ['/v1/partner/kyc-sessions', '/v1/partner/cards'])
    await call('call_api', { method: 'POST', path, body });
  const { texts } = await call('what_happened', { action: 'requests.list' });
  expect(texts[0]).toHaveLength(20_000);
  expect(texts[1]).toMatch(/^The answer is cut: it has \d+ characters\. Ask for less/);
});

const MALFORMED: [tool: string, args: Record<string, unknown>, message: RegExp, hint: RegExp][] = [
  ['tme', {}, /^no tool "tme", did you mean "time"\?$/, /^the tools are find_operations, /],
  ['time', {}, /"action" of time is missing/, /the actions of time are clock\.get, /],
  [
    'time',
    { action: 'advance' },
    /no action "advance", did you mean "clock\.advance"\?/,
    /the actions of time are /,
  ],
  ['time', { action: 'clock.advanse' }, /did you mean "clock\.advance"\?/, /the actions/],
  ['time', { action: 7 }, /action: must be a text, but is 7/, /as a string/],
  [
    'time',
    { action: 'clock.advance', durration: '1h' },
    /no argument "durration", did you mean "duration"/,
    /takes duration/,
  ],
  ['time', { action: 'clock.advance' }, /"duration" of clock\.advance is missing/, /takes duration/],
  ['time', { action: 'clock.advance', duration: 'soon' }, /body\.duration: must be a duration such as/, /\w/],
  ['people', { action: 'cardholders.details', id: 'ch_none' }, /no cardholder with id "ch_none"/, /\w/],
  ['faults', { action: 'faults.arm', path: '/partner/card', status: 500 }, /path/, /\w/],
  ['call_api', { path: '/v1/partner/cards' }, /"method" of call_api is missing/, /takes method, path/],
  ['call_api', { method: 'GTE', path: '/v1/partner/cards' }, /did you mean "GET"/, /pass one of/],
  ['call_api', { method: 'GET', path: 'https://a.test/v1' }, /must be a path of the API/, /find_operations/],
  ['call_api', { method: 'GET', path: '/_sandbox/clock' }, /is of the control plane/, /find_operations/],
  [
    'call_api',
    { method: 'GET', path: '/v1/partner/cards', query: 'page=1' },
    /query: must be an object/,
    /"name"/,
  ],
  ['call_api', { method: 'GET', path: '/v1/partner/card' }, /did you mean GET \/partner\/cards/, /\w/],
  [
    'call_api',
    { method: 'GET', path: '/v1/partner/cards', partnerId: 'acme' },
    /no partner with id "acme"/,
    /partner_acme/,
  ],
  ['call_api', { method: 'POST', path: '/v1/partner/cards', body: '{' }, /body/, /\w/],
  ['find_operations', { operation: 'cards.isue' }, /did you mean "cards\.issue"/, /lists the ids/],
  ['find_operations', { search: 'bitcoin' }, /no operation matches "bitcoin"/, /fewer or other words/],
  ['worlds', { action: 'worlds.remove', world: 'main' }, /main/, /\w/],
  ['worlds', { action: 'worlds.use' }, /"world" of worlds\.use is missing/, /takes world/],
  [
    'worlds',
    { action: 'worlds.use', wrold: 'main' },
    /no argument "wrold", did you mean "world"/,
    /takes world/,
  ],
];

test.each(MALFORMED)('%s %j is refused in words', async (tool, args, message, hint) => {
  const { call } = shared;
  const answer = await call(tool, args);
  expect(answer.isError).toBe(true);
  expect(answer.json.message).toMatch(message);
  expect(answer.json.hint).toMatch(hint);
  expect(answer.texts.join('')).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
});

test('a refusal of the API names its rule, and the hints of the journal', async () => {
  const { call } = await connectHere();
  const { json: person } = await call('people', { action: 'cardholders.details', id: 'ch_noah_pending' });
  const refused = await call('call_api', {
    method: 'POST',
    path: '/partner/cards',
    body: { cardholderId: person.id ?? 'ch_none', cardProgramId: 'prog_travel', nameOncard: 'X' },
  });
  expect(refused).toMatchObject({
    isError: true,
    json: {
      message: expect.stringMatching(/\w/),
      hint: expect.stringContaining('nameOnCard'),
      rule: { fidelity: 'assumed' },
      request: expect.stringMatching(/^req_/),
    },
  });
});

test.each(['/v1/../_sandbox/state', '/v1/%2e%2e/_sandbox/state', '/v1/.\t./_sandbox/state'])(
  'call_api refuses %j, which is no path of the API',
  async path => {
    const { isError, json } = await shared.call('call_api', { method: 'GET', path });
    expect(isError).toBe(true);
    expect(json.message).toContain('leads to /_sandbox/state; write one below /v1');
  },
);

test('call_api names what the API ignored', async () => {
  const path = '/v1/partner/cards?stauts=active';
  const { json } = await shared.call('call_api', { method: 'GET', path });
  expect(json).toMatchObject({ status: 200, hints: [expect.stringContaining('query.stauts is unknown')] });
  const plain = await shared.call('call_api', { method: 'GET', path: '/v1/partner/cards' });
  expect(plain.json).not.toHaveProperty('hints');
});

test('a record that does not exist is refused with where to find those that do', async () => {
  const { json: card } = await shared.call('call_api', { method: 'GET', path: '/v1/partner/cards/card_x' });
  expect(card.hint).toMatch(/^the lists of the API have the ids that exist/);
  const { json: delivery } = await shared.call('deliveries', { action: 'deliveries.get', id: 'evt_x' });
  expect(delivery.hint).toMatch(/^the lists have the ids that exist/);
});

test('a world that has ended is refused with how to change to another one', async () => {
  const { call } = await connectHere();
  await call('worlds', { action: 'worlds.create', id: 'blue' });
  await call('worlds', { action: 'worlds.use', world: 'blue' });
  await call('worlds', { action: 'worlds.remove', world: 'blue' });
  const { json } = await call('call_api', { method: 'GET', path: '/v1/partner/cards' });
  expect(json).toMatchObject({ message: expect.stringMatching(/^no world "blue"/), status: 404 });
  expect(json.hint).toMatch(/^worlds worlds\.use changes to a world that exists/);
});

test.each([
  ['/v1/partner/cards#latest', '/v1/partner/cards'],
  ['/v1/partner/cards/.', '/v1/partner/cards/'],
])('call_api refuses %j, of which not all would be sent', async (path, sent) => {
  const { isError, json } = await shared.call('call_api', { method: 'GET', path, query: { limit: '1' } });
  expect(isError).toBe(true);
  expect(json.message).toContain(`leads to ${sent}; write one below /v1 that begins with /, without #`);
});

test('a GET request with a body is refused with the reason', async () => {
  const path = '/v1/partner/cards';
  const { isError, json } = await shared.call('call_api', { method: 'GET', path, body: { limit: 1 } });
  expect(isError).toBe(true);
  expect(json).toEqual({
    message: 'a GET request has no body; pass its values in the query, or use another method',
    hint: 'find_operations lists the methods and paths of the API',
  });
});

test.each(['query', 'headers'])('values of %s that are no texts are refused by name', async name => {
  for (const value of [{}, [], { toString: 1 }]) {
    const { isError, json } = await shared.call('call_api', {
      method: 'GET',
      path: '/v1/partner/balance',
      [name]: { 'x-a': value },
    });
    expect([isError, json.message]).toEqual([true, `${name}: "x-a" must be a text`]);
  }
});
