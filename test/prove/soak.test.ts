import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type SandboxProcess, startCli } from '../support/process.ts';
import { newCardholder } from '../support/sandbox.ts';
import { measured, patience, size } from '../support/size.ts';

const REQUESTS = size(3_000, 200_000);
const EVENTS = size(300, 20_000);
const SAMPLES = 20;
const AT_ONCE = 16;

/** What the process holds: resident memory in MiB and open descriptors, as the kernel counts them. */
function holdings({ child: { pid } }: SandboxProcess) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { memory: Number(kilobytes) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
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

test.skipIf(process.platform !== 'linux')(
  'memory and handles stay flat, whatever is asked, and what is kept stays within its bounds',
  { timeout: patience(60_000) },
  async context => {
    const sandbox = await startCli(['--fixtures', 'starter', '--rate-limit', '0', '--allow-http-webhooks']);
    const { ask } = sandbox;
    await ask('PATCH', '/v1/partner/webhooks/config', {
      webhookUrl: await takingReceiver(),
      webhookSecret: 'a-secret-of-16-characters',
      subscribedEvents: ['balance.top_up'],
    });
    const { id } = (await ask('POST', '/v1/partner/cardholders', newCardholder())).body;
    const kinds: readonly (readonly [number, ...Parameters<typeof ask>])[] = [
      [200, 'GET', `/v1/partner/cardholders/${id}`],
      [200, 'GET', '/v1/partner/cards?limit=10'],
      [404, 'GET', '/v1/partner/cards/nothing'],
      [400, 'POST', '/v1/partner/cardholders', { email: 'nobody' }],
      [401, 'GET', '/v1/partner/cards', undefined, { 'x-service-api-key': 'sk_test_nobody' }],
      [200, 'GET', '/_sandbox/clock'],
    ];
    const [each, raised] = [REQUESTS / SAMPLES, EVENTS / SAMPLES];
    const samples: ReturnType<typeof holdings>[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      let next = 0;
      const work = async () => {
        for (let number = next++; number < each; number = next++) {
          const [status, ...asked] = kinds[number % kinds.length] ?? [200, 'GET', '/'];
          const isEvent = number < raised;
          const reply = isEvent
            ? await ask('POST', '/_sandbox/balance/top-up', { amount: 1 })
            : await ask(...asked);
          expect(reply.status).toBe(isEvent ? 200 : status);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await ask('POST', '/_sandbox/deliveries/settle');
      samples.push(holdings(sandbox));
    }
    const meanOf = (some: typeof samples) => some.reduce((sum, { memory }) => sum + memory, 0) / some.length;
    // In the first half everything that is bounded fills up.
    const [warm, late] = [samples.slice(10, 15), samples.slice(15)];
    const growth = meanOf(late) / meanOf(warm);
    expect({ isFlat: growth < 1.1, samples }).toMatchObject({ isFlat: true });
    const handles = samples.slice(5).map(sample => sample.handles);
    expect(Math.max(...handles) - Math.min(...handles)).toBeLessThanOrEqual(2 * AT_ONCE);
    expect((await ask('GET', '/_sandbox/requests')).body.length).toBeLessThanOrEqual(1_000);
    const { body: deliveries } = await ask('GET', '/_sandbox/deliveries');
    expect(deliveries.length).toBe(Math.min(EVENTS, 10_000));
    expect(deliveries.every(({ status }: { status: string }) => status === 'delivered')).toBe(true);
    sandbox.child.kill('SIGTERM');
    // A rejection that nobody handles would have ended it otherwise, and said so.
    expect(await sandbox.ended).toEqual({ code: 0, signal: null });
    expect(sandbox.stderr()).toBe('');
    measured(
      context,
      `${REQUESTS} requests, ${EVENTS} events; memory of the last quarter below 1.1 of the quarter before`,
    );
  },
);
