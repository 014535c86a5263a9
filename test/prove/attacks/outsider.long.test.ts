import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { fixtureFile, temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { receive } from '../../sandbox/transport/receiver.ts';
import { connectHere } from '../../server/mcp/mcp-client.ts';
import { launchHere, runInProcess, serveHere } from '../../support/cli-in-process.ts';
import { listen } from '../../support/listen.ts';
import { PROOF_TIMEOUT_MS, recordResult, sample } from '../../support/proof/proof-size.ts';
import { ACME_KEY, type Json, startSandbox } from '../../support/sandbox.ts';

const timeout = PROOF_TIMEOUT_MS;
/** Characters that drive a terminal, reorder or hide text, or are markup. */
const EVIL = '\u001b[2J\u009b31m\u202e\u2028|<b>`$(id)`\r\n# heading\u0007';
/** What no output may have: control characters, and signs of a program that broke. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const BROKEN = /node:internal|\bat \w+ \(|is not a function|call stack|bug in/;

function expectSafe(what: unknown, ...texts: readonly string[]) {
  for (const text of texts) {
    expect([what, CONTROLS.exec(text.replaceAll('\n', ''))]).toEqual([what, null]);
    expect([what, BROKEN.exec(text)]).toEqual([what, null]);
  }
}

const deep = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

const JSON_TYPE = { 'content-type': 'application/json' };
const BOMB = gzipSync(Buffer.alloc(64 * 1_024 * 1_024, ' '));
const body =
  (text: string, status = 200, headers: Record<string, string> = JSON_TYPE): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(text);
const raw =
  (text: string): RequestListener =>
  request =>
    void request.socket.end(Buffer.from(text, 'latin1'));
const record = JSON.stringify({ id: EVIL, [EVIL]: EVIL, available: EVIL, error: EVIL, data: [EVIL] });

/** Services that a scenario is played against. */
const SERVICES: Readonly<Record<string, RequestListener>> = {
  'control characters in a record': body(record),
  'control characters in a list': body(`[${record},1]`),
  'control characters in an error': body(record, 400),
  'control characters as text': body(EVIL, 200, { 'content-type': 'text/plain' }),
  'lists in lists': body(deep('[', ']', 50_000)),
  'objects in objects': body(deep('{"a":', '}', 20_000)),
  'errors in errors': body(deep('{"error":', '}', 20_000), 400),
  'names of prototypes': body(
    '{"__proto__":{"id":1},"constructor":1,"toString":1,"available":{"toString":1}}',
  ),
  null: body('null'),
  'a compressed bomb': (_request, response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
  'no end': (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  },
  'redirects without an end': (request, response) =>
    void response.writeHead(307, { location: `${request.url}x` }).end(),
  'a redirect to a file': body('', 302, { location: 'file:///etc/passwd' }),
  'a wait of a lifetime': body('{}', 429, { 'retry-after': '999999999999' }),
  'no HTTP': raw('hello\r\n\r\n'),
  'the status 000': raw('HTTP/1.1 000 None\r\ncontent-length: 2\r\n\r\n{}'),
  'the status 999': raw('HTTP/1.1 999 High\r\ncontent-length: 2\r\n\r\n{}'),
  'another protocol': raw('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'many headers': raw(`HTTP/1.1 200 OK\r\n${'h: v\r\n'.repeat(50_000)}\r\n`),
};

test('run: what a hostile service says is in no report and on no terminal as it wants to be', {
  timeout,
}, async context => {
  const step = { request: 'GET /partner/balance' };
  const file = fixtureFile(
    stringify({
      name: 'A hostile service',
      steps: [
        { ...step, expect: { status: 200, body: { available: '<number>' } } },
        { ...step, capture: { id: 'body.id' } },
        { ...step, expect: { status: 201, body: { data: ['/^x$/'], error: '<absent>' } } },
      ],
    }),
  );
  const services = sample(Object.entries(SERVICES), 10);
  for (const [what, listener] of services) {
    const junit = join(temporaryFolder(), 'junit.xml');
    const target = ['--base-url', `${await listen(listener)}/v1`, '--api-key', ACME_KEY];
    for (const form of [[], ['--json'], ['--verbose']]) {
      const words = ['run', file, ...target, ...form, '--junit', junit];
      const { code, stdout, stderr } = await runInProcess(words);
      expect([what, form, code]).toEqual([what, form, 1]);
      const report = readFileSync(junit, 'utf8');
      expectSafe([what, form], stdout, stderr, report);
      expect([what, stdout.length < 1_000_000 && report.length < 1_000_000]).toEqual([what, true]);
    }
  }
  recordResult(context, `${services.length} services, each played 3 times, 0 control characters`);
});

/** What a receiver of webhooks answers, byte by byte. */
const ANSWERS: readonly string[] = [
  ...['000', '001', '099'].map(status => `HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`),
  'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  'HTTP/1.1 199 X\r\n\r\nHTTP/1.1 201 X\r\ncontent-length: 0\r\n\r\n',
  `${'HTTP/1.1 103 X\r\nlink: <x>\r\n\r\n'.repeat(500)}HTTP/1.1 200 X\r\ncontent-length: 0\r\n\r\n`,
  'HTTP/1.1 600 X\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 999 X\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.1 204 X\r\ncontent-length: 5\r\n\r\nhello',
  'HTTP/1.1 304 X\r\ncontent-type: x\r\n\r\n',
  'HTTP/1.1 200 X\r\ncontent-type: \x9b31m\xff\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.1 200 X\r\ncontent-type: a\x01\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.1 200 X\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  `HTTP/1.1 200 X\r\n${'h: v\r\n'.repeat(50_000)}\r\n`,
  'HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{}',
  'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\nZZZ\r\n',
  `HTTP/1.1 500 \x1b[2J\x9b\r\ncontent-length: 4\r\n\r\n\x1b[2J`,
  '\x1b[2J\r\n\r\n',
];

test('receivers that answer strangely: each webhook gets a status or a cause, which listen prints', {
  timeout,
}, async context => {
  const sandbox = await serveHere(['--freeze']);
  let answer = '';
  const app = await receive(socket => socket.end(Buffer.from(answer, 'latin1')));
  const listening = launchHere(['listen', '--json', '--url', sandbox.url, '--forward-to', app.url]);
  await listening.printed(/^.*\n/);
  for (const [index, text] of ANSWERS.entries()) {
    answer = text;
    const { body: event } = await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
    await listening.printed(new RegExp(`(?:.*"webhook".*\\n){${index + 1}}`));
    const printed = listening.stdout().trim().split('\n');
    const { body: delivery } = await sandbox.ask('GET', `/_sandbox/deliveries/${event.id}`);
    const [{ status, cause }] = delivery.attempts;
    expect([text, JSON.parse(printed.at(-1) ?? '').answer]).toEqual([text, String(status ?? cause)]);
    expect([text, status === null || (status >= 200 && status <= 999)]).toEqual([text, true]);
    expect([text, cause === null]).toEqual([text, status !== null && status >= 200 && status < 300]);
  }
  expectSafe('listen', listening.stdout(), listening.stderr());
  expect(await listening.stop()).toBe(0);
  recordResult(context, `${ANSWERS.length} answers, each received, none ends a process`);
});

/** Calls of tools with arguments that no client of good will sends, as JSON. */
const CALLS: readonly (readonly [tool: string, args: string])[] = [
  ...['[]', '{}', '{"toString":1}', '{"toString":null,"valueOf":null}', deep('[', ']', 5_000)].flatMap(
    value =>
      ['query', 'headers'].map(
        name =>
          ['call_api', `{"method":"GET","path":"/v1/partner/balance","${name}":{"a":${value}}}`] as const,
      ),
  ),
  ...['"x\\r\\ny":"z"', '"a":"b\\r\\nc: d"', '"transfer-encoding":"chunked","content-length":"5"'].map(
    headers => ['call_api', `{"method":"GET","path":"/v1/partner/balance","headers":{${headers}}}`] as const,
  ),
  ...[deep('[', ']', 3_000), deep('{"a":', '}', 3_000), '1e400', '"\\u0000"'].map(
    value => ['call_api', `{"method":"POST","path":"/v1/partner/cardholders","body":${value}}`] as const,
  ),
  ['call_api', `{"method":"GET","path":"/v1/${'%'.repeat(30_000)}"}`],
  ['call_api', `{"method":"GET","path":"/v1/partner/cards?${'a=1&'.repeat(50_000)}"}`],
  ...['__proto__', 'constructor', 'toString', '\\u001b[2J', '../x', 'stop', 'state.save'].flatMap(action =>
    ['world', 'worlds', 'time', 'faults'].map(tool => [tool, `{"action":"${action}"}`] as const),
  ),
  ...['"../x"', '"__proto__"', '"constructor"', '"a/b"', '{}', '""', '"\\u202e"'].map(
    id => ['worlds', `{"action":"worlds.create","id":${id}}`] as const,
  ),
  ...[`"${'9'.repeat(400)}d"`, '"36526d"', '1e308', '"-1h"', '"1e9h"', '"Infinityh"', '"NaNms"'].map(
    duration => ['time', `{"action":"clock.advance","duration":${duration}}`] as const,
  ),
  ...['"+275760-09-13T00:00:00Z"', '"-000001-01-01T00:00:00Z"', '"2026-02-30T00:00:00Z"', '1e308'].map(
    at => ['time', `{"action":"clock.freeze","at":${at}}`] as const,
  ),
  ...['__proto__', 'constructor', 'x'.repeat(100_000)].map(
    operation => ['find_operations', `{"operation":"${operation}"}`] as const,
  ),
  ...['__proto__', 'constructor', 'toString', '', '\u001b[2J', 'x'.repeat(100_000)].map(
    tool => [tool, '{}'] as const,
  ),
];

test('mcp: each hostile call of a tool is answered in words, and the world is as it was', {
  timeout,
}, async context => {
  const { call } = await connectHere();
  const state = async () =>
    (await call('call_api', { method: 'GET', path: '/v1/partner/balance' })).json.body;
  const before = await state();
  let refused = 0;
  for (const [tool, args] of CALLS) {
    const what = [tool.slice(0, 40), args.slice(0, 80)];
    const { isError, texts } = await call(tool, JSON.parse(args));
    expect([what, BROKEN.exec(texts.join('\n'))]).toEqual([what, null]);
    refused += Number(isError);
  }
  expect(await state()).toEqual(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(refused).toBeGreaterThan(CALLS.length * 0.8);
  recordResult(context, `${CALLS.length} calls, ${refused} refused, none is a failure of the server`);
});

/** JSON of values that take the place of each member of a state. */
const VALUES = [
  ...[JSON.stringify(EVIL), '1e308', '-1', '-0', '0.1', '9007199254740993', 'null', 'true', '[[[[]]]]'],
  ...['{"__proto__":{"x":1}}', '"__proto__"', '"../../etc/passwd"', `"${'x'.repeat(10_000)}"`],
  ...['"+275760-09-13T00:00:00.000Z"', '"0000-01-01T00:00:00.000Z"', '{"toString":null}'],
];

/** What a world with a hostile state is asked. */
const QUESTIONS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ...['/state', '/info', '/history', '/deliveries', '/clock', '/partners'].map(
    path => ['GET', `/_sandbox${path}`] as const,
  ),
  ...['/cards', '/cardholders', '/balance', '/transactions'].map(
    path => ['GET', `/v1/partner${path}`] as const,
  ),
  ['POST', '/_sandbox/clock/advance', { duration: '30d' }],
  ['POST', '/_sandbox/reset'],
];

test('state documents: with any member replaced, a state is refused or served without an error of the sandbox', {
  timeout,
}, async context => {
  const { origin, api, control } = await startSandbox({ fixtures: ['error-flows'], rateLimit: 0 });
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  };
  await api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['balance.top_up'] });
  await control('POST', '/events', { eventType: 'balance.top_up' });
  const state: Json = JSON.parse((await ask('GET', '/_sandbox/state')).text);
  const places: (readonly (string | number)[])[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]) => {
    if (path.length > 0) places.push(path);
    if (typeof value !== 'object' || value === null) return;
    // The rows of a table are alike.
    const members = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
    for (const [name, member] of members) visit(member, [...path, name]);
  };
  visit(state, []);
  const changes = sample(
    places.flatMap(path => VALUES.map(value => [path, value] as const)),
    60,
  );
  let accepted = 0;
  for (const [path, value] of changes) {
    const what = [path.join('.'), value.slice(0, 40)];
    const document = structuredClone(state);
    const parent = path.slice(0, -1).reduce((each, name) => each[name], document);
    parent[path.at(-1) ?? ''] = '@PLACE';
    const reply = await ask(
      'PUT',
      '/_sandbox/state',
      JSON.stringify(document).replace('"@PLACE"', () => value),
    );
    expect([...what, [200, 204, 400].includes(reply.status)]).toEqual([...what, true]);
    expect([...what, BROKEN.exec(reply.text)]).toEqual([...what, null]);
    if (reply.status === 400) continue;
    accepted += 1;
    for (const [method, url, body] of QUESTIONS) {
      const { status } = await ask(method, url, body && JSON.stringify(body));
      expect([...what, method, url, status < 500]).toEqual([...what, method, url, true]);
    }
  }
  expect(accepted).toBeGreaterThan(0);
  recordResult(context, `${places.length} members, ${changes.length} states, ${accepted} accepted, no 5xx`);
});
