import { expect, onTestFinished, test } from 'vitest';
import { createTemporarySandbox } from '../../../../src/cli/sandbox/temporary-sandbox.ts';
import type { Duration } from '../../../../src/core/values/duration.ts';
import { manualTime } from '../../../support/manual-time.ts';
import { START, startSandbox } from '../../../support/sandbox.ts';

/** A sandbox, and a world of it for a command. The wall time of both passes by hand. */
async function temporaryWorld(worldTtl?: Duration) {
  const [server, client] = [manualTime(Date.parse(START)), manualTime()];
  const { origin, control } = await startSandbox({}, { realTime: server.realTime });
  const flags = { on: origin, port: 0, host: '127.0.0.1', worldTtl };
  const { variables, release } = await createTemporarySandbox(flags, client.realTime);
  // Removes the handlers of signals.
  onTestFinished(release);
  const world = () => control('GET', `/worlds/${variables.CARD_SANDBOX_WORLD}`);
  return { server, client, world };
}

test('a world of exec --on stays while exec runs, and ends a minute after exec was killed', async () => {
  const { server, client, world } = await temporaryWorld();
  for (let second = 15; second <= 600; second += 15) {
    server.pass(15_000);
    client.pass(15_000);
    const lastUsedAt = new Date(Date.parse(START) + second * 1_000).toISOString();
    await expect.poll(async () => (await world()).body).toMatchObject({ lastUsedAt });
  }
  // No time passes any more for a process that is killed.
  server.pass(59_999);
  expect(await world()).toMatchObject({ status: 200 });
  server.pass(1);
  expect(await world()).toMatchObject({ status: 404 });
});

test('--world-ttl sets how long it stays after exec was killed', async () => {
  const { server, world } = await temporaryWorld('10m');
  server.pass(9 * 60_000);
  expect(await world()).toMatchObject({ status: 200 });
  server.pass(60_000);
  expect(await world()).toMatchObject({ status: 404 });
});
