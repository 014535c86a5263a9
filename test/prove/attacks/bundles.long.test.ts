import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { receive } from '../../sandbox/transport/receiver.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import type { Json } from '../../support/sandbox.ts';

const timeout = PROOF_TIMEOUT_MS;
/** In the short run every third option, step and file of the tables is tried. */
const STEP = size(3, 1);
/** In every file outside of the folder, so that a message that quotes one shows it. */
const CANARY = 'canary-0f3b9a';

/** A folder that `exec` has written, and what is beside it: files that nothing may read, write or execute. */
async function createPlace() {
  const parent = temporaryFolder();
  const [bundle, outside] = [join(parent, 'bundle'), join(parent, 'outside')];
  const flags = ['--allow-http-webhooks', '--artifacts', bundle, '--artifacts-always'];
  expect((await runInProcess(['exec', ...flags, '--', 'true'])).code).toBe(0);
  mkdirSync(outside);
  const mark = join(outside, 'executed');
  const code = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, ''); export default [];`;
  for (const [name, text] of Object.entries({
    'evil.mjs': `// ${CANARY}\n${code}`,
    'file.yaml': `${CANARY}: {`,
    'state.json': readFileSync(join(bundle, 'start.json'), 'utf8'),
  }))
    writeFileSync(join(outside, name), text);
  writeFileSync(join(bundle, 'evil.mjs'), code);
  const written = join(parent, 'written');
  cpSync(bundle, written, { recursive: true });
  const seen = () =>
    readdirSync(parent, { recursive: true, encoding: 'utf8' })
      .filter(file => !file.startsWith('bundle'))
      .map(file => [file, statSync(join(parent, file)).mtimeMs]);
  const before = seen();
  return {
    bundle,
    outside,
    /** Makes the folder again what `exec` has written. */
    restore() {
      rmSync(bundle, { recursive: true, force: true });
      cpSync(written, bundle, { recursive: true });
    },
    /** Changes the parsed content of a file. */
    edit(file: string, change: (content: Json) => void) {
      const path = join(bundle, file);
      const content = parse(readFileSync(path, 'utf8'));
      change(content);
      writeFileSync(path, file.endsWith('.yaml') ? stringify(content) : JSON.stringify(content));
    },
    async play() {
      const played = await runInProcess(['run', bundle]);
      expect(seen()).toEqual(before);
      expect(played.stdout + played.stderr).not.toContain(CANARY);
      expect(played.stderr).not.toMatch(/node:internal|\bat \w+ \(|bug in the sandbox/);
      return played;
    },
  };
}

/** Options of `start` and inventions, with values that would act if they were used. */
const OPTIONS = (outside: string): readonly [name: string, value: string][] => {
  const values = [
    ...[`${outside}/evil.mjs`, 'evil.mjs', './evil.mjs', '../outside/evil.mjs', `file://${outside}/evil.mjs`],
    'data:text/javascript,process.exit(9)',
  ];
  const files = [`${outside}/state.json`, '../outside/file.yaml', '/proc/self/environ'];
  const text = (value: unknown) => JSON.stringify(value);
  return [
    ...values.map((value): [string, string] => ['handlers', text(value)]),
    ...['state', 'webhookCa', 'scenarios', 'fixtures', 'watch'].flatMap(name =>
      [text(files[0]), text(files)].map((value): [string, string] => [name, value]),
    ),
    ...['Handlers', 'HANDLERS', 'handlers ', 'hand\\u006cers', 'web-hook-ca', 'webhook-ca', 'webhook_ca'].map(
      (name): [string, string] => [name, text(values[0])],
    ),
    ...['egress', 'host', 'port', 'allowHost', 'controlToken', 'maxWorlds', 'worldTtl'].map(
      (name): [string, string] => [name, text('any')],
    ),
    ...['insecureWebhookTls', 'trustProxy', 'background', 'open'].map((name): [string, string] => [
      name,
      'true',
    ]),
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'hasOwnProperty',
      'toString',
      'valueOf',
      '',
      '0',
      'then',
    ].map((name): [string, string] => [name, text({ handlers: values[0], state: files[0] })]),
  ];
};

/** Known members with values that `exec` does not write. */
const VALUES: readonly [name: string, value: unknown][] = [
  ['version', '1'],
  ['version', [1]],
  ['version', 99],
  ['version', null],
  ['cardSandbox', 1],
  ['seed', ['42']],
  ['seed', { handlers: 'evil.mjs' }],
  ['clock', ['2026-03-15T10:00:00Z']],
  ['clock', { toString: 'x' }],
  ['freeze', 'true'],
  ['kycDelay', 2],
  ['kycDelay', '-1s'],
  ['idLength', 1e9],
  ['rateLimit', -1],
  ['retrySpeed', '60'],
  ['allowHttpWebhooks', 'yes'],
  ['forwardTo', 'file:///etc/passwd'],
  ['forwardTo', ['http://127.0.0.1/']],
  ['map', 'https://a.example=http://127.0.0.1/'],
  ['map', [{ __proto__: null }]],
  ['documentedOnly', 1],
  ['names', ['service']],
  ['names', { service: '../../x' }],
  ['assume', ['kyc-decision']],
  ['assume', { 'no-such-assumption': 'x' }],
];

