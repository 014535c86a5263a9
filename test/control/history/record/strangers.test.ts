import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordError, readRecord } from '../../../../src/control/history/record/read.ts';
import { createSandbox } from '../../../../src/index.ts';
import { playRecord } from '../../../../src/sandbox/replay/player.ts';
import type { Json } from '../../../support/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
const FILE = join(folder, 'main.record.jsonl');

/** What would be reached if a record could: counts what it receives. */
let connections = 0;
const server = createServer(socket => {
  connections += 1;
  socket.destroy();
});
let url = '';
/** The lines of a record that plays: the header, a request, a call that waited, an attempt and the end. */
let lines: readonly Json[] = [];

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await using sandbox = createSandbox({
    fixtures: ['starter'],
    webhookReceiver: () => new Response('seen'),
    allowHttpWebhooks: true,
  });
  await sandbox.webhooks.configure({
    webhookUrl: `${url}/hooks`,
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 1 });
  await sandbox.clock.advance('1h');
  await sandbox.reset();
  const record = await (await sandbox.fetch('/_sandbox/history/export')).text();
  lines = record
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
});

afterAll(() => {
  server.close();
});

/** Changes the lines of the record, or replaces them by others. */
type Change = (lines: Json[]) => void;

/** Sets members of a part of the lines, or changes it. */
const changing =
  (partOf: (lines: Json[]) => Json) =>
  (change: object | ((part: Json) => void)): Change =>
  lines => {
    const part = partOf(lines);
    if (typeof change === 'function') change(part);
    else Object.assign(part, change);
  };
const header = changing(([first]) => first);
const options = changing(([first]) => first.options);
const keys = changing(([first]) => first.options.keys);
const entry = changing(lines => lines[1].entry);
const headers = changing(lines => lines[1].entry.headers);
const attempt = changing(lines => lines.find(line => 'attempt' in line).attempt);
const last = changing(lines => lines.at(-1).end);
const call = (method: string, path: string, body: unknown = {}): Change =>
  entry({ plane: 'control', method, path, body: JSON.stringify(body) });

