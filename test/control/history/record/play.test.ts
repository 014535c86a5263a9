import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entriesOf, readRecord } from '../../../../src/control/history/record/read.ts';
import { createSandbox } from '../../../../src/index.ts';
import type { DisturbancePlan } from '../../../../src/sandbox/disturbance/plan.ts';
import { BuiltFixture } from '../../../../src/sandbox/fixtures/define/built-fixture.ts';
import { openRecord } from '../../../../src/sandbox/replay/open-record.ts';
import { playRecord } from '../../../../src/sandbox/replay/player.ts';
import { createSandboxCore, type SandboxCore } from '../../../../src/sandbox/sandbox.ts';
import { fixtureFile } from '../../../sandbox/fixtures/fixture-files.ts';
import { disturbed } from '../../../support/disturbed.ts';
import { openInProcess, startInProcess } from '../../../support/in-process.ts';
import { manualTime } from '../../../support/manual-time.ts';
import { fakeReceiver, subscribe } from '../../../support/receiver.ts';
import { temporaryRecords } from '../../../support/record-folder.ts';
import { ACME_KEY, newCardholder, START, startSandbox } from '../../../support/sandbox.ts';

const HOOK = { webhookUrl: 'https://app.example/hooks', webhookSecret: 'whsec_0123456789abcdef' };

/** Reads a record from a file of its own. */
function recordOf(text: string | Uint8Array) {
  const file = join(mkdtempSync(join(tmpdir(), 'record-')), 'main.record.jsonl');
  writeFileSync(file, text);
  return readRecord(file);
}

/** Plays the record of a world. */
async function play(text: string) {
  const { played, sandbox } = await playRecord(await recordOf(text));
  sandbox.stop();
  return played;
}

/** Exports the record of a world. */
const exported = async (origin: string, query = '') =>
  (await fetch(`${origin}/_sandbox/history/export${query}`)).text();

/** A sandbox that writes its record while it runs; `written` ends it and returns it. */
function recording(options = {}, hooks = {}) {
  const { records, problems, file } = temporaryRecords();
  const written = () => {
    records.finish();
    expect(problems).toEqual([]);
    return readFileSync(file, 'utf8');
  };
  return { ...startInProcess(options, { ...hooks, records }), written };
}

/** The entries of a record that no rewind in it has undone. */
async function keptIn(text: string): Promise<string[]> {
  return entriesOf(await recordOf(text)).map(({ entry }) => entry.path);
}

