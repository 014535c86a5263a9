import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_KEYS } from '../../src/kernel/access/partners.ts';
import { MAX_REVEAL_LINKS } from '../../src/resources/reveal/links.ts';
import { MAX_FINISHED_DELIVERIES } from '../../src/resources/webhooks/delivery/finished-deliveries.ts';
import { type SandboxProcess, startCli } from '../support/processes/process.ts';
import { measured, patience, size } from '../support/processes/size.ts';
import { newCardholder } from '../support/sandbox.ts';

const REQUESTS = size(3_000, 200_000);
const EVENTS = size(300, 20_000);
const SAMPLES = 20;
const AT_ONCE = 16;
/** Of faults of either kind. */
const MOST_FAULTS = 1_000;

/** What the process holds: memory in use and resident, in MiB, and open descriptors, as the kernel counts them. */
async function holdings({ child, ask }: SandboxProcess, told: string) {
  child.kill('SIGUSR2');
  while (!existsSync(told) || readFileSync(told, 'utf8') === '') await ask('GET', '/_sandbox/health');
  const inUse = Number(readFileSync(told, 'utf8')) / 1024 / 1024;
  rmSync(told);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return {
    inUse,
    resident: Number(kilobytes) / 1024,
    handles: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

async function takingReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // The address of a server that listens on a port is an object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What is asked over and over: each of it leaves something behind that must not pile up, or nothing at all. */
function chores({ ask, listening }: SandboxProcess, cardholderId: string) {
  const ok = async (status: number, ...asked: Parameters<typeof ask>) => {
    const reply = await ask(...asked);
    expect([...asked, reply.status, reply.status === status ? '' : reply.text]).toEqual([
      ...asked,
      status,
      '',
    ]);
    return reply.body;
  };
  const none = { 'x-service-api-key': 'sk_test_nobody' };
  let links = 0;
  return [
    () => ok(200, 'GET', `/v1/partner/cardholders/${cardholderId}`),
    () => ok(200, 'GET', '/v1/partner/cards?limit=10'),
    () => ok(404, 'GET', '/v1/partner/cards/nothing'),
    () => ok(400, 'POST', '/v1/partner/cardholders', { email: 'nobody' }),
    () => ok(401, 'GET', '/v1/partner/cards', undefined, none),
    () => ok(200, 'GET', '/_sandbox/clock'),
    async () => {
      const { apiKey } = await ok(200, 'POST', '/_sandbox/partners/partner_globex/keys/rotate', {
        gracePeriod: '1m',
      });
      await ok(200, 'GET', '/v1/partner/cards', undefined, { 'x-service-api-key': apiKey });
    },
    async () => {
      const { accessUrl } = await ok(200, 'POST', '/v1/partner/cards/card_mia_active/reveal-html', {});
      links += 1;
      if (links % 2 === 0) return;
      const page = await fetch(accessUrl.replace(/^.*(?=\/reveal\/)/, listening.url));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Card details')]);
    },
    async () => {
      await ok(201, 'POST', '/_sandbox/faults', { path: '/partner/card-programs', status: 503, times: 1 });
      await ok(503, 'GET', '/v1/partner/card-programs');
    },
    async () => {
      await ok(201, 'POST', '/_sandbox/webhook-faults', { kind: 'duplicate', times: 1 });
      await ok(200, 'POST', '/_sandbox/balance/top-up', { amount: 1 });
    },
  ];
}

test.skipIf(process.platform !== 'linux')(
  'memory and handles stay flat, whatever is asked, and what is kept stays within its bounds',
  { timeout: patience(60_000) },
  async context => {
    // The limit is never reached, and each key is counted.
    const args = ['--fixtures', 'starter', '--rate-limit', '1000000', '--allow-http-webhooks'];
    const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-soak-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const told = join(folder, 'heap');
    const sandbox = await startCli(args, {
      NODE_OPTIONS: `--import ${new URL('./tell-heap.js', import.meta.url)}`,
      HEAP_IS_TOLD_IN: told,
    });
    const { ask } = sandbox;
    await ask('PATCH', '/v1/partner/webhooks/config', {
      webhookUrl: await takingReceiver(),
      webhookSecret: 'a-secret-of-16-characters',
      subscribedEvents: ['balance.top_up'],
    });
    const { id } = (await ask('POST', '/v1/partner/cardholders', newCardholder())).body;
    const countRows = async () => (await ask('GET', '/_sandbox/state')).body.counts;
    const before = await countRows();
    const all = chores(sandbox, id);
    const [each, raised] = [REQUESTS / SAMPLES, EVENTS / SAMPLES];
    const samples: Awaited<ReturnType<typeof holdings>>[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      let next = 0;
      const work = async () => {
        for (let number = next++; number < each; number = next++) {
          if (number >= raised) await all[number % all.length]?.();
          else expect((await ask('POST', '/_sandbox/balance/top-up', { amount: 1 })).status).toBe(200);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await ask('POST', '/_sandbox/deliveries/settle');
      samples.push(await holdings(sandbox, told));
      // Ends keys, links and rate windows.
      await ask('POST', '/_sandbox/clock/advance', { duration: '1m' });
    }
    const most = (some: typeof samples, what: 'inUse' | 'resident') =>
      Math.max(...some.map(sample => sample[what]));
    // In the first half everything that is bounded fills up.
    const [warm, late] = [samples.slice(10, 15), samples.slice(15)];
    expect(most(late, 'inUse') / most(warm, 'inUse'), JSON.stringify(samples)).toBeLessThan(1.1);
    expect(most(late, 'resident') / most(samples.slice(0, 15), 'resident')).toBeLessThan(1.25);
    const handles = samples.slice(5).map(sample => sample.handles);
    expect(Math.max(...handles) - Math.min(...handles)).toBeLessThanOrEqual(2 * AT_ONCE);
    expect((await ask('GET', '/_sandbox/requests')).body.length).toBeLessThanOrEqual(1_000);
    for (const faults of ['faults', 'webhook-faults']) {
      expect((await ask('GET', `/_sandbox/${faults}`)).body.length).toBeLessThanOrEqual(MOST_FAULTS);
    }
    const { deliveries: _, revealLinks, apiKeys, ...rows } = await countRows();
    // Besides those that are over, there are those of one sample that were not yet when others came.
    const inOneSample = Math.ceil(each / all.length);
    expect(revealLinks).toBeLessThanOrEqual(MAX_REVEAL_LINKS + inOneSample);
    expect(apiKeys).toBeLessThanOrEqual(before.apiKeys + MAX_KEYS + inOneSample);
    expect(before, 'nothing else was left behind').toMatchObject(rows);
    const { body: deliveries } = await ask('GET', '/_sandbox/deliveries');
    const duplicated = SAMPLES * Math.floor((each - raised) / all.length);
    expect(deliveries.length).toBeGreaterThanOrEqual(Math.min(EVENTS + duplicated, MAX_FINISHED_DELIVERIES));
    expect(deliveries.length).toBeLessThanOrEqual(MAX_FINISHED_DELIVERIES);
    expect(deliveries.every(({ status }: { status: string }) => status === 'delivered')).toBe(true);
    sandbox.child.kill('SIGTERM');
    // A rejection that nobody handles would have ended it otherwise, and said so.
    expect(await sandbox.ended).toEqual({ code: 0, signal: null });
    expect(sandbox.stderr()).toBe('');
    measured(
      context,
      `${REQUESTS} requests, ${EVENTS} events; memory in use in the last quarter below 1.1 of the quarter before`,
    );
  },
);