/** What no sandbox writes, with what the message says. */
const REFUSED: Readonly<Record<string, readonly [Change, RegExp]>> = {
  'an unknown member of the header': [header({ extra: 1 }), /:1: .*extra/],
  'another version': [header({ record: 2 }), /:1: record: /],
  'a world with a path in its id': [header({ world: '../main' }), /:1: world: /],
  handlers: [options({ handlers: './run.js' }), /:1: options: .*handlers/],
  'a state file': [options({ state: '/etc/passwd' }), /:1: options: .*state/],
  'fixtures of files': [options({ fixtures: ['/etc/passwd'] }), /:1: options: .*fixtures/],
  'a configuration file': [options({ config: '/etc/passwd' }), /:1: options: .*config/],
  'egress to everywhere': [options({ egress: 'any' }), /:1: options: .*egress/],
  'a certificate file': [options({ webhookCa: '/etc/passwd' }), /:1: options: .*webhookCa/],
  'a seed that is a text': [options({ seed: 'x' }), /:1: options\.seed: /],
  'a seed beyond its edge': [options({ seed: 1e300 }), /:1: options\.seed: /],
  'a negative retry speed': [options({ retrySpeed: -1 }), /:1: options\.retrySpeed: /],
  'ids of any length': [options({ idLength: 1e9 }), /:1: options\.idLength: /],
  'an unknown setting': [options({ assume: { handlers: 'x' } }), /:1: options\.assume/],
  'an origin with a path': [options({ origin: 'http://a/b' }), /:1: options\.origin: /],
  'a key seed that is negative': [keys({ seed: -1 }), /:1: options\.keys\.seed: /],
  'a short secret': [keys({ secret: 'ab' }), /:1: options\.keys\.secret: /],
  'a tag of another form': [keys({ tag: '../../..' }), /:1: options\.keys\.tag: /],
  'a forwarding to a file': [
    options({ forwarding: { url: 'file:///etc', map: {}, allowHttp: true } }),
    /:1: options\.forwarding: /,
  ],
  'a start without a clock': [header(({ start }) => delete start.clock), /:1: start: clock: is required/],
  'a start that does not fit': [
    header(({ start }) => Object.assign(start.tables, { cards: [{}] })),
    /:1: start: /,
  ],
  'a start beyond the end of time': [
    header(({ start }) => Object.assign(start.clock, { now: '+275760-09-13T00:00:00.000Z' })),
    /:1: start: /,
  ],
  'a record without its header': [all => all.shift(), /:1: /],
  'a line of nothing known': [all => all.splice(1, 0, { run: 'me' }), /:2: must be an object with one of/],
  'a line with two members': [all => Object.assign(all[1], { end: {} }), /:2: must be an object with one of/],
  'a line that is a list': [all => all.splice(1, 0, []), /:2: must be an object/],
  'a line that is null': [all => all.splice(1, 0, null), /:2: must be an object/],
  'an unknown member of an entry': [entry({ exec: 'ls' }), /:2: entry: .*exec/],
  'an entry of another form': [entry({ id: 'ent_0' }), /:2: entry\.id: /],
  'an id that is not the next': [entry({ id: 'ent_999999999999999' }), /:3: entry\.id: /],
  'an id twice': [all => Object.assign(all[2].entry, { id: 'ent_1' }), /:3: entry\.id: /],
  'a time that does not exist': [entry({ at: '2026-02-30T00:00:00.000Z' }), /:2: entry\.at: /],
  'a negative time': [entry({ at: '-000001-01-01T00:00:00.000Z' }), /:2: entry\.at: /],
  'an unknown plane': [entry({ plane: 'server' }), /:2: entry\.plane: /],
  'a path of another plane': [entry({ plane: 'partner' }), /:2: entry\.path: /],
  'a stop': [call('POST', '/_sandbox/stop'), /:2: entry\.path: /],
  'a new world': [call('POST', '/_sandbox/worlds', { fixtures: ['/etc/passwd'] }), /:2: entry\.path: /],
  'the end of a world': [call('DELETE', '/_sandbox/worlds/main'), /:2: entry\.path: /],
  'a call of another world': [call('POST', '/_sandbox/worlds/main/reset'), /:2: entry\.path: /],
  'a save': [call('POST', '/_sandbox/state/save'), /:2: entry\.path: /],
  'a read of the state': [call('GET', '/_sandbox/state'), /:2: entry\.path: /],
  'a stream': [call('GET', '/_sandbox/stream'), /:2: entry\.path: /],
  'a call that waits for a webhook': [call('POST', '/_sandbox/wait'), /:2: entry\.path: /],
  'a state of a request': [entry({ state: {} }), /:2: entry\.state: /],
  'a state that does not fit': [
    all => Object.assign(all.find(line => line.entry?.state).entry, { state: { version: 1 } }),
    /entry\.state: /,
  ],
  'a state of no entry': [entry({ stateOf: 'ent_7' }), /:2: entry\.stateOf: /],
  'headers that are numbers': [headers({ host: 1 }), /:2: entry\.headers/],
  'a header that names who called': [
    headers({ authorization: 'Bearer x' }),
    /:2: entry\.headers\.authorization: /,
  ],
  'a header in capitals': [headers({ Host: 'a' }), /:2: entry\.headers\.Host: /],
  'a header of two lines': [headers({ host: 'a\r\nx: y' }), /:2: entry\.headers\.host: /],
  'a query in a path': [entry({ path: '/_sandbox/a?b' }), /:2: entry\.path: /],
  'a reason that no sandbox gives': [entry({ unrepeatable: 'so', body: null }), /:2: entry\.unrepeatable: /],
  'a body that is null without a reason': [entry({ body: null }), /:2: entry\.body: /],
  'a response that is null without its status': [entry({ response: null }), /:2: entry\.response: /],
  'a response that was not lost': [entry({ response: null, status: null }), /:2: entry\.status: /],
  'a status that is a text': [entry({ status: '200' }), /:2: entry\.status: /],
  'a rewind to nowhere': [all => all.splice(2, 0, { rewind: { to: 'ent_7' } }), /:3: rewind\.to: /],
  'a rewind with more': [all => all.splice(2, 0, { rewind: { to: 'ent_1', run: 1 } }), /:3: rewind: .*run/],
  'an attempt with more': [attempt({ file: '/etc/passwd' }), /attempt: .*file/],
  'an attempt that took less than no time': [attempt({ durationMs: -1 }), /attempt\.durationMs: /],
  'a wrong number of entries': [last({ entries: 7 }), /end\.entries: /],
  'a wrong number of attempts': [last({ attempts: 7 }), /end\.attempts: /],
  'a line after the end': [all => all.push(all[1]), /stands after the line "end"/],
  'an end twice': [all => all.push(all.at(-1)), /stands after the line "end"/],
};

/** What a sandbox may write, and what does no harm. */
const HARMLESS: Readonly<Record<string, Change>> = {
  'a webhook URL of a server that listens': all => {
    for (const line of all) if (line.attempt) line.attempt.url = url;
  },
  'a forwarding to a server that listens': options(each => Object.assign(each, { forwardTo: url })),
  'a map to a server that listens': options(each =>
    Object.assign(each, { map: [`https://hooks.example=${url}`] }),
  ),
  'a fixture that is a path': call('POST', '/_sandbox/partners', { fixture: '/etc/passwd' }),
  'control characters in a path': entry({ plane: 'partner', path: '/v1/\u001b[2J\u0007' }),
  'a move beyond the end of time': call('POST', '/_sandbox/clock/advance', { duration: '36500d' }),
  'a page that there is not': entry({ plane: 'page', path: '/../../etc/passwd' }),
  'a time far ahead': all => Object.assign(all[1].entry, { at: '9999-12-31T23:59:59.999Z' }),
  'an attempt of no event': attempt({ event: 'evt_none' }),
  'no end': all => all.pop(),
};

