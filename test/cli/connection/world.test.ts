import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { wholeProgram } from '../../../src/cli/program.ts';
import {
  launchHere,
  runInProcess,
  sharedSandbox,
  startHere,
  startPrettyHere,
} from '../../support/cli-in-process.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const { run, json, running } = sharedSandbox();

const addWorld = (...words: string[]) => json('worlds', 'add', ...words);
const keyOf = (world: { partners: { apiKey: string }[] }) => ({
  'x-service-api-key': world.partners[0]?.apiKey ?? '',
});

test('--world and its variable direct every command to a world', async () => {
  const { id } = await addWorld();
  const { url } = running();
  expect(await json('clock', 'advance', '1h', '--world', id)).toMatchObject({
    now: '2026-03-15T11:00:00.000Z',
  });
  const variables = { CARD_SANDBOX_URL: url, CARD_SANDBOX_WORLD: id };
  const now = (...words: string[]) => runInProcess(['clock', 'now', '--json', ...words], variables);
  expect(JSON.parse((await now()).stdout)).toMatchObject({ now: '2026-03-15T11:00:00.000Z' });
  expect(JSON.parse((await now('--world', 'main')).stdout)).toMatchObject({
    now: '2026-03-15T10:00:00.000Z',
  });
  expect(JSON.parse((await now('--world', '')).stdout)).toMatchObject({ now: '2026-03-15T10:00:00.000Z' });
  expect(await json('wait', '--world', id)).toMatchObject({ status: 'ok' });
});

test('every command that takes the address of a sandbox takes a world', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const has = (command: Command, name: string) => command.options.some(each => each.long === `--${name}`);
  const callers = leaves(await wholeProgram()).filter(each => has(each, 'url') || has(each, 'control-url'));
  expect(callers.length).toBeGreaterThan(60);
  expect(callers.filter(each => !has(each, 'world')).map(each => each.name())).toEqual([]);
});

test('a world that does not exist is one line that names it and the way out', async () => {
  await addWorld('violet');
  for (const words of [['clock', 'now'], ['wait'], ['env'], ['tail'], ['demo', 'kyc-reimport']]) {
    const { code, stderr } = await run(...words, '--world', 'voilet');
    expect({ words, code, stderr }).toEqual({
      words,
      code: 1,
      stderr:
        'error: no world "voilet", did you mean "violet"?; idle worlds expire (--world-ttl); create one with card-sandbox worlds add, or pass another id with --world or CARD_SANDBOX_WORLD\n',
    });
  }
});

test('worlds are added, listed, shown and removed', async () => {
  const { url } = running();
  const added = await run('worlds', 'add', 'blue', '--fixtures', 'empty');
  const [key = ''] = /sk_test_\w+/.exec(added.stdout) ?? [];
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout.split('\n').map(line => line.trim().replace(/ {2,}/, ': '))).toEqual([
    'World: blue',
    `Key of Acme: ${key}`,
    expect.stringMatching(/^Key of Globex: sk_test_/),
    `Control plane: ${url}/_sandbox/worlds/blue`,
    `Dashboard: ${url}/dashboard/blue`,
    '',
  ]);
  const cards = await running().ask('GET', '/v1/partner/cards', undefined, { 'x-service-api-key': key });
  expect(cards.status).toBe(200);
  const listed = await run('worlds', 'list');
  expect(listed.stdout).toMatch(/^id +createdAt +lastUsedAt +dashboardUrl\nmain /);
  expect(await json('worlds', 'show', 'blue')).toMatchObject({ id: 'blue', partners: [{ apiKey: key }, {}] });
  // The world of the flag does not matter.
  expect((await run('worlds', 'remove', 'blue', '--world', 'main')).stdout).toBe('done\n');
  expect(await run('worlds', 'show', 'blue')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no world "blue"'),
  });
  expect((await run('worlds', 'add', '--print', 'id')).stdout).toMatch(/^world_\w{8}\n$/);
});

