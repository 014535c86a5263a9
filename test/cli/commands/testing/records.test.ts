import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readRecord } from '../../../../src/control/history/record/read.ts';
import { VERSION } from '../../../../src/core/operation/version.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { launchHere, runInProcess, startHere } from '../../../support/cli-in-process.ts';
import { listen } from '../../../support/listen.ts';
import { isSigned, type ReceivedWebhook } from '../../../support/receiver.ts';
import { ACME_KEY, type Json, START } from '../../../support/sandbox.ts';
import { send } from '../../../support/send.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const SECRET = 'a-secret-of-more-than-16';

/** A sandbox with two refused requests, and two webhooks of which the second is not delivered. */
async function failedJob(): Promise<Sandbox> {
  let count = 0;
  const sandbox = createSandbox({
    clock: START,
    allowHttpWebhooks: true,
    webhookReceiver: () => new Response('', { status: ++count === 1 ? 200 : 500 }),
  });
  onTestFinished(() => sandbox.close());
  const subscribedEvents = ['balance.top_up' as const];
  await sandbox.webhooks.configure({
    webhookUrl: 'https://app.test/hooks',
    webhookSecret: SECRET,
    subscribedEvents,
  });
  await sandbox.api.cards.get('card_none').catch(() => undefined);
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.simulate.topUp({ amount: 7 });
  await sandbox.webhooks.settle();
  await sandbox.api.cards.get('card_neither').catch(() => undefined);
  return sandbox;
}

/** The file of a record of a failed job. */
async function recordFile(name = 'job.record.jsonl'): Promise<string> {
  const file = await temporaryFile(name);
  await (await failedJob()).history.save(file);
  return file;
}

/** Changes a line of a record. */
async function edit(file: string, change: (line: Json, index: number) => void): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const edited = lines.map((each, index) => {
    const line = JSON.parse(each);
    change(line, index);
    return JSON.stringify(line);
  });
  await writeFile(file, `${edited.join('\n')}\n`);
}

test('run plays a record: what is the same, what was refused and what was not delivered', async () => {
  const file = await recordFile();
  expect((await stat(file)).mode & 0o077).toBe(0);
  const { code, stdout } = await runInProcess(['run', file]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^job: reproduced: 5 of 5 responses are the same\n {2}refused: 404 GET \/v1\/partner\/cards\/card_none \(req_\w+\): no card .*\n {2}refused: 404 GET .*card_neither .*\n {2}undelivered: balance\.top_up \(evt_\w+\): .*500.*\n$/,
  );
});

test('run plays folders and files, as JSON and as JUnit, and does not follow links', async () => {
  const file = await recordFile();
  const folder = dirname(file);
  const elsewhere = await recordFile('linked.record.jsonl');
  await symlink(elsewhere, join(folder, 'linked.record.jsonl'));
  await writeFile(join(folder, 'notes.md'), 'no record');
  const junit = await temporaryFile('report.xml');
  const { code, stdout } = await runInProcess(['run', folder, elsewhere, '--json', '--junit', junit]);
  expect(code).toBe(0);
  const { ok, records, unreadable } = JSON.parse(stdout);
  expect([ok, unreadable]).toEqual([true, []]);
  expect(records).toMatchObject([
    { file, world: 'main', version: VERSION, compared: 5, same: 5, isCutShort: false, ok: true },
    { file: elsewhere },
  ]);
  expect(await readFile(junit, 'utf8')).toMatch(/<testsuites tests="2" failures="0" errors="0"/);
});

test('a response that differs is exit 1, with the members that differ', async () => {
  const file = await recordFile();
  await edit(file, ({ entry }) => {
    if (entry?.path === '/_sandbox/balance/top-up') {
      entry.response.body = entry.response.body.replace(/"available":\d+/, '"available":1');
    }
  });
  const junit = await temporaryFile('report.xml');
  const { code, stdout } = await runInProcess(['run', file, '--junit', junit]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^job: not reproduced: 3 of 5 responses are the same\n {2}differs POST \/_sandbox\/balance\/top-up \(ent_3\)\n {6}body\.available: 1 recorded, \d+ now\n {2}differs /,
  );
  expect(await readFile(junit, 'utf8')).toMatch(
    /<failure message="not reproduced: 3 of 5 .*">POST .*body\.available: 1 recorded/,
  );
});