test('a record of requests, refusals, webhooks, an advance and a reset plays as it was', async () => {
  let calls = 0;
  await using sandbox = createSandbox({
    fixtures: ['starter'],
    webhookReceiver: () => new Response('seen', { status: calls++ === 0 ? 500 : 200 }),
  });
  await sandbox.webhooks.configure({
    ...HOOK,
    subscribedEvents: ['cardholder.created', 'cardholder.approved'],
  });
  const created = await sandbox.api.cardholders.create(newCardholder() as never);
  await sandbox.clock.advance('1h');
  await sandbox.api.cardholders.create(newCardholder({ email: 'not an address' }) as never).catch(() => null);
  await sandbox.reset();
  await sandbox.api.cardholders.get(created.id).catch(() => null);
  const record = await sandbox.history.export();
  expect(record.match(/^\{"attempt":/gm)?.length).toBeGreaterThan(1);
  expect(await play(record)).toMatchObject({ compared: 6, same: 6, different: [], skipped: [], missing: [] });
});

test('a record of a duplicate whose second request is answered otherwise plays as it was', async () => {
  let calls = 0;
  await using sandbox = createSandbox({
    webhookReceiver: () => new Response('seen', { status: calls++ % 2 === 0 ? 200 : 409 }),
  });
  await sandbox.webhooks.configure({ ...HOOK, subscribedEvents: ['card.issued'] });
  await sandbox.webhookFaults.add({ kind: 'duplicate', times: 1 });
  await sandbox.webhooks.trigger({ eventType: 'card.issued' });
  await sandbox.webhooks.settle();
  const [delivery] = await sandbox.webhooks.list();
  const redelivered = await sandbox.webhooks.redeliver(delivery?.id ?? '');
  expect(redelivered.attempts).toMatchObject([{ status: 200, repeatStatus: 409 }, { status: 200 }]);
  const record = await sandbox.history.export();
  expect(await play(record)).toMatchObject({ compared: 4, same: 4, different: [], missing: [] });
});

test('a record carries the state of the start once, however often the world is reset to it', async () => {
  await using sandbox = createSandbox({ fixtures: ['starter'], clock: '2026-03-15T10:00:00Z' });
  for (let round = 0; round < 4; round++) {
    await sandbox.api.cardholders.create(newCardholder() as never);
    await sandbox.reset();
  }
  const record = await sandbox.history.export();
  expect(record.match(/"state":\{/g)).toHaveLength(1);
  expect(record.match(/"stateOf":"ent_2"/g)).toHaveLength(3);
  expect(await play(record)).toMatchObject({ compared: 8, same: 8, different: [], skipped: [] });
});

test('a body that the server did not read is not recorded as an empty one', async () => {
  const { origin } = await startSandbox();
  const body = JSON.stringify({ note: 'x'.repeat(1_100_000) });
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  await fetch(`${origin}/v1/partner/cards`, { method: 'POST', headers, body });
  const record = await exported(origin);
  const { entry } = JSON.parse(record.split('\n')[1] ?? '');
  expect(entry).toMatchObject({
    status: 400,
    body: null,
    unrepeatable: expect.stringContaining('larger than'),
  });
});

test('a webhook that a wait started during an advance plays in the order in which it ended', async () => {
  let respond: (response: Response) => void = () => undefined;
  const late = new Promise<Response>(resolve => {
    respond = resolve;
  });
  let calls = 0;
  await using sandbox = createSandbox({
    fixtures: ['empty'],
    webhookReceiver: () => (calls++ === 0 ? late : new Response('seen')),
  });
  await sandbox.webhooks.configure({ ...HOOK, subscribedEvents: ['cardholder.created'] });
  await sandbox.api.cardholders.create(newCardholder() as never);
  const advance = sandbox.clock.advance('1h');
  await sandbox.api.cardholders.create(newCardholder() as never);
  await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  respond(new Response('late'));
  await advance;
  const record = await sandbox.history.export();
  expect(record.match(/"responseBody":"\w+"/g)).toEqual(['"responseBody":"seen"', '"responseBody":"late"']);
  expect(await play(record)).toMatchObject({ compared: 4, same: 4, different: [], missing: [] });
});

test('a load that is left out of an opened record keeps its document, however long it is', async () => {
  const { control, written } = recording();
  const document = { padding: 'x'.repeat(2 ** 20) };
  expect((await control('PUT', '/state', document)).status).toBe(400);
  // As if a reset had come meanwhile.
  const call = await opened(await recordOf(written().replace('"status":400', '"status":409')));
  const [, line = ''] = (await call('GET', '/history/export')).split('\n');
  expect(JSON.parse(line).entry).toMatchObject({ status: 409, body: JSON.stringify(document) });
});

test('a refused load that began before a reset does not move the clock on to the time at which it began', async () => {
  const time = manualTime();
  const { api, control, written } = recording({ freeze: false }, { realTime: time.realTime });
  api('POST', '/partner/cardholders', newCardholder());
  time.pass(60_000);
  const loading = control('PUT', '/state', {});
  await control('POST', '/reset');
  expect((await loading).status).toBe(400);
  time.pass(1_000);
  api('POST', '/partner/cardholders', newCardholder());
  expect(await play(written())).toMatchObject({ compared: 4, same: 4, different: [], missing: [] });
});

test('a request finds everything begun that fell due before it, thousands of one moment too, and so plays', async () => {
  const guests = { cardholders: [{ generate: 1_100, externalUserId: 'guest', kycStatus: 'pending' }] };
  const time = manualTime(Date.parse(START));
  // Tasks start in slices of real time.
  const realTime = { ...time.realTime, elapsed: () => performance.now() };
  const { api, control, written } = recording(
    { freeze: false, fixtures: ['empty', new BuiltFixture('guests', guests)] },
    { realTime },
  );
  const [{ id: cardProgramId }] = api('GET', '/partner/card-programs').body.data;
  for (const { id } of (await control('GET', '/cardholders?limit=1100')).body) {
    api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId });
  }
  time.stall(60_000);
  expect(api('GET', '/partner/cardholders?kycStatus=approved').body.total).toBe(1_100);
  expect(await play(written())).toMatchObject({ compared: 1_102, same: 1_102, different: [], missing: [] });
});