test('worlds add passes on its flags, and reads files here', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(file, 'cardholders:\n  - { id: ch_mine, email: m@example.com, externalUserId: mine }\n');
  const world = await addWorld(
    ...['cyan', '--fixtures', 'empty', file, '--seed', '7', '--clock', '2026-01-01T00:00:00Z'],
    ...[
      '--no-freeze',
      '--kyc-delay',
      '1h',
      '--rate-limit',
      '5',
      '--allow-http-webhooks',
      '--retry-speed',
      '2',
    ],
    ...['--forward-to', 'http://127.0.0.1:9/', '--ttl', '10m'],
  );
  expect(await json('info', '--world', 'cyan')).toMatchObject({
    seed: 7,
    options: { kycDelay: '1h', rateLimit: 5, retrySpeed: 2, allowHttpWebhooks: true, freeze: false },
  });
  expect(await json('clock', 'now', '--world', 'cyan')).toMatchObject({ mode: 'running' });
  const listed = await running().ask('GET', '/v1/partner/cardholders', undefined, keyOf(world));
  expect(listed.body.data).toMatchObject([{ id: 'ch_mine' }]);
  const saved = await temporaryFile('saved.json');
  await run('state', 'save', saved, '--world', 'cyan');
  const loaded = await addWorld('--state', saved);
  const copied = await addWorld('copy', '--from', 'cyan');
  for (const each of [loaded, copied]) {
    const { body } = await running().ask('GET', '/v1/partner/cardholders', undefined, keyOf(each));
    expect(body.data).toMatchObject([{ id: 'ch_mine' }]);
  }
});

test.each([
  [['--kyc-delay', 'soon'], 2, "option '--kyc-delay <duration>' argument 'soon' is invalid"],
  [['--seed', 'x'], 2, "option '--seed <number>' argument 'x' is invalid"],
  [['--print', 'key'], 2, 'No such field'],
  [['--fixtures', 'startre'], 1, 'did you mean "starter"?'],
  [['--state', '/no/such.json'], 1, '/no/such.json cannot be read'],
])('worlds add %j is refused', async (words, code, message) => {
  const before = await json('worlds', 'list');
  const refused = await run('worlds', 'add', ...words);
  expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(await json('worlds', 'list')).toHaveLength(before.length);
});

test('tail follows a world, and ends with an error when the world ends', async () => {
  const world = await addWorld('tailed');
  const { url } = running();
  const tail = launchHere(['tail', '--json', '--kind', 'request', '--url', url, '--world', 'tailed']);
  await tail.complained(/following .*, world tailed\n/);
  await running().ask('GET', '/v1/partner/cards');
  await running().ask('GET', '/v1/partner/balance', undefined, keyOf(world));
  const [line] = await tail.printed(/^.*\n/);
  expect(JSON.parse(line)).toMatchObject({ type: 'request', path: '/v1/partner/balance' });
  await running().ask('DELETE', '/_sandbox/worlds/tailed');
  await tail.complained(/"message":"no world \\"tailed\\""/);
});

test('the log of start shows the world of a line when it is not main', async () => {
  const { origin, printed } = await startPrettyHere(['--freeze', '--forward-to', 'http://127.0.0.1:9/']);
  const post = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return (await fetch(`${origin}/_sandbox${path}`, init)).json() as Promise<{
      partners: { apiKey: string }[];
    }>;
  };
  const world = await post('/worlds', { id: 'blue' });
  await fetch(`${origin}/v1/partner/cards?page=0`, { headers: keyOf(world) });
  await post('/worlds/blue/balance/top-up', { amount: 1 });
  await fetch(`${origin}/v1/partner/balance`);
  const [log] = await printed(/400 GET [\s\S]*401 .*\n/);
  expect(log).toMatch(/^400 GET {5}\/v1\/partner\/cards\?page=0 \d+\.\d ms world blue\n/);
  expect(log).toMatch(/^401 GET {5}\/v1\/partner\/balance \d+\.\d ms\n/m);
  await printed(/^--- webhook balance\.top_up evt_\w+ -> \S+ \d+\.\d ms world blue\n/m);
});

test('the JSON log names the world of each line', async () => {
  const { ask, printed } = await startHere();
  const { body: world } = await ask('POST', '/_sandbox/worlds', { id: 'blue' });
  await ask('GET', '/v1/partner/cards', undefined, keyOf(world));
  const [line] = await printed(/^\{"type":"request".*\n/m);
  expect(JSON.parse(line)).toMatchObject({ world: 'blue' });
});
