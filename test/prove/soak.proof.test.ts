import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_KEYS } from '../../src/core/access/partners.ts';
import { MAX_REVEAL_LINKS } from '../../src/service/reveal/rules.ts';
import { MAX_FINISHED_DELIVERIES } from '../../src/service/webhooks/sending.ts';
import { type SandboxProcess, startCli } from '../support/cli-process.ts';
import { listen } from '../support/listen.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';
import { newCardholder } from '../support/sandbox.ts';

const REQUESTS = size(3_000, 200_000);
const EVENTS = size(300, 20_000);
/** How long the load lasts at least. */
const MINUTES = size(0, 30);
const SAMPLES = 20;
const CONCURRENCY = 16;
/** The cap on faults of either kind. */
const MAX_FAULTS = 1_000;

/** Heap in use and resident memory in MiB, and open file descriptors. */
async function resourceUsage({ child, ask }: SandboxProcess, heapReport: string) {
  child.kill('SIGUSR2');
  while (!existsSync(heapReport) || readFileSync(heapReport, 'utf8') === '')
    await ask('GET', '/_sandbox/health');
  const inUse = Number(readFileSync(heapReport, 'utf8')) / 1024 / 1024;
  rmSync(heapReport);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return {
    inUse,
    resident: Number(kilobytes) / 1024,
    handles: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

/** The requests of the load. What some of them leave behind must not accumulate. */
function loadRequests({ ask, listening }: SandboxProcess, cardholderId: string) {
  const ok = async (status: number, ...request: Parameters<typeof ask>) => {
    const response = await ask(...request);
    expect([...request, response.status, response.status === status ? '' : response.text]).toEqual([
      ...request,
      status,
      '',
    ]);
    return response.body;
  };
  const unknownKey = { 'x-service-api-key': 'sk_test_nobody' };
  let links = 0;
  return [
    () => ok(200, 'GET', `/v1/partner/cardholders/${cardholderId}`),
    () => ok(200, 'GET', '/v1/partner/cards?limit=10'),
    () => ok(404, 'GET', '/v1/partner/cards/nothing'),
    () => ok(400, 'POST', '/v1/partner/cardholders', { email: 'nobody' }),
    () => ok(401, 'GET', '/v1/partner/cards', undefined, unknownKey),
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
  'memory and handles stay flat under load, and all kept data is bounded',
  { timeout: PROOF_TIMEOUT_MS },
  async context => {
    // The rate limit is counted but never reached.
    const args = ['--fixtures', 'starter', '--rate-limit', '1000000', '--allow-http-webhooks'];
    const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-soak-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const heapReport = join(folder, 'heap');
    const sandbox = await startCli(args, {
      NODE_OPTIONS: `--import ${new URL('./report-heap.js', import.meta.url)}`,
      HEAP_REPORT_FILE: heapReport,
    });
    const { ask } = sandbox;
    await ask('PATCH', '/v1/partner/webhooks/config', {
      webhookUrl: await listen((request, response) => void request.resume().on('end', () => response.end())),
      webhookSecret: 'a-secret-of-16-characters',
      subscribedEvents: ['balance.top_up'],
    });
    const { id } = (await ask('POST', '/v1/partner/cardholders', newCardholder())).body;
    const countRows = async () => (await ask('GET', '/_sandbox/state')).body.counts;
    const before = await countRows();
    const all = loadRequests(sandbox, id);
    const [each, raised] = [REQUESTS / SAMPLES, EVENTS / SAMPLES];
    const samples: Awaited<ReturnType<typeof resourceUsage>>[] = [];
    let [total, most] = [0, 0];
    for (let sample = 0; sample < SAMPLES; sample++) {
      let next = 0;
      const until = performance.now() + (MINUTES * 60_000) / SAMPLES;
      const work = async () => {
        for (let number = next++; number < each || performance.now() < until; number = next++) {
          if (number >= raised) await all[number % all.length]?.();
          else expect((await ask('POST', '/_sandbox/balance/top-up', { amount: 1 })).status).toBe(200);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      total += next;
      most = Math.max(most, next);
      await ask('POST', '/_sandbox/deliveries/settle');
      samples.push(await resourceUsage(sandbox, heapReport));
      // Lets keys, links and rate windows expire.
      await ask('POST', '/_sandbox/clock/advance', { duration: '1m' });
    }
    const peak = (some: typeof samples, field: keyof (typeof samples)[number]) =>
      Math.max(...some.map(sample => sample[field]));
    // Everything that is bounded fills up during the first half.
    const [warm, late] = [samples.slice(10, 15), samples.slice(15)];
    expect(peak(late, 'inUse') / peak(warm, 'inUse'), JSON.stringify(samples)).toBeLessThan(1.1);
    expect(peak(late, 'resident') / peak(samples.slice(0, 15), 'resident')).toBeLessThan(1.25);
    // How many connections are kept at a time depends on how busy the machine is.
    const moreHandles = peak(late, 'handles') - peak(samples.slice(0, 15), 'handles');
    expect(moreHandles, JSON.stringify(samples)).toBeLessThanOrEqual(CONCURRENCY);
    expect((await ask('GET', '/_sandbox/requests')).body.length).toBeLessThanOrEqual(1_000);
    for (const list of ['faults', 'webhook-faults']) {
      expect((await ask('GET', `/_sandbox/${list}`)).body.length).toBeLessThanOrEqual(MAX_FAULTS);
    }
    const { deliveries: _, revealLinks, apiKeys, faults, webhookFaults, ...rows } = await countRows();
    // In addition to the expired ones, those of one sample may still be valid.
    const inOneSample = Math.ceil(most / all.length);
    expect(revealLinks).toBeLessThanOrEqual(MAX_REVEAL_LINKS + inOneSample);
    expect(apiKeys).toBeLessThanOrEqual(before.apiKeys + MAX_KEYS + inOneSample);
    expect(Math.max(faults, webhookFaults)).toBeLessThanOrEqual(MAX_FAULTS);
    expect(before, 'nothing else accumulated').toMatchObject(rows);
    const { body: deliveries } = await ask('GET', '/_sandbox/deliveries');
    const duplicated = SAMPLES * Math.floor((each - raised) / all.length);
    expect(deliveries.length).toBeGreaterThanOrEqual(Math.min(EVENTS + duplicated, MAX_FINISHED_DELIVERIES));
    expect(deliveries.length).toBeLessThanOrEqual(MAX_FINISHED_DELIVERIES);
    expect(deliveries.every(({ status }: { status: string }) => status === 'delivered')).toBe(true);
    sandbox.child.kill('SIGTERM');
    // An unhandled rejection would have ended it with another code and a message.
    expect(await sandbox.ended).toEqual({ code: 0, signal: null });
    expect(sandbox.stderr()).toBe('');
    recordResult(
      context,
      `${total} requests in at least ${MINUTES} minutes; heap in use in the last quarter below 1.1 times that of the quarter before`,
    );
  },
);
