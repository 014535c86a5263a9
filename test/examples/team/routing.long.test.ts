import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { connect } from '../../../src/index.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { requester, runCli } from '../../support/cli-process.ts';
import { type Json, newCardholder } from '../../support/sandbox.ts';
import {
  CONFIGURATION,
  checkConfiguration,
  FOLDER,
  haproxy,
  haproxyTest,
  SERVER_TOKEN,
  type Shard,
  startRouter,
  startShard,
} from './router.ts';

const NAMES = ['a', 'b', 'c'];
const bearer = (token = SERVER_TOKEN) => ({ authorization: `Bearer ${token}` });

haproxyTest(
  'HAProxy accepts the configuration, and reports only that it does not know the processes here',
  async () => {
    const report = await checkConfiguration(CONFIGURATION);
    expect(report).toContain('Configuration file is valid');
    const warnings = report.split('\n').filter(line => line.includes('[WARNING]'));
    expect(warnings.filter(line => !line.includes('could not resolve address'))).toEqual([]);
    expect(CONFIGURATION.match(/^ {2}server (\w+) \1:4242$/gm)?.length).toBe(NAMES.length);
  },
);

haproxyTest(
  'the ConfigMap for Kubernetes holds the same configuration, with the servers of its StatefulSet',
  () => {
    const withoutServers = (text: string) => text.replace(/^ {2}server .*\n/gm, '');
    const [map] = parseAllDocuments(readFileSync(join(FOLDER, 'kubernetes/router.yaml'), 'utf8'));
    const text: string = map?.toJS().data['haproxy.cfg'];
    expect(withoutServers(text)).toBe(withoutServers(CONFIGURATION));
    const all = parseAllDocuments(readFileSync(join(FOLDER, 'kubernetes/sandbox.yaml'), 'utf8')).map(each =>
      each.toJS(),
    );
    const set = all.find(({ kind }) => kind === 'StatefulSet');
    const { name, namespace } = set.metadata;
    const servers = Array.from(
      { length: set.spec.replicas },
      (_, index) =>
        `  server s${index} ${name}-${index}.${set.spec.serviceName}.${namespace}.svc.cluster.local:4242`,
    );
    expect(text.match(/^ {2}server .*$/gm)).toEqual(servers);
    expect(set.spec.template.spec.containers[0].args).toContain('--shard=s$(ORDINAL)');
  },
);

haproxyTest(
  'compose starts a process for each server of the configuration, with its name as the shard',
  () => {
    const { services, volumes } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
    const processes = Object.keys(services).filter(name => name !== 'router');
    expect(processes).toEqual(NAMES);
    expect(Object.keys(volumes)).toEqual(NAMES);
    for (const name of processes) {
      const { command, volumes: mounted } = services[name];
      expect(command.join(' ')).toContain(`--shard ${name} --state /state/`);
      expect(mounted).toEqual([`${name}:/state`]);
    }
  },
);

