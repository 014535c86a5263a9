import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readScenario, type Scenario } from '../../../src/tools/scenarios/file/read.ts';
import { summarize } from '../../../src/tools/scenarios/report/report.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { ACME_KEY, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';

const RUNNING = { freeze: false, kycDelay: '300ms' } as const;

/** Issues a card once its KYC is approved, as time passes. */
async function issueCard({ api, control }: TestSandbox): Promise<void> {
  const { body: person } = await api('POST', '/partner/cardholders', newCardholder());
  const cardProgramId = 'prog_everyday';
  await api('POST', `/partner/cardholders/${person.id}/kyc`, { cardProgramId });
  const card = { cardholderId: person.id, cardProgramId };
  expect((await api('POST', '/partner/cards', card)).status).toBe(400);
  await expect
    .poll(
      async () => {
        await control('POST', '/deliveries/settle');
        return (await control('GET', `/cardholders/${person.id}`)).body.kycStatus;
      },
      { timeout: 60_000 },
    )
    .toBe('approved');
  expect((await api('POST', '/partner/cards', card)).status).toBe(201);
}

async function exported({ origin }: TestSandbox): Promise<{ file: string; scenario: Scenario }> {
  const file = await temporaryFile('history.yaml');
  const response = await fetch(`${origin}/_sandbox/history/export`);
  await writeFile(file, await response.text());
  return { file, scenario: readScenario(file) };
}

test('a history of a running clock is played at its moments, and every response is the same', async () => {
  const first = await startSandbox(RUNNING);
  await issueCard(first);
  const { scenario } = await exported(first);
  const { origin } = await startSandbox(RUNNING);
  const report = await playToEnd(scenario, await createStage(origin, { inbox: 'not needed' }));
  expect(report.steps.flatMap(({ differences }) => differences)).toEqual([]);
  expect(report.reproduced).toEqual({ same: 4, of: 4, compared: 'response' });
  expect(summarize(report)).toBe('reproduced: 4 of 4 responses are the same');
});

test('--real-time lets the clock run, so that what needed time comes too early', async () => {
  const first = await startSandbox(RUNNING);
  await issueCard(first);
  const { file } = await exported(first);
  const { origin } = await startSandbox({ ...RUNNING, kycDelay: '1h' });
  const target = ['--base-url', `${origin}/v1`, '--control-url', origin, '--api-key', ACME_KEY];
  const { code, stdout } = await runInProcess(['run', file, ...target, '--real-time']);
  expect(code).toBe(1);
  expect(stdout).toContain('status: expected 201, got 400');
  expect(stdout).toMatch(/\nnot reproduced: 3 of 4 responses have the same status\n$/);
});

test('each response that differs is listed with the members that do, and no other', async () => {
  const first = await startSandbox({ fixtures: ['starter'] });
  await first.api('GET', '/partner/cards/card_mia_active');
  await first.api('GET', '/partner/balance');
  const { file } = await exported(first);
  const second = await startSandbox({ fixtures: ['starter'] });
  await second.control('POST', '/balance/top-up', { amount: 5 });
  const target = ['--base-url', `${second.origin}/v1`, '--control-url', second.origin, '--api-key', ACME_KEY];
  const { code, stdout } = await runInProcess(['run', file, ...target]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^A recorded history \(2 steps\)\n✗ {2}2 .*\n {5}body\.available: expected 5000, got 5005\n {5}.*\n\nnot reproduced: 1 of 2 responses are the same\n$/,
  );
});

test('a long body is kept as a digest, and compared as well', async () => {
  const first = await startSandbox();
  for (let count = 0; count < 70; count++) await first.api('POST', '/partner/cardholders', newCardholder());
  await first.api('GET', '/partner/cardholders?limit=100');
  const { scenario } = await exported(first);
  expect(scenario.steps.at(-1)?.expect?.recorded).toMatch(/^sha256:[\da-f]{64}$/);
  const second = await startSandbox();
  const stage = await createStage(second.origin, { inbox: 'not needed' });
  expect((await playToEnd(scenario, stage)).reproduced).toEqual({ same: 71, of: 71, compared: 'response' });
  const again = await playToEnd({ ...scenario, steps: scenario.steps.slice(-1) }, stage);
  expect(again.ok).toBe(true);
  await second.control('POST', '/cardholders', {});
  expect((await playToEnd({ ...scenario, steps: scenario.steps.slice(-1) }, stage)).ok).toBe(false);
});

test('refused calls of the control plane are listed with the reason, and are no entries of the history', async () => {
  const { control } = await startSandbox();
  await control('POST', '/cards/card_nobody/3ds', {});
  await control('POST', '/clock/advance', { duraton: '1h' });
  await control('GET', '/nothing');
  await control('POST', '/wait', { timeoutMs: 1 });
  const { body } = await control('GET', '/history/refusals');
  expect(body).toMatchObject([
    { method: 'POST', path: '/_sandbox/wait', status: 408 },
    { method: 'GET', path: '/_sandbox/nothing', status: 404 },
    {
      path: '/_sandbox/clock/advance',
      status: 400,
      reason: expect.stringContaining('body.duraton: is unknown'),
    },
    { path: '/_sandbox/cards/card_nobody/3ds', status: 404, reason: 'no card with id "card_nobody"' },
  ]);
  expect((await control('GET', '/history')).body).toEqual([]);
});

test('a state before an entry is read as it was, on a running clock too, and nothing changes', async () => {
  const { api, control } = await startSandbox({ freeze: false });
  await api('POST', '/partner/cardholders', newCardholder());
  const { headers } = await api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/reset');
  await control('POST', '/clock/advance', { duration: '1d' });
  const entries = (await control('GET', '/history')).body;
  const id = headers.get('x-sandbox-request');
  const entry = entries.find((each: { id: string }) => each.id === id);
  const before = (await control('GET', `/state?at=${id}`)).body;
  expect(before.tables.cardholders).toHaveLength(1);
  expect(before.clock).toMatchObject({ now: entry.at, mode: 'running' });
  expect((await control('GET', '/state')).body.tables.cardholders).toHaveLength(0);
  expect((await control('GET', '/history')).body).toEqual(entries);
  expect((await control('GET', '/state?at=req_unknown')).status).toBe(404);
});
