import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drive } from '../../bench/drive.js';
import { haproxy, SERVER_TOKEN, type Shard, startRouter, startShard } from '../../examples/team/router.ts';
import { requester } from '../../support/cli-process.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

/** Workers of each process: with fewer of them a process waits more often, and each of its requests costs more. */
const WORKERS = 64;
/** Other work on the machine only adds processor time, so the least of several rounds counts. */
const ROUNDS = 3;
const bearer = { authorization: `Bearer ${SERVER_TOKEN}` };

/** Creates a cardholder, from a new magic token each time. */
const CREATE = {
  method: 'POST',
  path: '/v1/partner/cardholders',
  body: JSON.stringify({
    externalUserId: 'user-{n}',
    email: 'person-{n}@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_{n}',
  }),
};

/** Processor time of a process, in seconds. */
function processorTime({ child }: Shard['process']): number {
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8')) ?? [];
  const fields = rest.split(' ');
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Requests of each of the workers in a round. */
const REQUESTS = size(20, 500);
const WARM_UP = 40;

/** How many requests of the service a process has responded to, by its own metrics. */
async function countResponses({ port }: Shard): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/_sandbox/metrics`, { headers: bearer });
  const samples = (await response.text()).matchAll(
    /^card_sandbox_requests_total\{plane="partner".*\} (\d+)$/gm,
  );
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}

test.skipIf(haproxy === null || process.platform !== 'linux')(
  'two processes behind HAProxy do more work than one, by processor time',
  { timeout: PROOF_TIMEOUT_MS },
  async context => {
    /** Requests for each second of processor time of the busiest process, and the share of requests it responds to. */
    const measure = async (names: readonly string[]) => {
      const shards = await Promise.all(names.map(name => startShard(name)));
      const url = await startRouter(shards);
      const { ask } = requester(url);
      const keys: string[] = [];
      for (let count = 0; count < WORKERS * shards.length; count++) {
        const { body } = await ask('POST', '/_sandbox/worlds', { fixtures: ['starter'] }, bearer);
        keys.push(body.partners[0].apiKey);
      }
      // Each worker sends as many as the others, however fast its process is.
      const send = (requests: number) =>
        Promise.all(
          keys.flatMap(key => {
            const headers = { 'X-Service-Api-Key': key, 'Content-Type': 'application/json' };
            const worker = { port: Number(new URL(url).port), connections: 1, headers };
            const created = requests / 4;
            from += created;
            return [
              drive({ ...worker, ...CREATE, from, count: created }),
              drive({ ...worker, path: '/v1/partner/cards?limit=20', count: requests - created }),
            ];
          }),
        );
      let from = 0;
      // Code is compiled while it runs first.
      await send(WARM_UP);
      const counts = shards.map(({ name }) => keys.filter(key => key.startsWith(`sk_test_${name}_`)).length);
      expect(Math.max(...counts) - Math.min(...counts), 'keys of each process').toBeLessThanOrEqual(2);
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS; round++) {
        const before = shards.map(({ process }) => processorTime(process));
        await send(REQUESTS);
        const used = shards.map(({ process }, index) => processorTime(process) - (before[index] ?? 0));
        least = Math.min(least, Math.max(...used));
      }
      const requests = keys.length * REQUESTS;
      const responses = await Promise.all(shards.map(countResponses));
      return {
        perSecond: requests / least,
        share: Math.max(...responses) / responses.reduce((sum, value) => sum + value),
      };
    };
    const one = await measure(['a']);
    const two = await measure(['a', 'b']);
    expect([one.share, two.share], 'share of the busiest process').toEqual([1, expect.closeTo(0.5, 1)]);
    // A short run takes too little processor time to measure it, so it shows only that the work is divided.
    if (!isFullRun) return;
    expect(two.perSecond / one.perSecond, `${one.perSecond} of one, ${two.perSecond} of two`).toBeGreaterThan(
      1.7,
    );
    recordResult(
      context,
      'at least 1.7 times as many requests per second of processor time of the busiest process',
    );
  },
);
