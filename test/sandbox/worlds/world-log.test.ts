import { expect, test } from 'vitest';
import type { LogLine } from '../../../src/sandbox/worlds/world-log.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, HOOKS } from '../../support/receiver.ts';
import { newCardholder, START } from '../../support/sandbox.ts';

/** A sandbox that keeps its logs in lists, the oldest first. */
function logged(respond?: Parameters<typeof fakeReceiver>[0]) {
  const logs: LogLine[][] = [];
  const openLog = () => {
    const lines: LogLine[] = [];
    logs.push(lines);
    return (line: LogLine) => void lines.push(line);
  };
  const { transport } = fakeReceiver(respond);
  const sandbox = startInProcess({ fixtures: ['starter'], forwardTo: HOOKS }, { openLog, transport });
  return { ...sandbox, logs };
}

test('a log begins with the world before its first request, and there is none without a request', async () => {
  const { control, api, logs } = logged();
  const { body: state } = await control('GET', '/state');
  expect(logs).toEqual([]);
  api('GET', '/partner/balance');
  expect(logs).toHaveLength(1);
  expect(logs[0]?.[0]).toMatchObject({
    kind: 'start',
    world: 'main',
    startedAt: Date.parse(START),
    options: { seed: 42, fixtures: ['starter'] },
    state,
  });
});

test('a log has each request with its place, its response and the clock before it', async () => {
  const { api, control, logs } = logged();
  api('GET', '/partner/cards/card_nobody?x=1');
  await control('POST', '/clock/advance', { duration: '1m' });
  api('POST', '/partner/kyc-sessions', { externalUserId: 'user-1' });
  const [, ...entries] = logs[0] ?? [];
  const now = Date.parse(START);
  expect(entries).toMatchObject([
    {
      kind: 'entry',
      place: 1,
      plane: 'partner',
      method: 'GET',
      path: '/v1/partner/cards/card_nobody',
      query: 'x=1',
      requestBody: '',
      partnerId: 'partner_acme',
      summary: 'no card with id "card_nobody"',
      response: { status: 404, body: '{"success":false,"error":"no card with id \\"card_nobody\\""}' },
      before: { clock: { now, frozen: true } },
    },
    { place: 2, plane: 'control', path: '/_sandbox/clock/advance', before: { clock: { now } } },
    { place: 3, requestBody: '{"externalUserId":"user-1"}', before: { clock: { now: now + 60_000 } } },
  ]);
  expect(entries.some(entry => 'response' in entry && 'drop' in entry.response)).toBe(false);
});

test('a log has the outcome of each attempt to send a webhook, with its place among those of its event', async () => {
  const { api, control, logs } = logged((_, count) => (count === 1 ? 500 : 200));
  api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/deliveries/settle');
  await control('POST', '/clock/advance', { duration: '1h' });
  const sends = (logs[0] ?? []).filter(({ kind }) => kind === 'send');
  expect(sends).toMatchObject([
    { place: 0, at: Date.parse(START), status: 500, body: 'thanks', cause: 'answered 500' },
    { place: 1, status: 200, cause: null },
  ]);
  const [first, second] = sends.map(line => ('id' in line ? line.id : null));
  expect(first).toMatch(/^evt_/);
  expect(second).toBe(first);
});

test('a rewind begins a new log, as no request can repeat it; a reset is an entry like others', async () => {
  const { api, control, logs } = logged();
  api('GET', '/partner/balance');
  await control('POST', '/reset');
  api('GET', '/partner/cards');
  expect(logs.map(lines => lines.length)).toEqual([4]);
  await control('POST', '/rewind', { steps: 1 });
  expect(logs).toHaveLength(1);
  api('GET', '/partner/balance');
  expect(logs.map(lines => lines.map(({ kind }) => kind))).toEqual([
    ['start', 'entry', 'entry', 'entry'],
    ['start', 'entry'],
  ]);
});
