import { expect, test } from 'vitest';
import { CARD_PROGRAM, createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { manualTime } from '../../support/manual-time.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const DURATION = /^body\.duration: must be a duration such as 500ms/;
const kycStatusOf = (body: { kycStatus: string }) => body.kycStatus;

test('a frozen clock does not move and shows the number of pending timers', async () => {
  const sandbox = await startSandbox();
  expect((await sandbox.control('GET', '/clock')).body).toEqual({
    now: START,
    mode: 'frozen',
    pendingTimers: 0,
  });
  await createSubmittedCardholder(sandbox);
  expect((await sandbox.control('GET', '/clock')).body.pendingTimers).toBe(1);
});

test.each([
  ['250ms', '2026-03-15T10:00:00.250Z'],
  ['90s', '2026-03-15T10:01:30.000Z'],
  ['30m', '2026-03-15T10:30:00.000Z'],
  ['1.5h', '2026-03-15T11:30:00.000Z'],
  ['1d', '2026-03-16T10:00:00.000Z'],
  ['0s', START],
])('an advance of %s moves the clock to %s', async (duration, now) => {
  const { control } = await startSandbox();
  const reply = await control('POST', '/clock/advance', { duration });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ now, mode: 'frozen', pendingTimers: 0 });
});

test('an advance without a valid duration is refused and moves nothing', async () => {
  const { control } = await startSandbox();
  for (const duration of ['', '5', '-5s', '5 s', '5w', '1e3s', 'PT5S', '40000d', 5, null]) {
    const reply = await control('POST', '/clock/advance', { duration });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(DURATION);
  }
  const missing = await control('POST', '/clock/advance', {});
  expect(missing).toMatchObject({ status: 400, body: { error: 'body.duration: is required' } });
  expect((await control('GET', '/clock')).body.now).toBe(START);
});

test('everything that falls due during an advance has its own due time, in order', async () => {
  const sandbox = await startSandbox();
  const first = await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  const second = await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const decidedAt = async (id: string) =>
    (await sandbox.control('GET', `/cardholders/${id}`)).body.kyc.decidedAt;
  expect(await decidedAt(first)).toBe('2026-03-15T10:00:02.000Z');
  expect(await decidedAt(second)).toBe('2026-03-15T10:00:03.000Z');
});

test('freezing at a later time runs what falls due until then', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox);
  const at = '2026-03-15T10:00:02Z';
  const reply = await sandbox.control('POST', '/clock/freeze', { at });
  expect(reply.body).toEqual({ now: '2026-03-15T10:00:02.000Z', mode: 'frozen', pendingTimers: 0 });
  expect(kycStatusOf((await sandbox.api('GET', `/partner/cardholders/${id}`)).body)).toBe('approved');
});

test('freezing at an invalid timestamp is refused', async () => {
  const { control } = await startSandbox();
  const reply = await control('POST', '/clock/freeze', { at: 'tomorrow' });
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatch(/^body\.at: must be an ISO 8601 timestamp/);
});

test('a resumed clock follows wall time, and a frozen one does not', async () => {
  const wall = manualTime(Date.parse(START));
  const sandbox = await startSandbox({}, { realTime: wall.realTime });
  const id = await createSubmittedCardholder(sandbox);
  const now = async () => (await sandbox.control('GET', '/clock')).body;
  wall.pass(10_000);
  expect(await now()).toMatchObject({ now: START, mode: 'frozen', pendingTimers: 1 });
  expect((await sandbox.control('POST', '/clock/resume')).body).toMatchObject({
    now: START,
    mode: 'running',
  });
  wall.pass(1_999);
  expect(await now()).toMatchObject({ now: '2026-03-15T10:00:01.999Z', pendingTimers: 1 });
  wall.pass(1);
  expect(await now()).toMatchObject({ now: '2026-03-15T10:00:02.000Z', pendingTimers: 0 });
  expect(kycStatusOf((await sandbox.api('GET', `/partner/cardholders/${id}`)).body)).toBe('approved');
  expect((await sandbox.control('POST', '/clock/freeze')).body.mode).toBe('frozen');
  wall.pass(5_000);
  expect((await now()).now).toBe('2026-03-15T10:00:02.000Z');
});

test('a request on a running clock finds done what is due, however late the machine is', async () => {
  const wall = manualTime(Date.parse(START));
  const sandbox = await startSandbox({ freeze: false }, { realTime: wall.realTime });
  const id = await createSubmittedCardholder(sandbox);
  wall.stall(2_000);
  expect(kycStatusOf((await sandbox.api('GET', `/partner/cardholders/${id}`)).body)).toBe('approved');
});

test('an advance of a running clock adds to wall time', async () => {
  const wall = manualTime(Date.parse(START));
  const { control } = await startSandbox({ freeze: false }, { realTime: wall.realTime });
  await control('POST', '/clock/advance', { duration: '1h' });
  wall.pass(1_000);
  const { body } = await control('GET', '/clock');
  expect(body).toMatchObject({ now: '2026-03-15T11:00:01.000Z', mode: 'running' });
});

test('the clock stops at the last month with a four-digit year', async () => {
  const sandbox = await startSandbox({ clock: '9899-12-30T23:59:59Z' });
  expect(await sandbox.control('POST', '/clock/advance', { duration: '1d' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('the sandbox clock ends at 9899-12-31') },
  });
  expect((await sandbox.control('POST', '/clock/freeze', { at: '9999-01-01T00:00:00Z' })).status).toBe(400);
  await createSubmittedCardholder(sandbox);
  const { data } = (await sandbox.api('GET', '/partner/usage/records')).body;
  expect(data[0].billingPeriod).toMatch(/^\d{4}-\d{2}$/);
});

test('without a KYC delay the decision follows the response immediately, even on a frozen clock', async () => {
  const sandbox = await startSandbox({ kycDelay: '0s' });
  const id = await createCardholder(sandbox);
  const answer = await sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  expect(answer.body.status).toBe('pending');
  expect(kycStatusOf((await sandbox.api('GET', `/partner/cardholders/${id}`)).body)).toBe('approved');
});

test('pending timers are listed in the order in which they fall due, each with its record', async () => {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  const first = await createSubmittedCardholder(sandbox);
  await control('POST', '/clock/advance', { duration: '1s' });
  const second = await createSubmittedCardholder(sandbox);
  const { timers, ...clock } = (await control('GET', '/clock?timers=1000')).body;
  expect(clock).toEqual((await control('GET', '/clock')).body);
  expect(timers).toEqual([
    { at: expect.stringMatching(/^2026-03-15T10:/), kind: 'kyc.decide', recordId: first },
    { at: expect.stringMatching(/^2026-03-15T10:/), kind: 'kyc.decide', recordId: second },
  ]);
  expect(Date.parse(timers[1].at) - Date.parse(timers[0].at)).toBe(1_000);
  expect((await control('GET', '/clock?timers=1')).body.timers).toEqual(timers.slice(0, 1));
  for (const count of ['0', '1001', 'all']) {
    expect((await control('GET', `/clock?timers=${count}`)).status).toBe(400);
  }
});