test('run DIR: no option that a stranger adds to a folder is used, and the message names the file and the member', {
  timeout,
}, async context => {
  const place = await createPlace();
  const file = join(place.bundle, 'options.json');
  const options = OPTIONS(place.outside).filter((_, index) => index % STEP === 0);
  for (const [name, value] of options) {
    place.restore();
    const text = readFileSync(file, 'utf8');
    // As text, because a member of this name is set in no other way.
    writeFileSync(file, text.replace(/\}\s*$/, `,"${name}":${value}}`));
    const member = JSON.parse(`"${name}"`);
    expect([name, value, await place.play()]).toEqual([
      name,
      value,
      expect.objectContaining({ code: 1, stderr: expect.stringContaining(`options.json: ${member}: `) }),
    ]);
  }
  const values = VALUES.filter((_, index) => index % STEP === 0);
  for (const [name, value] of values) {
    place.restore();
    place.edit('options.json', content => Object.assign(content, { [name]: value }));
    expect([name, value, await place.play()]).toEqual([
      name,
      value,
      expect.objectContaining({ code: 1, stderr: expect.stringContaining(`options.json: ${name}`) }),
    ]);
  }
  recordResult(context, `${options.length} members, ${values.length} values, all refused, 0 files touched`);
});

/** Steps that no history has: what acts outside of the sandbox, and other spellings of it. */
const STEPS: readonly object[] = [
  ...['POST /state/save', 'POST /stop', 'GET /state', 'GET /process', 'GET /stream', 'stop', 'state.save'],
  ...['POST /state/save/', 'POST //stop', 'POST /stop?', 'POST /stop?x=1', 'POST /stop#', 'POST /%73top'],
  ...[
    'POST /Stop',
    'POST /./stop',
    'POST /clock/../stop',
    'POST /clock/%2e%2e/stop',
    'POST /worlds/main/stop',
  ],
  ...[
    'POST /cards/%2e%2e/stop',
    'POST /..;/stop',
    'POST \\\\stop',
    'POST http://127.0.0.1/stop',
    'post /stop',
  ],
  ...[
    'POST /stop\t',
    ' POST /stop',
    'DELETE /worlds/main',
    'POST /worlds',
    'GET /history/export',
    'POST /wait',
  ],
  ...['OPTIONS /stop', 'HEAD /state', 'POST /__proto__', 'POST /constructor', 'CONNECT /stop'],
].map(control => ({ control }));
const OTHER_STEPS: readonly object[] = [
  { control: 'stop', params: {} },
  { control: 'stop', params: { __proto__: 'x' } },
  { wait: '1000h' },
  { respond: 200 },
  { advance: '1h' },
  { webhook: { eventType: 'balance.top_up' }, within: '1000h' },
  { request: 'GET /partner/cards', repeat: 10_000 },
  { request: 'GET /partner/cards', within: '1000h' },
  { request: 'TRACE /partner/cards' },
  { request: 'GET https://evil.example/' },
  { request: 'GET partner/cards' },
  { request: ['GET /partner/cards'] },
  { handlers: 'evil.mjs' },
];

/** Requests that are sent below /v1 or not at all. */
const PATHS = [
  ...['/../_sandbox/stop', '/../_sandbox/state/save', '/%2e%2e/_sandbox/stop', '/.%2E/_sandbox/stop'],
  ...[
    '/x/../../_sandbox/stop',
    '/..\\_sandbox\\stop',
    '/partner/../../_sandbox/stop',
    '//../../_sandbox/stop',
  ],
  ...['/%2E./_sandbox/stop?x', '/../_sandbox/stop#x', '/../../_sandbox/stop', '/..;/../_sandbox/stop'],
];

test('run DIR: no step of a history saves, stops, leaves the API or makes the player wait', {
  timeout,
}, async context => {
  const place = await createPlace();
  const steps = [...STEPS, ...OTHER_STEPS].filter((_, index) => index % STEP === 0);
  for (const step of steps) {
    place.restore();
    place.edit('history.yaml', content => void content.steps.push(step));
    expect([step, await place.play()]).toEqual([
      step,
      expect.objectContaining({ code: 1, stderr: expect.stringMatching(/history\.yaml:\d+: /) }),
    ]);
  }
  place.restore();
  place.edit('history.yaml', content => {
    content.steps.push(...PATHS.map(path => ({ request: `POST ${path}`, expect: { status: 404 } })));
    content.steps.push({ request: 'GET /partner/balance', expect: { status: 200 } });
  });
  const { code, stdout } = await place.play();
  expect(code).toBe(1);
  expect(stdout.match(/leads to \/_sandbox/g)?.length).toBeGreaterThan(8);
  recordResult(context, `${steps.length} steps refused, ${PATHS.length} paths not left`);
});