test('a record has no folder of the fixtures that the sandbox was started with', async () => {
  const file = fixtureFile('cardholders: [{ id: ch_mia }]');
  const { control, written } = recording({ fixtures: ['empty', file] });
  for (const fixture of ['none', file]) await control('POST', '/partners', { fixture });
  writeFileSync(file, 'cardholders: 1');
  expect((await control('POST', '/partners', { fixture: file })).body.error).toContain(file);
  const record = written();
  expect(record).toContain(basename(file));
  expect(record).not.toContain(dirname(file));
});

test('a rewind to a call that waited undoes what was handled meanwhile, and what follows plays', async () => {
  const { api, control, written } = recording();
  api('POST', '/partner/cardholders', newCardholder());
  const moving = control('POST', '/clock/advance', { duration: '1h' });
  api('POST', '/partner/kyc-sessions', {});
  await moving;
  const [moved, opened] = (await control('GET', '/history')).body;
  expect([moved.path, opened.path]).toEqual(['/_sandbox/clock/advance', '/v1/partner/kyc-sessions']);
  expect((await control('POST', '/rewind', { to: moved.id })).body.undone).toBe(2);
  api('GET', '/partner/cardholders');
  const record = written();
  expect(await play(record)).toMatchObject({ compared: 4, same: 4, different: [] });
  expect(await keptIn(record)).toEqual(['/v1/partner/cardholders', '/v1/partner/cardholders']);
});

test('a rewind to the later of two calls that waited keeps the earlier one, and what follows plays', async () => {
  let release = () => {};
  const held = new Promise<number>(resolve => {
    release = () => resolve(200);
  });
  const { transport } = fakeReceiver(() => held);
  const { api, control, written } = recording({}, { transport });
  await subscribe({ api });
  api('POST', '/partner/cardholders', newCardholder());
  const loading = control('PUT', '/state', {});
  const moving = control('POST', '/clock/advance', { duration: '1h' });
  await loading;
  release();
  await moving;
  const [later, earlier] = (await control('GET', '/history')).body;
  expect([later.path, earlier.path]).toEqual(['/_sandbox/clock/advance', '/_sandbox/state']);
  expect((await control('POST', '/rewind', { to: later.id })).body.undone).toBe(1);
  api('GET', '/partner/cardholders');
  const record = written();
  expect((await keptIn(record)).slice(2)).toEqual(['/_sandbox/state', '/v1/partner/cardholders']);
  expect(await play(record)).toMatchObject({ compared: 5, different: [] });
});

test('a record without the end of its last line is whole, and one cut within a character is cut short', async () => {
  await using sandbox = createSandbox({ fixtures: ['empty'] });
  await sandbox.api.cardholders.create(newCardholder({ externalUserId: 'Zoë' }) as never);
  const record = Buffer.from(await sandbox.history.export());
  expect((await recordOf(record.subarray(0, -1))).end).toMatchObject({ entries: 1 });
  const cut = await recordOf(record.subarray(0, record.lastIndexOf(Buffer.from('ë')) + 1));
  expect([cut.lines.length, cut.end]).toEqual([0, null]);
});