test('a webhook of the record that is not sent again is exit 1, and is named', async () => {
  const file = await recordFile();
  await edit(file, ({ attempt }, index) => {
    if (attempt !== undefined && index === 6) attempt.event = 'evt_of_another';
  });
  const junit = await temporaryFile('report.xml');
  const { code, stdout } = await runInProcess(['run', file, '--junit', junit]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^job: not reproduced: 5 of 5 responses are the same, 1 webhook attempt was not made again\n {2}not sent again: evt_of_another\n/,
  );
  expect(await readFile(junit, 'utf8')).toMatch(
    /<failure message="not reproduced: .*">not sent again: evt_of_another</,
  );
});

test('a record without an entry and a folder without a record are exit 1', async () => {
  const file = await temporaryFile('empty.record.jsonl');
  await createSandbox().history.save(file);
  expect(await runInProcess(['run', file])).toMatchObject({
    code: 1,
    stdout: 'empty: nothing was recorded: it has no entry\n',
  });
  const folder = join(dirname(file), 'below');
  await mkdir(folder);
  await symlink(file, join(folder, 'linked.record.jsonl'));
  const finished = await runInProcess(['run', folder]);
  expect(finished.code).toBe(1);
  expect(finished.stderr).toContain(`${folder}: the folder has no record; exec --artifacts writes them`);
});