test('run DIR: nothing in a folder makes the player call a service of its machine', {
  timeout,
}, async context => {
  const place = await createPlace();
  const service = await receive(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  const url = `${service.url}admin`;
  const hooks = 'https://hooks.example/';
  const config = (webhookUrl: string) => ({
    webhookUrl,
    webhookSecret: 'a-secret-of-16-characters',
    subscribedEvents: ['balance.top_up'],
  });
  const event = { control: 'POST /events', body: { eventType: 'balance.top_up' } };
  const forward = { control: 'PUT /forwarding', body: { url } };
  const own = { control: 'PATCH /webhooks/config', body: config(hooks) };
  const cases: readonly (readonly [string, (content: Json) => void])[] = [
    ['history.yaml', ({ steps }) => steps.push(own, forward, event)],
    [
      'history.yaml',
      ({ steps }) =>
        steps.push(forward, own, event, { control: 'POST /clock/advance', body: { duration: '48h' } }),
    ],
    [
      'history.yaml',
      ({ steps }) => steps.push(own, { control: 'PUT /forwarding', body: { map: { [hooks]: url } } }, event),
    ],
    [
      'history.yaml',
      ({ steps }) => steps.push({ control: 'PATCH /webhooks/config', body: config(url) }, event),
    ],
    [
      'history.yaml',
      ({ steps }) => steps.push({ request: 'PATCH /partner/webhooks/config', body: config(url) }, event),
    ],
    [
      'history.yaml',
      ({ steps }) => {
        const state = JSON.parse(readFileSync(join(place.bundle, 'start.json'), 'utf8'));
        const [first] = state.tables.webhookConfigs;
        Object.assign(first ?? {}, config(url));
        steps.push({ control: 'PUT /state', body: { ...state, forwarding: { url } } });
        steps.push({ control: 'PUT /state', body: state }, event);
      },
    ],
    ['options.json', content => Object.assign(content, { forwardTo: url })],
    ['options.json', content => Object.assign(content, { map: { [hooks]: url } })],
    [
      'history.yaml',
      ({ steps }) => steps.push({ control: 'POST /worlds', body: { id: 'w', forwardTo: url } }),
    ],
    ['start.json', content => Object.assign(content, { forwarding: { url, map: {} } })],
    ['start.json', content => Object.assign(content.tables.webhookConfigs?.[0] ?? content, config(url))],
  ];
  for (const [index, [file, change]] of cases.entries()) {
    place.restore();
    place.edit('history.yaml', ({ steps }) => {
      if (file !== 'history.yaml') steps.push(own, event);
    });
    place.edit(file, change);
    const { code } = await place.play();
    expect([index, code, service.accepted()]).toEqual([index, expect.any(Number), 0]);
  }
  recordResult(context, `${cases.length} folders, 0 connections`);
});

test('run DIR: links, other kinds of files, and files that are large, deep or no text are refused by name', {
  timeout,
}, async context => {
  const place = await createPlace();
  const files = ['options.json', 'start.json', 'history.yaml', 'deliveries.json'];
  const deep = '['.repeat(200_000);
  const contents: readonly (string | Buffer)[] = [
    ...[
      '',
      '\0',
      '[1]',
      'null',
      '1',
      '"x"',
      '{',
      `${deep}`,
      `{"a":${deep}`,
      '- '.repeat(20_000),
      '!!js/function "x"',
    ],
    `{"a":${'{"a":'.repeat(200_000)}`,
    'a: &a [1]\nb: *a',
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    Buffer.from([0xc0, 0xaf]),
    ' '.repeat(20_000_000),
    `{"format":"card-sandbox-state","version":99}`,
    `{"x":"card-sandbox","format" : "card-sandbox-state"`,
  ];
  let [count, refused] = [0, 0];
  for (const file of files) {
    const path = join(place.bundle, file);
    const makes: readonly (() => void)[] = [
      () => symlinkSync(join(place.outside, 'state.json'), path),
      () => symlinkSync('../outside/file.yaml', path),
      () => symlinkSync('/dev/null', path),
      () => symlinkSync(file, path),
      () => mkdirSync(path),
      () => {
        renameSync(join(place.bundle, 'requests.json'), join(place.bundle, 'moved.json'));
        symlinkSync('moved.json', path);
      },
      ...contents.map(content => () => writeFileSync(path, content)),
    ];
    for (const [index, make] of makes.entries()) {
      count += 1;
      if (count % STEP !== 0) continue;
      place.restore();
      rmSync(path);
      make();
      const played = await place.play();
      expect([file, index, played]).toEqual([
        file,
        index,
        expect.objectContaining({ code: 1, stderr: expect.stringContaining(file) }),
      ]);
      expect([file, index, played.stderr.length < 4_096]).toEqual([file, index, true]);
      refused += 1;
    }
  }
  recordResult(context, `${refused} files of ${files.length} names, all refused`);
});