test('a request that was lost has no response in a record, and a request whose response was lost has one', async () => {
  const { api, origin } = await startSandbox();
  for (const fault of ['drop', 'drop; when=after']) {
    const headers = { 'x-sandbox-fault': fault };
    await expect(api('POST', '/partner/cardholders', newCardholder(), headers)).rejects.toThrow();
  }
  const text = await exported(origin);
  const { lines } = await recordOf(text);
  expect(lines.flatMap(({ line }) => ('entry' in line ? [line.entry] : []))).toMatchObject([
    { status: null, response: null, dropped: true },
    { status: 201, response: { body: expect.stringContaining('"id"') }, dropped: true },
  ]);
  expect(await play(text)).toMatchObject({ compared: 2, same: 2, skipped: [] });
});

test('what depends on wall time or on code is left out when a record is played, with its reason', async () => {
  const { api, written } = recording({ rateLimit: 1 });
  expect([api('GET', '/partner/balance').status, api('GET', '/partner/balance').status]).toEqual([200, 429]);
  const record = written();
  const reasonOf = async (text: string) => (await play(text)).skipped.map(({ reason }) => reason);
  expect(await reasonOf(record)).toEqual(['the rate limit refused it, whose windows are of wall time']);
  expect(await reasonOf(record.replace('"by":"rate-limit"', '"by":"handler"'))).toEqual([
    'a handler in code answered, which the record does not have',
  ]);
});

