import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFile } from '../cli/support/temporary-file.ts';
import { startCli } from '../support/cli-process.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';

const ROUNDS = size(2, 10);
const CLIENTS = size(8, 64);
/** How long the clients work before their server is killed, in milliseconds. */
const WORK_MS = size(2_500, 5_000);

test('a server that is killed with -9 has lost two seconds of writes at most', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  let lostMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // A large state is saved less often.
    const file = await temporaryFile('world.json');
    const start = () => startCli(['--state', file, '--rate-limit', '0']);
    const server = await start();
    const before = await sessionsOf(server);
    const acknowledged: number[] = [];
    let killedAt = Number.POSITIVE_INFINITY;
    const work = async () => {
      while (performance.now() < killedAt) {
        const body = { redirectUrl: 'https://app.example/done' };
        const reply = await server.ask('POST', '/v1/partner/kyc-sessions', body).catch(() => null);
        // It may have been lost on its way back.
        if (reply === null) return;
        expect(reply.status).toBe(201);
        acknowledged.push(performance.now());
      }
    };
    const working = Array.from({ length: CLIENTS }, work);
    await sleep(WORK_MS);
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    killedAt = performance.now();
    server.child.kill('SIGKILL');
    await Promise.all(working);
    await server.ended;

    const next = await start();
    const oldestLost = acknowledged[(await sessionsOf(next)) - before];
    if (oldestLost !== undefined) lostMs = Math.max(lostMs, killedAt - oldestLost);
    // A busy machine loads long enough to say so.
    expect(next.stderr()).toMatch(/^(loading: [\d,]+ records\n)*$/);
    next.child.kill('SIGKILL');
    await next.ended;
  }
  // On a machine that is busy with other tests, the server may have had no time to save.
  if (isFullRun) expect(lostMs).toBeLessThan(2_000);
  recordResult(context, `${ROUNDS} kills beside ${CLIENTS} clients, less than 2 s lost`);
});

async function sessionsOf({ ask }: Pick<Awaited<ReturnType<typeof startCli>>, 'ask'>): Promise<number> {
  return (await ask('GET', '/_sandbox/state')).body.counts.kycSessions;
}