describe.skipIf(haproxy === null)('three processes behind HAProxy', () => {
  let shards: Shard[];
  let url: string;
  let ask: ReturnType<typeof requester>['ask'];
  const atEnd = atFileEnd();
  beforeAll(async () => {
    shards = await Promise.all(NAMES.map(name => startShard(name, [], 0, atEnd)));
    url = await startRouter(shards, atEnd);
    ask = requester(url).ask;
  });

  const worldAt = async (shard: string, body: object = {}): Promise<Json> =>
    (await ask('POST', `/_sandbox/shards/${shard}/worlds`, body, bearer())).body;

  haproxyTest('a key, a world, its pages and its dashboard lead to the process of the world', async () => {
    for (const shard of NAMES) {
      const world = await worldAt(shard, { id: 'team', fixtures: ['starter'], freeze: true });
      expect(world.id).toBe(`${shard}-team`);
      expect(world.token).toMatch(new RegExp(`^wt_${shard}_`));
      const [{ apiKey }] = world.partners;
      expect(apiKey).toMatch(new RegExp(`^sk_test_${shard}_`));
      const key = { 'x-service-api-key': apiKey };
      expect((await ask('POST', '/v1/partner/cardholders', newCardholder(), key)).status).toBe(201);
      const { body: cards } = await ask('GET', '/v1/partner/cards?status=active', undefined, key);
      const reveal = await ask('POST', `/v1/partner/cards/${cards.data[0].id}/reveal-html`, {}, key);
      const link = new URL(reveal.body.accessUrl);
      expect(link.searchParams.get('world')).toBe(world.id);
      const page = await fetch(url + link.pathname + link.search);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Card details')]);
      const session = (await ask('POST', '/v1/partner/kyc-sessions', {}, key)).body;
      const form = new URL(session.url);
      expect((await fetch(url + form.pathname + form.search)).status).toBe(200);
      expect((await fetch(`${url}/dashboard/${world.id}`)).status).toBe(200);
      const state = await ask('GET', `/_sandbox/worlds/${world.id}/info`, undefined, bearer(world.token));
      expect(state.body.partners[0].apiKey).toBe(apiKey);
      expect(
        (await ask('DELETE', `/_sandbox/worlds/${world.id}`, undefined, bearer(world.token))).status,
      ).toBe(204);
    }
  });

  haproxyTest('a page of main leads to its process, too, and so does the name of main', async () => {
    for (const shard of NAMES) {
      const { body: info } = await ask('GET', `/_sandbox/shards/${shard}/info`, undefined, bearer());
      const key = { 'x-service-api-key': `sk_test_${shard}_acme_0123456789abcdef` };
      expect(info.partners[0].apiKey).toBe(key['x-service-api-key']);
      const reveal = await ask('POST', '/v1/partner/cards/card_mia_active/reveal-html', {}, key);
      const { pathname, search } = new URL(reveal.body.accessUrl);
      expect((await fetch(url + pathname + search)).status).toBe(200);
      expect(new URL(info.dashboardUrl).pathname).toBe(`/dashboard/${shard}-main`);
      const { body: main } = await ask('GET', `/_sandbox/worlds/${shard}-main/info`, undefined, bearer());
      expect(main).toEqual(info);
    }
  });

  haproxyTest('new worlds spread over the processes', async () => {
    const created = await Promise.all(
      Array.from({ length: 30 }, async () => (await ask('POST', '/_sandbox/worlds', {}, bearer())).body.id),
    );
    for (const shard of NAMES) {
      expect(created.filter((id: string) => id.startsWith(`${shard}-`)).length).toBeGreaterThan(4);
    }
    // Streams are connections as well: a process that has many gets no new world.
    const stop = new AbortController();
    const [, busy = ''] = /^(\w+)-/.exec(created[0]) ?? [];
    const stream = `${url}/_sandbox/worlds/${created[0]}/stream`;
    for (let count = 0; count < 20; count++) {
      expect((await fetch(stream, { headers: bearer(), signal: stop.signal })).status).toBe(200);
    }
    for (let count = 0; count < 12; count++) {
      const { body } = await ask('POST', '/_sandbox/worlds', {}, bearer());
      expect(body.id).not.toMatch(new RegExp(`^${busy}-`));
    }
    stop.abort();
  });

  haproxyTest.each([
    [
      'GET',
      '/v1/partner/cards',
      { 'x-service-api-key': 'sk_test_acme_0123456789abcdef' },
      401,
      'unknown API key',
    ],
    [
      'GET',
      '/v1/partner/cards',
      { 'x-service-api-key': 'sk_test_d_acme_0123456789abcdef' },
      401,
      'unknown API key',
    ],
    ['GET', '/v1/partner/cards', { 'x-service-api-key': 'sk_test_a_nobody' }, 401, 'unknown API key'],
    ['GET', '/v1/partner/cards', { 'x-service-api-key': '' }, 401, 'is missing'],
    ['GET', '/v1/partner/cards', { 'x-service-api-key': 'sk_live_a_x' }, 401, 'live keys'],
    ['GET', '/_sandbox/info', bearer(), 404, 'neither a shard nor a world'],
    ['GET', '/_sandbox/worlds', bearer(), 404, 'neither a shard nor a world'],
    ['GET', '/_sandbox/worlds/', bearer(), 404, 'no such operation'],
    ['GET', '/_sandbox', bearer(), 404, 'neither a shard nor a world'],
    ['POST', '/_sandbox/stop', bearer(), 404, 'neither a shard nor a world'],
    ['POST', '/_sandbox/reset', bearer(), 404, 'neither a shard nor a world'],
    ['GET', '/_sandbox/worlds/main/info', bearer(), 404, 'neither a shard nor a world'],
    ['GET', '/_sandbox/worlds/%6dain/info', bearer(), 404, 'neither a shard nor a world'],
    ['DELETE', '/_sandbox/worlds/main', bearer(), 404, 'neither a shard nor a world'],
    ['GET', '/_sandbox/worlds/d-none/info', bearer(), 404, 'no world "d-none"'],
    ['GET', '/_sandbox/worlds/a-none/info', bearer(), 404, 'no world "a-none"'],
    ['GET', '/_sandbox/worlds/a-none/info', bearer('wrong'), 401, 'control plane needs'],
    ['GET', '/_sandbox/shards/d/info', bearer(), 404, 'no shard "d"'],
    ['GET', '/_sandbox/shards/a/info', bearer('wrong'), 401, 'control plane needs'],
    ['GET', '/dashboard', {}, 404, 'neither a shard nor a world'],
    ['GET', '/dashboard/main', {}, 404, 'neither a shard nor a world'],
    ['GET', '/dashboard/present', {}, 404, 'neither a shard nor a world'],
    ['GET', '/nothing', {}, 404, 'nothing is served at /nothing'],
  ] as const)('%s %s with %j is a %i: %s', async (method, path, headers, status, message) => {
    const response = await ask(method, path, undefined, headers);
    expect([response.status, response.body]).toEqual([
      status,
      { success: false, error: expect.stringContaining(message) },
    ]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  haproxyTest(
    'health, preflights, documents and the files of the dashboard come from any process',
    async () => {
      expect((await ask('GET', '/_sandbox/health')).body.status).toBe('ok');
      const preflight = await fetch(`${url}/v1/partner/cards`, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      });
      expect(preflight.status).toBe(204);
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      const html = await (await fetch(`${url}/dashboard/a-main`)).text();
      const [asset = ''] = /\/dashboard\/assets\/[^"]+/.exec(html) ?? [];
      expect((await fetch(url + asset)).status).toBe(200);
    },
  );

  haproxyTest('a token of a world of another process is a 401, and one of another world a 403', async () => {
    const [blue, red, far] = [await worldAt('a'), await worldAt('a'), await worldAt('b')];
    const status = async (token: string) =>
      (await ask('GET', `/_sandbox/worlds/${blue.id}/info`, undefined, bearer(token))).status;
    expect([await status(blue.token), await status(red.token), await status(far.token)]).toEqual([
      200, 403, 401,
    ]);
  });

  haproxyTest('the addresses of callers reach the processes: an allow-list acts on them', async () => {
    const { id, partners } = await worldAt('c', { fixtures: ['starter'] });
    const settings = `/_sandbox/worlds/${id}/partners/${partners[0].id}/settings`;
    await ask('PATCH', settings, { ipAllowList: ['203.0.113.9'] }, bearer());
    const key = { 'x-service-api-key': partners[0].apiKey, 'x-forwarded-for': '203.0.113.9' };
    expect((await ask('GET', '/v1/partner/cards', undefined, key)).body.error).toContain('127.0.0.1');
    await ask('PATCH', settings, { ipAllowList: ['127.0.0.1'] }, bearer());
    expect((await ask('GET', '/v1/partner/cards', undefined, key)).status).toBe(200);
  });

  haproxyTest('commands and the library work through the router', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-team-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const flags = ['--url', url, '--control-token', SERVER_TOKEN];
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runInProcess([...args, ...flags]);
      expect([args, code, stderr]).toEqual([args, 0, expect.anything()]);
      return stdout.trim();
    };
    expect(await run('worlds', 'add', 'anna', '--shard', 'a', '--print', 'id')).toBe('a-anna');
    await run('simulate', 'top-up', '77', '--world', 'a-anna');
    const file = join(folder, 'anna.json');
    await run('state', 'save', '--world', 'a-anna', file);
    const moved = ['--shard', 'b', '--state', file, '--ttl', '0', '--print', 'id'];
    expect(await run('worlds', 'add', 'anna', ...moved)).toBe('b-anna');
    const balance = async (world: string) => run('balance', 'show', '--world', world, '--json');
    expect(await balance('b-anna')).toBe(await balance('a-anna'));
    expect(await run('worlds', 'add', '--from', 'b-anna', '--shard', 'b', '--print', 'id')).toMatch(
      /^b-world_/,
    );
    await run('worlds', 'remove', 'a-anna');
    const listed = JSON.parse(await run('worlds', 'list', '--shard', 'a', '--json'));
    expect(listed.map(({ id }: Json) => id)).not.toContain('a-anna');
    expect(JSON.parse(await run('info', '--shard', 'c', '--json')).options.shard).toBe('c');
    expect(await run('metrics', '--shard', 'c')).toContain('shard="c"');

    const script = `fetch(process.env.SERVICE_BASE_URL + '/partner/balance', { headers: { 'x-service-api-key': process.env.SERVICE_API_KEY } })
      .then(({ status }) => process.exit(status === 200 && /^[abc]-/.test(process.env.CARD_SANDBOX_WORLD) ? 0 : 1))`;
    const command = ['exec', '--on', url, '--control-token', SERVER_TOKEN];
    expect((await runCli([...command, '--', process.execPath, '-e', script])).code).toBe(0);

    const server = await connect({ url, controlToken: SERVER_TOKEN });
    await using world = await server.worlds.create({ fixtures: ['starter'] });
    expect(world.world).toMatch(/^[abc]-/);
    expect(await world.api.balance.get()).toMatchObject({ currency: 'EUR' });
    const shard = await connect({ url, controlToken: SERVER_TOKEN, shard: 'b' });
    expect(shard.apiKey).toBe('sk_test_b_acme_0123456789abcdef');
    expect((await shard.worlds.list()).map(({ id }) => id)).toContain('b-anna');
    await expect(connect({ url, controlToken: SERVER_TOKEN, shard: 'd' })).rejects.toThrow('no shard "d"');
    await expect(connect({ url, controlToken: SERVER_TOKEN, world: 'a-none' })).rejects.toThrow('no world');
  });

  haproxyTest(
    'a process that is down is a 503 for its worlds alone, and is found again once it runs',
    async () => {
      const [victim] = shards;
      if (victim === undefined) throw new Error('no process');
      const worlds = await Promise.all(NAMES.map(name => worldAt(name, { fixtures: ['starter'] })));
      const statusOf = async ({ partners }: Json) =>
        (await ask('GET', '/v1/partner/balance', undefined, { 'x-service-api-key': partners[0].apiKey }))
          .status;
      victim.process.child.kill('SIGKILL');
      await victim.process.ended;
      const startedAt = performance.now();
      const isDown = () => performance.now() - startedAt < 5_000;
      do {
        const { status, body } = await ask(
          'GET',
          `/_sandbox/worlds/${worlds[0].id}/info`,
          undefined,
          bearer(),
        );
        expect([status, body.error]).toEqual([503, expect.stringContaining('is down')]);
        expect(await Promise.all(worlds.map(statusOf))).toEqual([503, 200, 200]);
        expect((await ask('POST', '/_sandbox/worlds', {}, bearer())).body.id).toMatch(/^[bc]-/);
        expect((await ask('GET', '/v1/partner/balance')).status, 'an unknown key').toBe(401);
      } while (isDown());
      shards[0] = await startShard(victim.name, [], victim.port);
      const startedAgainAt = performance.now();
      while ((await ask('GET', '/_sandbox/shards/a/health')).status !== 200) {
        expect(performance.now() - startedAgainAt).toBeLessThan(5_000);
      }
      const stop = ['stop', '--shard', 'a', '--url', url, '--control-token', SERVER_TOKEN];
      expect((await runInProcess(stop)).code).toBe(0);
      expect(await shards[0].process.ended).toMatchObject({ code: 0 });
    },
  );
});