/** Writes the lines of the record, changed. */
function write(change: Change): string {
  const all = structuredClone(lines) as Json[];
  change(all);
  writeFileSync(FILE, all.map(line => `${JSON.stringify(line)}\n`).join(''));
  return FILE;
}

/** Reads and plays a file. Nothing may be sent, and nothing written beside it. */
async function play(file: string) {
  const { played, sandbox } = await playRecord(await readRecord(file));
  sandbox.stop();
  return played;
}

test('the record that the others are made of plays', async () => {
  expect(await play(write(() => undefined))).toMatchObject({ compared: 4, different: [], missing: [] });
});

for (const [name, [change, message]] of Object.entries(REFUSED)) {
  test(`a record is refused with file, line and member: ${name}`, async () => {
    const error = await play(write(change)).catch(thrown => thrown);
    expect(error).toBeInstanceOf(RecordError);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(FILE);
    expect(error.message.length).toBeLessThan(1_000);
    expect(readdirSync(folder)).toEqual(['main.record.jsonl']);
    expect(connections).toBe(0);
  });
}

for (const [name, change] of Object.entries(HARMLESS)) {
  test(`a record plays and reaches nothing: ${name}`, async () => {
    await play(write(change));
    expect(readdirSync(folder)).toEqual(['main.record.jsonl']);
    expect(connections).toBe(0);
  });
}

/** Files that are no records, by how they are written. */
const FILES: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
  'an empty file': [path => writeFileSync(path, ''), /is empty/],
  'a folder': [path => mkdirSync(path), /is not a regular file/],
  'a FIFO': [path => execFileSync('mkfifo', [path]), /is not a regular file/],
  'a link': [path => symlinkSync('/etc/passwd', path), /is not a regular file/],
  'bytes that are not UTF-8': [
    path => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d, 0x0a])),
    /:1: is not UTF-8/,
  ],
  'UTF-16': [path => writeFileSync(path, Buffer.from('\u{feff}{"record": 1}\n', 'utf16le')), /:1: .*UTF-/],
  text: [path => writeFileSync(path, 'not JSON\u001b[2J\n'), /:1: not JSON|:1: /],
  'a note in place of a record': [
    path => writeFileSync(path, '{"unwritten":"it is too large"}\n'),
    /: the record could not be written: it is too large$/,
  ],
  'a deep line': [path => writeFileSync(path, `${'['.repeat(200_000)}\n`), /:1: /],
  'a member __proto__': [path => writeFileSync(path, '{"__proto__": {"record": 1}}\n'), /:1: /],
  'a member constructor': [path => writeFileSync(path, '{"constructor": {"prototype": {}}}\n'), /:1: /],
};

for (const [name, [make, message]] of Object.entries(FILES)) {
  test(`a file is refused: ${name}`, async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'strangers-')), 'a.record.jsonl');
    make(path);
    const error = await play(path).catch(thrown => thrown);
    expect(error).toBeInstanceOf(RecordError);
    expect(error.message).toMatch(message);
  });
}

test.each([
  ['the beginning of another record', Buffer.from('{"record":1,')],
  ['bytes that are not UTF-8', Buffer.from([0xff])],
])('a record is refused where something without a line end stands after its end: %s', async (_, rest) => {
  const file = write(() => undefined);
  writeFileSync(file, Buffer.concat([readFileSync(file), rest]));
  await expect(play(file)).rejects.toThrow(/stands after the line "end"/);
});

test('a record with a byte order mark plays', async () => {
  const file = write(() => undefined);
  writeFileSync(file, `\u{feff}${readFileSync(file, 'utf8')}`);
  expect(await play(file)).toMatchObject({ different: [] });
});

test('a long line and a large file are refused before they are in memory', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'strangers-')), 'a.record.jsonl');
  const file = openSync(path, 'w');
  writeSync(file, '{"record"');
  // A hole in the file: it takes no space.
  ftruncateSync(file, 200 * 1024 * 1024);
  const before = process.memoryUsage().rss;
  await expect(readRecord(path)).rejects.toThrow(/:1: is longer than/);
  expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  ftruncateSync(file, 300 * 1024 * 1024);
  await expect(readRecord(path)).rejects.toThrow(/is larger than/);
  closeSync(file);
});