test('the folder of an exam is exit 1, with the folder of a finding to name instead', async () => {
  const file = await temporaryFile('main.record.jsonl');
  const folder = join(dirname(file), 'art');
  await mkdir(join(folder, 'ids-long'), { recursive: true });
  await createSandbox().history.save(join(folder, 'ids-long', 'main.record.jsonl'));
  const { code, stderr } = await runInProcess(['run', folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(`name one, such as ${join(folder, 'ids-long')}\n`);
});

test('a record of which no response can be compared is exit 1', async () => {
  const file = await temporaryFile('secret.record.jsonl');
  const sandbox = createSandbox({ fixtures: ['empty'] });
  onTestFinished(() => sandbox.close());
  await sandbox.fetch('/v1/partner/cards', { headers: { 'x-service-api-key': 'sk_live_0123456789abcdef' } });
  await sandbox.history.save(file);
  const junit = await temporaryFile('report.xml');
  const finished = await runInProcess(['run', file, '--junit', junit]);
  const result = 'nothing was compared: none of its 1 entries can be played';
  expect(finished.code).toBe(1);
  expect(finished.stdout).toMatch(new RegExp(`^secret: ${result}\n`));
  expect(await readFile(junit, 'utf8')).toContain(`<failure message="${result}">`);
});

test('a file that is not a record is named with its line and member, and the others are played', async () => {
  const file = await recordFile();
  const bad = join(dirname(file), 'bad.record.jsonl');
  await writeFile(bad, await readFile(file));
  await edit(bad, (line, index) => {
    if (index === 1) line.entry.script = 'rm';
  });
  const alone = await runInProcess(['run', bad]);
  expect(alone).toMatchObject({ code: 1, stdout: '' });
  expect(alone.stderr).toContain(`${bad}:2: entry: has unknown members: script`);
  const junit = await temporaryFile('report.xml');
  const both = await runInProcess(['run', dirname(file), '--junit', junit]);
  expect(both.code).toBe(1);
  expect(both.stderr).toContain(`${bad}:2: entry: has unknown members: script`);
  expect(both.stdout).toContain('job: reproduced: 5 of 5 responses are the same\n');
  expect(await readFile(junit, 'utf8')).toContain('tests="2" failures="0" errors="1"');
});

test('a record of another release that cannot be read or differs is reported with that release', async () => {
  const hint = `; card-sandbox 9.9.9 wrote the record, and this is ${VERSION}: use the release that wrote it`;
  const file = await recordFile();
  const playChanged = async (change: (line: Json, index: number) => void) => {
    const changed = await temporaryFile('other.record.jsonl');
    await writeFile(changed, await readFile(file));
    await edit(changed, (line, index) => {
      if (index === 0) line.cardSandbox = '9.9.9';
      change(line, index);
    });
    const { stdout, stderr } = await runInProcess(['run', changed]);
    return `${stdout}${stderr}`;
  };
  expect(await playChanged(() => undefined)).not.toContain('9.9.9');
  for (const [change, problem] of [
    [{ record: 2 }, ':1: record: must be 1'],
    [{ options: { batch: 1 } }, ':1: options: has unknown members: batch'],
    [{ options: { kycDelay: 'soon' } }, ':1: options.kycDelay: must be a duration'],
    [{ entry: { script: 'rm' } }, ':2: entry: has unknown members: script'],
    [{ entry: { status: 299 } }, 'not reproduced: 4 of 5 responses are the same'],
  ] as const) {
    const printed = await playChanged((line, index) => {
      if ('record' in change && index === 0) line.record = change.record;
      if ('options' in change && index === 0) Object.assign(line.options, change.options);
      if ('entry' in change && index === 1) Object.assign(line.entry, change.entry);
    });
    expect(printed).toContain(problem);
    expect(printed).toContain(hint);
  }
});

test.each(['job.json', 'job.txt'])(
  'a record that is called %s is refused with how to call it',
  async name => {
    const file = await recordFile(name);
    expect(await runInProcess(['run', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}: is a record; give it a name that ends in .jsonl`),
    });
  },
);

test('a record that was cut short is played as far as it goes, which is said', async () => {
  const file = await recordFile();
  const whole = await readFile(file, 'utf8');
  await writeFile(file, whole.slice(0, whole.indexOf('{"end"')));
  const { code, stdout } = await runInProcess(['run', file]);
  expect(code).toBe(0);
  expect(stdout).toContain('5 of 5 responses are the same\n');
  expect(stdout).toContain('  cut short: its process was killed or could no longer write');
});

test.each([
  [['kyc-reimport'], /the base URL is missing/],
  [['--base-url', 'http://127.0.0.1:1/v1'], /--base-url is for scenarios/],
  [['--control-token', 'a-token'], /--control-token is for scenarios/],
  [['--no-keep-going'], /--no-keep-going is for scenarios/],
])('a record with %j is wrong usage', async (words, message) => {
  const finished = await runInProcess(['run', await recordFile(), ...words]);
  expect(finished).toMatchObject({ code: 2, stdout: '' });
  expect(finished.stderr).toMatch(message);
});

test('records and scenarios are played one after the other, and one that fails does not stop the others', async () => {
  const { listening } = await startHere();
  const { url } = listening;
  const key = ['--base-url', `${url}/v1`, '--api-key', ACME_KEY];
  const scenario = async (name: string, status: number) => {
    const file = await temporaryFile(name);
    await writeFile(
      file,
      `name: Balance\nsteps: [{ request: GET /partner/balance, expect: { status: ${status} } }]\n`,
    );
    return file;
  };
  const [bad, good] = [await scenario('bad.yaml', 404), await scenario('good.yaml', 200)];
  const all = await runInProcess(['run', bad, await recordFile(), good, ...key]);
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(
    /5 of 5 responses are the same[\s\S]*1 of 1 step failed[\s\S]*All 1 step passed/,
  );
  expect(await runInProcess(['run', good, good, ...key])).toMatchObject({ code: 0 });
});

test.each(['missing.yaml', 'records-typo', 'missing.record.jsonl'])(
  'the path %s of nothing is said to be missing, whatever else is not given',
  async path => {
    const { code, stderr } = await runInProcess(['run', path]);
    expect(stderr).toContain(path);
    expect(stderr).not.toContain('base URL');
    expect(code).toBe(1);
  },
);

test('what follows a call that cannot be played and changed the world may differ, and run says so', async () => {
  await using sandbox = createSandbox({ clock: START });
  await sandbox.api.balance.get();
  await sandbox.api.kycSessions.create({ externalUserId: `sk_live_${'0'.repeat(20)}` });
  await sandbox.api.balance.get();
  const file = await temporaryFile('live.record.jsonl');
  await sandbox.history.save(file);
  expect((await runInProcess(['run', file])).stdout).toMatch(/not compared: [\s\S]*what follows may differ/);
  const { stdout } = await runInProcess(['run', file, '--json']);
  expect(JSON.parse(stdout).records[0].skipped).toMatchObject([{ changedTheWorld: true }]);
});

test('a webhook of a call that cannot be played is named, and fails no record', async () => {
  await using sandbox = createSandbox({ clock: START, webhookReceiver: () => new Response() });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://app.test/hooks',
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
  await sandbox.api.cardholders.create({
    externalUserId: `sk_live_${'0'.repeat(20)}`,
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_mia',
  });
  await sandbox.webhooks.settle();
  const file = await temporaryFile('live.record.jsonl');
  await sandbox.history.save(file);
  const { code, stdout } = await runInProcess(['run', file]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^live: reproduced: [\s\S]*not compared: [\s\S]*not sent again: evt_\w+\n/);
});

test('what follows a page that a person opened may differ, and run says so', async () => {
  await using sandbox = createSandbox({ clock: START });
  const { accessUrl } = await sandbox.api.cards.reveal('card_mia_active', {});
  expect((await sandbox.fetch(accessUrl)).status).toBe(200);
  const file = await temporaryFile('page.record.jsonl');
  await sandbox.history.save(file);
  expect((await runInProcess(['run', file])).stdout).toMatch(
    /not compared: GET \/reveal\/.* a person opened a page\n[\s\S]*what follows may differ/,
  );
});

test('of a record with more entries than a history keeps, every entry is there once it is opened', async () => {
  const folder = dirname(await temporaryFile('any'));
  vi.stubEnv('CARD_SANDBOX_RECORDS', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const sandbox = createSandbox({ clock: START, rateLimit: 0 });
  for (let entry = 0; entry < 1_100; entry++) await sandbox.api.balance.get();
  await sandbox.close();
  vi.unstubAllEnvs();
  const [name = ''] = await readdir(folder);
  const { call } = await open(join(folder, name));
  expect((await call('history', 'rewind', 'ent_2')).code).toBe(0);
  expect((await call('history', 'list')).body).toHaveLength(1);
});

test.each([
  ['http://127.0.0.1:1/v1', 'sk_test_of_nobody_0123456789'],
  ['https://api.example.com', 'sk_live_0123456789abcdef'],
])('a record is played in a sandbox of its own beside %s, too', async (url, key) => {
  const variables = {
    CARD_SANDBOX_URL: 'http://127.0.0.1:1',
    CARD_SANDBOX_WORLD: 'blue',
    SERVICE_BASE_URL: url,
    SERVICE_API_KEY: key,
  };
  expect(await runInProcess(['run', await recordFile()], variables)).toMatchObject({ code: 0 });
});

/** Opens a record. Resolves with how to call it. */
async function open(...args: readonly string[]) {
  const running = launchHere(['open', ...args]);
  const [, dashboard = '', url = ''] = await running.printed(/^((http:\S+?:\d+)\S*)\n/);
  const call = async (...words: readonly string[]) => {
    const { stdout, ...rest } = await runInProcess([...words, '--json'], { CARD_SANDBOX_URL: url });
    return { ...rest, body: stdout === '' ? null : (JSON.parse(stdout) as Json) };
  };
  return { ...running, dashboard, url, call };
}

/** A receiver in this process that keeps what it gets. */
async function startReceiver() {
  const seen: ReceivedWebhook[] = [];
  const origin = await listen(async (request, response) => {
    const body = await text(request);
    const headers = { 'X-Service-Signature': String(request.headers['x-service-signature']) };
    seen.push({ url: '', headers, body, event: JSON.parse(body) });
    response.end();
  });
  return { seen, origin };
}

test('an opened record has the world at its end, on a frozen clock, and ends with a signal', async () => {
  const { dashboard, call, complained, stop, url } = await open(await recordFile());
  expect(dashboard).toBe(`${url}/dashboard/main`);
  await complained(/^\S+job\.record\.jsonl: the world main at its end, a recording; Ctrl-C closes it\n/);
  expect(Number(new URL(url).port)).toBeGreaterThan(1_023);
  const at = (await call('clock', 'now')).body;
  expect(at).toMatchObject({ mode: 'frozen' });
  expect((await call('history', 'list')).body.map(({ id }: Json) => id)).toEqual([
    ...['ent_5', 'ent_4', 'ent_3', 'ent_2', 'ent_1'],
  ]);
  expect((await call('requests', 'list')).body).toMatchObject([{ status: 404 }, { status: 404 }]);
  expect((await call('events', 'list')).body).toMatchObject([
    { attempts: [{ status: 500 }] },
    { attempts: [{ status: 200 }] },
  ]);
  expect((await call('clock', 'now')).body).toEqual(at);
  expect(await stop()).toBe(0);
});

test('open takes from the configuration file how the record is served, and nothing that the record holds', async () => {
  const config = await temporaryFile('card-sandbox.config.yaml');
  await writeFile(config, 'host: 0.0.0.0\nallow-host: [sandbox.test]\nseed: 7\nport: 1\n');
  const [file, token] = [await recordFile(), 'a-token'];
  const { url, stderr } = await open(file, '--config', config);
  expect(stderr()).toMatch(/^control token: \w/m);
  expect((await fetch(`${url}/_sandbox/info`)).status).toBe(401);
  const own = await open(file, '--config', config, '--host', '127.0.0.1', '--control-token', token);
  const info = await fetch(`${own.url}/_sandbox/info`, { headers: { authorization: `Bearer ${token}` } });
  expect(await info.json()).toMatchObject({ seed: 42 });
  const named = async (host: string) => (await send(own.url, { method: 'GET', headers: { host } })).status;
  expect(await named('sandbox.test')).toBe(200);
  expect(await named('other.test')).toBeGreaterThanOrEqual(400);
  expect((await fetch(`${own.url}/_sandbox/info`)).status).toBe(401);
});

test('open refuses an invalid configuration file, unless it is told to read none', async () => {
  const config = await temporaryFile('card-sandbox.config.yaml');
  await writeFile(config, 'kyc-dely: 1s\n');
  expect(await runInProcess(['open', await recordFile(), '--config', config])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('kyc-dely: is unknown, did you mean "kyc-delay"?'),
  });
  await open(await recordFile(), '--no-config');
});

test('--at opens the state before an entry, and a rewind reaches every other', async () => {
  const file = await recordFile();
  const { call, complained } = await open(file, '--at', 'ent_4');
  await complained(/the state before ent_4/);
  expect((await call('history', 'list')).body).toHaveLength(3);
  for (const left of [2, 1, 0]) {
    expect((await call('history', 'rewind', `ent_${left + 1}`)).code).toBe(0);
    expect((await call('history', 'list')).body).toHaveLength(left);
    expect((await call('clock', 'now')).body).toMatchObject({ now: START, mode: 'frozen' });
  }
  const wrong = await runInProcess(['open', file, '--at', 'ent_9']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/--at ent_9: the record has no such entry; its last is ent_5/);
});

test('an opened record sends nothing until forward, then all its webhooks in their order, signed again', async () => {
  const { call } = await open(await recordFile());
  const { body: recorded } = await call('events', 'list');
  const unsent = await call('events', 'redeliver', '--all');
  expect(unsent).toMatchObject({ code: 1 });
  expect(unsent.body.map(({ attempts }: Json) => attempts.at(-1))).toMatchObject(
    Array(2).fill({ cause: expect.stringMatching(/^not sent: this is a recording/), durationMs: 0 }),
  );
  const { seen, origin } = await startReceiver();
  await call('forward', `${origin}/hooks`);
  expect(await call('events', 'redeliver', '--all')).toMatchObject({ code: 0 });
  const ids = recorded.map(({ id }: Json) => id).reverse();
  expect(seen.map(({ event }) => event.id)).toEqual(ids);
  expect(seen.map(({ event }) => event.data.available)).toEqual([5_005, 5_012]);
  for (const each of seen) expect(isSigned(each, SECRET)).toBe(true);
  const [, newest = ''] = ids;
  expect((await call('events', 'redeliver', newest, ids[0])).body.map(({ id }: Json) => id)).toEqual(ids);
  expect((await call('events', 'redeliver', newest, 'evt_none')).code).toBe(1);
  expect(seen).toHaveLength(4);
  expect((await call('events', 'redeliver')).code).toBe(2);
  expect(await call('events', 'redeliver', '--all', '--type', 'card.issued')).toMatchObject({ code: 1 });
  expect(await call('events', 'redeliver', '--all', '--status', 'delivered')).toMatchObject({ code: 0 });
});

test('an opened record has dropped the recorded forwarding: forward off does not bring it back', async () => {
  const { seen, origin } = await startReceiver();
  await using sandbox = createSandbox({
    clock: START,
    forwardTo: `${origin}/recorded`,
    map: [`https://hooks.partner.test=${origin}`],
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  expect(seen).toHaveLength(1);
  const file = await temporaryFile('forwarded.record.jsonl');
  await sandbox.history.save(file);
  const { call } = await open(file);
  expect((await call('info')).body.options).toMatchObject({ forwardTo: null, map: [] });
  expect((await call('forward', 'off')).body).toMatchObject({ url: null });
  expect(await call('events', 'redeliver', '--all')).toMatchObject({ code: 1 });
  const later = await temporaryFile('later.record.jsonl');
  const [newest] = (await call('history', 'list', '--limit', '1')).body;
  expect(await call('history', 'export', later, '--from', newest.id)).toMatchObject({ code: 0 });
  expect((await readRecord(later)).header.options).toMatchObject({ forwarding: { url: null } });
  await call('worlds', 'add', 'blue');
  expect((await call('forward', 'off', '--world', 'blue')).body).toMatchObject({ url: null });
  expect(seen).toHaveLength(1);
});

test('the webhooks of a world beside an opened record go where that world forwards them', async () => {
  const { call } = await open(await recordFile());
  await call('worlds', 'add', 'blue');
  const [own, other] = [await startReceiver(), await startReceiver()];
  await call('forward', own.origin);
  await call('forward', other.origin, '--world', 'blue');
  await call('trigger', 'balance.top_up', '--world', 'blue');
  await call('events', 'wait', '--status', 'delivered', '--world', 'blue');
  expect([own.seen.length, other.seen.length]).toEqual([0, 1]);
  await call('events', 'redeliver', '--all');
  expect([own.seen.length, other.seen.length]).toEqual([2, 1]);
});

test('a record of another world than main is opened under its name, and without one', async () => {
  const sandbox = await failedJob();
  const world = await sandbox.worlds.create({ id: 'blue' });
  await world.api.balance.get();
  const file = await temporaryFile('blue.record.jsonl');
  await world.history.save(file);
  const { dashboard, url, call } = await open(file);
  expect(dashboard).toBe(`${url}/dashboard/blue`);
  for (const flags of [[], ['--world', 'blue']]) {
    expect((await call('history', 'list', ...flags)).body).toMatchObject([{ path: '/v1/partner/balance' }]);
  }
});

test('history export writes a record from one entry to another, to a file or to standard output', async () => {
  const { call, url } = await open(await recordFile());
  const file = await temporaryFile('part.record.jsonl');
  const variables = { CARD_SANDBOX_URL: url };
  const written = await runInProcess(
    ['history', 'export', file, '--from', 'ent_2', '--to', 'ent_3'],
    variables,
  );
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: `wrote the record to ${file}\n` });
  const printed = await runInProcess(['history', 'export', '--from', 'ent_2', '--to', 'ent_3'], variables);
  expect(printed.stdout === (await readFile(file, 'utf8'))).toBe(true);
  const dashed = await runInProcess(
    ['history', 'export', '-', '--from', 'ent_2', '--to', 'ent_3'],
    variables,
  );
  expect(dashed.stdout === printed.stdout).toBe(true);
  const asJson = await runInProcess(
    ['history', 'export', file, '--from', 'ent_2', '--to', 'ent_3', '--json'],
    variables,
  );
  expect(asJson).toMatchObject({ code: 0, stdout: `${JSON.stringify({ file })}\n`, stderr: '' });
  expect(printed.stdout.match(/(?<=^\{"entry":\{"id":")\w+/gm)).toEqual(['ent_2', 'ent_3']);
  expect(await runInProcess(['run', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('part: reproduced: 2 of 2'),
  });
  expect((await call('history', 'export', '--from', 'ent_9')).code).toBe(1);
  expect((await call('history', 'export', '--from', 'ent_3', '--to', 'ent_2')).code).toBe(1);
  expect(await readdir(dirname(file))).toEqual(['part.record.jsonl']);
  const link = join(dirname(file), 'link.jsonl');
  await symlink(file, link);
  await runInProcess(['history', 'export', link], variables);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await readFile(file, 'utf8')).match(/^\{"entry"/gm)?.length).toBeGreaterThan(2);
});

test('open says of another file how a record begins', async () => {
  const file = await temporaryFile('state.json');
  await writeFile(file, '{\n  "format": "card-sandbox-state"\n}\n');
  const { code, stderr } = await runInProcess(['open', file]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/is not valid JSON.*; a record begins with a line \{"record": 1, …\}/),
  });
});