test('each way in which a response differs when a record is played is named', async () => {
  const { api, written } = recording();
  api('POST', '/partner/cardholders', newCardholder());
  const record = written();
  const differences = async (from: string | RegExp, to: string) => {
    const changed = record.replace(from, to);
    expect(changed).not.toBe(record);
    return (await play(changed)).different.map(({ members }) => members);
  };
  expect(await differences('"status":201', '"status":200')).toEqual([['status: 200 recorded, 201 now']]);
  expect(await differences('\\"firstName\\":\\"', '\\"firstName\\":\\"X')).toEqual([
    [expect.stringMatching(/^body\.firstName: "X(\w+)" recorded, "\1" now$/)],
  ]);
  expect(await differences('{\\"id\\":\\"ch_', '{ \\"id\\":\\"ch_')).toEqual([['the text of the body']]);
  expect(await differences(/"body":"\{\\"id\\".*?\}"/, '"body":"[]"')).toEqual([
    [expect.stringMatching(/^body: \[\] recorded, \{"id":/)],
  ]);
  expect((await differences(/"body":"\{\\"id\\".*?\}"/, '"body":"{}"'))[0]).toMatchObject({
    0: expect.stringMatching(/^body\.id: nothing recorded, "ch_\w+" now$/),
    8: '2 more members',
    length: 9,
  });
  expect(await differences(/"response":\{/, '"dropped":true,"response":{')).toEqual([
    ['the response was lost'],
  ]);
});

test.each(['', 'null', '{}'])('a reset and a restore that are sent with the body %j play', async body => {
  const { origin, api, control } = await startSandbox({ fixtures: ['starter'] });
  const call = async (path: string) => {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${origin}/_sandbox${path}`, { method: 'POST', headers, body })).status).toBe(204);
    return api('GET', '/partner/balance');
  };
  await control('POST', '/checkpoints/a', {});
  await control('POST', '/balance/top-up', { amount: 7 });
  await call('/checkpoints/a/restore');
  await control('POST', '/balance/top-up', { amount: 5 });
  await call('/reset');
  expect(await play(await exported(origin))).toMatchObject({ compared: 7, same: 7, skipped: [] });
  // It begins neither with the seeded state nor before the checkpoint.
  expect(await play(await exported(origin, '?from=ent_3'))).toMatchObject({
    compared: 5,
    same: 5,
    skipped: [],
  });
});

test('a state whose keys belong to another world plays with the keys that it got instead', async () => {
  const { origin, control } = await startSandbox({ fixtures: ['starter'] });
  await control('POST', '/worlds', { id: 'w1' });
  await control('PUT', '/state', (await control('GET', '/worlds/w1/state')).body);
  const [{ apiKey }] = (await control('GET', '/partners')).body;
  const headers = { 'x-service-api-key': apiKey };
  expect((await fetch(`${origin}/v1/partner/balance`, { headers })).status).toBe(200);
  expect(await play(await exported(origin))).toMatchObject({ compared: 2, same: 2 });
});

test('a record does not hold the control token, and says which requests hold it', async () => {
  const controlToken = 'tok-SECRET-123456';
  const { origin } = await startSandbox({}, {}, { controlToken, requireToken: true });
  const ask = (path: string, headers: Record<string, string>) => fetch(origin + path, { headers });
  await ask('/v1/partner/balance', { 'x-service-api-key': controlToken });
  await ask(`/v1/partner/cards?status=${controlToken}`, {});
  const record = await (
    await ask('/_sandbox/history/export', { authorization: `Bearer ${controlToken}` })
  ).text();
  expect(record).not.toContain(controlToken);
  expect(record.match(/"unrepeatable":"it holds the control token"/g)).toHaveLength(2);
});

test('calls that send the control token in their Authorization header are recorded without it, and play', async () => {
  const controlToken = 'tok-SECRET-123456';
  const authorization = { authorization: `Bearer ${controlToken}` };
  const { origin, api, control } = await startSandbox({}, {}, { controlToken, requireToken: true });
  expect((await control('POST', '/balance/top-up', { amount: 5 }, authorization)).status).toBe(200);
  await api('GET', '/partner/balance');
  const record = await (await fetch(`${origin}/_sandbox/history/export`, { headers: authorization })).text();
  expect(record).not.toContain(controlToken);
  expect(await play(record)).toMatchObject({ compared: 2, same: 2, skipped: [] });
});

test('a production key in the address of a receiver is in no line of a record', async () => {
  const receiver = fakeReceiver();
  const { origin, api, control } = await startSandbox({}, { transport: receiver.transport });
  await subscribe({ api });
  const key = 'sk_live_abcdefghijklmnop';
  await control('PUT', '/forwarding', { url: `http://127.0.0.1:9/?key=${key}` });
  await api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/deliveries/settle');
  const [{ id }] = (await control('GET', '/history')).body;
  for (const query of ['', `?from=${id}`]) {
    const record = await exported(origin, query);
    expect(record).not.toContain(key);
    await play(record);
  }
});

test('a production key in the forwarding that a rewind leaves as it is stands in no line of a record', async () => {
  const { control, written } = recording();
  const key = 'sk_live_abcdefghijklmnop';
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('PUT', '/forwarding', { url: `http://127.0.0.1:9/?key=${key}` });
  await control('POST', '/rewind', { to: 'ent_1' });
  const text = written();
  expect(text).toMatch(/{"rewind":{"to":"ent_1","forwarding":{"url":"http:/);
  expect(text).not.toContain(key);
});

/** Opens a record, at the state before an entry where one is given, and calls its control plane. */
async function opened(...record: Parameters<typeof openRecord>) {
  const { sandbox } = await openRecord(...record);
  sandbox.serveAt({ origin: 'http://127.0.0.1:1', host: null, ownNames: [], controlToken: '' });
  onTestFinished(() => sandbox.stop());
  return controlOf(sandbox);
}

/** Calls the control plane of a sandbox. Resolves with the text of the response. */
function controlOf(sandbox: SandboxCore) {
  return async (method: string, path: string): Promise<string> => {
    const request = { method, path: `/_sandbox${path}`, query: '', headers: {}, body: Buffer.from('') };
    const { body, content } = await sandbox.control({ ...request, remoteAddress: '127.0.0.1' });
    let text = body;
    for await (const piece of content ?? []) text += Buffer.from(piece).toString();
    return text;
  };
}

test('a record that is opened resets to where it began, and its own record plays', async () => {
  const { origin, api, control } = await startSandbox({ fixtures: ['starter'] });
  const before = (await control('GET', '/cardholders')).body;
  const { id } = (await api('POST', '/partner/kyc-sessions', {})).body;
  await control('POST', `/kyc-sessions/${id}/approve`, {});
  const call = await opened(await recordOf(await exported(origin)));
  const again = await call('GET', '/history/export');
  expect(again).toContain(`"origin":"${origin}"`);
  expect(await play(again)).toMatchObject({ compared: 2, same: 2 });
  await call('POST', '/reset');
  expect(JSON.parse(await call('GET', '/cardholders'))).toEqual(before);
  expect(JSON.parse(await call('GET', '/clock')).now).toBe(START);
});

test('the clock of a record that is opened stays frozen after a reset, though the clock ran when it was written', async () => {
  const { origin, api } = await startSandbox({ freeze: false });
  await api('GET', '/partner/balance');
  const call = await opened(await recordOf(await exported(origin)));
  await call('POST', '/reset');
  expect(JSON.parse(await call('GET', '/clock')).mode).toBe('frozen');
});

/** A sandbox without a server, and the core that it is made of. */
function startWithCore(options = {}, hooks = {}) {
  const cores: SandboxCore[] = [];
  const { stop, ...sandbox } = openInProcess(options, hooks, (...given) => {
    const core = createSandboxCore(...given);
    cores.push(core);
    return core;
  });
  onTestFinished(stop);
  const [core] = cores;
  if (core === undefined) throw new Error('there is a sandbox');
  return { ...sandbox, core };
}

test('a history that has dropped its first entries keeps the attempts that ended during those that are left', async () => {
  const { transport } = fakeReceiver(() => 500);
  const { core, api, control } = startWithCore({}, { transport });
  await subscribe({ api });
  api('POST', '/partner/cardholders', newCardholder());
  // Its attempts follow the entry before it, which is dropped.
  await control('POST', '/clock/advance', { duration: '1h' });
  for (let entry = 1; entry < 1_000; entry++) api('GET', '/partner/balance');
  const history = (await control('GET', '/history')).body;
  expect(history).toHaveLength(1_000);
  const record = await controlOf(core)('GET', '/history/export');
  expect(await play(record)).toMatchObject({ compared: 1_000, same: 1_000, missing: [] });
  const [first = ''] = record.split(/^\{"entry":/m);
  expect(first.match(/^\{"attempt":/gm)).toHaveLength(6);
});

test('a reload of the fixtures is a reset in the history: it plays, and a rewind brings back what it dropped', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fixtures-')), 'people.yaml');
  const write = (name: string) => writeFileSync(file, `cardholders: [{ id: ch_mia, firstName: ${name} }]`);
  write('Mia');
  const { core, api, control } = startWithCore({ fixtures: ['empty', file] });
  const nameNow = () => api('GET', '/partner/cardholders/ch_mia').body.firstName;
  const created = api('POST', '/partner/cardholders', newCardholder()).body;
  write('Ada');
  core.reload();
  expect(nameNow()).toBe('Ada');
  api('POST', '/partner/cardholders', newCardholder());
  write('Eve');
  core.reload();
  expect(nameNow()).toBe('Eve');
  const record = await controlOf(core)('GET', '/history/export');
  expect(await play(record)).toMatchObject({ compared: 6, same: 6, different: [], skipped: [] });
  expect((await control('GET', '/history')).body[1]).toMatchObject({ summary: 'Reload the fixtures' });
  await control('POST', '/rewind', { to: 'ent_2' });
  expect(api('GET', `/partner/cardholders/${created.id}`).status).toBe(200);
  expect(nameNow()).toBe('Mia');
});

test('a record whose first call sends webhooks has them, in a folder and exported, and again after a rewind', async () => {
  const { records, file } = temporaryRecords();
  const { transport } = fakeReceiver(() => 500);
  const options = { fixtures: ['starter'], forwardTo: 'http://127.0.0.1:9/' };
  const { origin, control } = await startSandbox(options, { records, transport });
  const advance = () => control('POST', '/clock/advance', { duration: '8d' });
  const attempts = (text: string) => text.match(/^\{"attempt":/gm)?.length ?? 0;
  await advance();
  const first = await exported(origin);
  expect(attempts(first)).toBe(6);
  expect(await play(first)).toMatchObject({ compared: 1, same: 1, missing: [] });
  await control('POST', '/rewind', { steps: 1 });
  await advance();
  const second = await exported(origin);
  expect(attempts(second)).toBe(6);
  expect(await play(second)).toMatchObject({ compared: 1, same: 1, missing: [] });
  records.finish();
  const written = readFileSync(file, 'utf8');
  expect(attempts(written)).toBe(12);
  expect(await play(written)).toMatchObject({ compared: 2, same: 2, missing: [] });
});

test('a loaded state goes into a record without the production keys and the control token in it, and plays', async () => {
  const [key, controlToken] = ['sk_live_abcdefghijklmnop', 'tok-SECRET-123456'];
  const transport = {
    async send({ url }: { url: string }) {
      const body = `unknown key ${key}, ${controlToken}`;
      return { url, status: 401, body, cause: `refused ${key}`, durationMs: 0 };
    },
    close: () => undefined,
  };
  const { origin, api, control } = await startSandbox({}, { transport }, { controlToken });
  await subscribe({ api });
  await api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/deliveries/settle');
  const { body } = await control('GET', '/state');
  expect(JSON.stringify(body)).toContain(key);
  expect((await control('PUT', '/state', body)).status).toBe(204);
  await api('GET', '/partner/balance');
  const record = await exported(origin);
  expect(record).not.toMatch(new RegExp(`${key}|${controlToken}`));
  expect(await play(record)).toMatchObject({ different: [], skipped: [], missing: [] });
});

/** Opens a record at the state before the last entry with an id. Returns a function that reads from it. */
async function openAt(text: string, id: string) {
  const record = await recordOf(text);
  const entry = entriesOf(record).findLast(each => each.entry.id === id)?.entry;
  expect(entry).toBeDefined();
  const call = await opened(record, entry);
  return async (path: string) => JSON.parse(await call('GET', path));
}

test('a record is opened before a call that waited, and before what was handled during it, at the time of then', async () => {
  const receiver = fakeReceiver(async (_, count) => {
    await sandbox.api('GET', '/partner/balance');
    return count === 1 ? 500 : 200;
  });
  const sandbox = await startSandbox(
    { fixtures: ['starter'], forwardTo: 'http://127.0.0.1:9/' },
    { transport: receiver.transport },
  );
  const { origin, api, control } = sandbox;
  await api('GET', '/partner/cards');
  await control('POST', '/clock/advance', { duration: '8d' });
  await api('GET', '/partner/cards');
  const history = (await control('GET', '/history')).body.reverse();
  const paths = history.map(({ path }: { path: string }) => path.replace(/^.*\//, ''));
  expect(paths).toEqual(['cards', 'balance', 'balance', 'advance', 'cards']);
  const record = await exported(origin);
  for (const { id } of history) {
    const before = (await control('GET', `/state?at=${id}`)).body;
    const read = await openAt(record, id);
    expect((await read('/clock')).now).toBe(before.clock.now);
    expect((await read('/history')).length).toBeLessThan(history.length);
    expect(await read('/checkpoints')).toEqual([]);
  }
  // A part holds whole calls, with what was handled during them.
  const sizes = (name: string) =>
    Promise.all(
      history.map(async ({ id }: { id: string }) => {
        const { compared, same, missing } = await play(await exported(origin, `?${name}=${id}`));
        expect([same, missing]).toEqual([compared, []]);
        return compared;
      }),
    );
  expect([await sizes('from'), await sizes('to')]).toEqual([
    [5, 4, 4, 4, 1],
    [1, 4, 4, 4, 5],
  ]);
});

test('a record with rewinds is opened before the entry that was kept, and not before one of the same id', async () => {
  const { control, written } = recording();
  const { available: start } = (await control('GET', '/balance')).body;
  for (const amount of [1, 2, 3]) await control('POST', '/balance/top-up', { amount });
  await control('POST', '/rewind', { to: 'ent_1' });
  for (const amount of [100, 200, 300]) await control('POST', '/balance/top-up', { amount });
  const read = await openAt(written(), 'ent_3');
  expect((await read('/balance')).available - start).toBe(300);
});

test('what an exam struck is left out when its record is played, and named in the order of its calls', async () => {
  const { api, record } = disturbed([{ id: 'fields', faults: [{ unknownFields: true, times: 2 }] }]);
  for (const path of ['/partner/cards', '/partner/balance', '/partner/cards']) api('GET', path);
  const text = (await record()).map(line => JSON.stringify(line)).join('\n');
  const { skipped, compared } = await play(text);
  expect(skipped.map(({ entry }) => entry.path)).toEqual(['/v1/partner/cards', '/v1/partner/balance']);
  expect(compared).toBe(1);
});

test.each<[what: string, disturbance: DisturbancePlan[number], additional: number]>([
  ['forged beside it', { id: 'it', webhookFaults: [{ kind: 'missing_signature', extra: true }] }, 2],
  ['sent again later', { id: 'it', repeatsWebhooks: true }, 1],
])(
  'a webhook of an exam ends as it did when its record is played, not as one %s',
  async (_, plan, additional) => {
    const receiver = fakeReceiver(({ headers }) =>
      headers['X-Service-Signature'] === undefined ? 401 : 200,
    );
    const sandbox = disturbed([plan], {}, receiver);
    await subscribe(sandbox);
    for (const amount of [1, 2]) await sandbox.control('POST', '/balance/top-up', { amount });
    await sandbox.control('POST', '/deliveries/settle');
    const lines = await sandbox.record();
    expect(lines.filter(({ attempt }) => attempt?.struck !== undefined)).toHaveLength(additional);
    const { compared, same, missing } = await play(lines.map(line => JSON.stringify(line)).join('\n'));
    expect([same, missing]).toEqual([compared, []]);
  },
);

test('a webhook that ends after a rewind to the first entry, before the next call, is in the record', async () => {
  const { realTime, pass } = manualTime(Date.parse(START));
  const options = { fixtures: ['starter'], freeze: false, forwardTo: 'http://127.0.0.1:9/' };
  const { api, control, written } = recording(options, { realTime });
  const delivered = async () => (await control('GET', '/deliveries?status=delivered')).body.length;
  const balance = () => api('GET', '/partner/balance');
  const before = await delivered();
  balance();
  for (const again of [true, false]) {
    // An authorization expires.
    pass(8 * 86_400_000);
    await expect.poll(delivered).toBeGreaterThan(before);
    if (again) await control('POST', '/rewind', { to: 'ent_1' });
  }
  balance();
  const record = written();
  expect(record.match(/^\{"(?:entry|attempt|rewind)/gm)).toEqual(
    ['entry', 'attempt', 'rewind', 'attempt', 'entry'].map(each => `{"${each}`),
  );
  expect(await play(record)).toMatchObject({ same: 2, different: [], missing: [] });
});
