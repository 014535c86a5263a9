import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { manualTime } from '../../support/manual-time.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

test('a stream starts with a greeting and the reconnection time, and must not be cached or buffered', async () => {
  const { origin } = await startSandbox();
  const { response, nextBlock } = await openEventStream(origin);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(await nextBlock()).toMatch(/^: hello from card-sandbox \d+\.\d+\.\d+\nretry: 1000\n\n$/);
});

test('the stream reports what happens immediately, in order and numbered', async () => {
  const { origin, api, control } = await startSandbox();
  await api('GET', '/partner/cards');
  const { next } = await openEventStream(origin);
  const person = newCardholder();
  const { body, headers } = await api('POST', '/partner/cardholders', person);
  await control('POST', '/clock/advance', { duration: '1h' });
  await control('POST', '/reset');
  await api('GET', '/partner/cards');
  const events = await next(5);
  expect(events.map(({ event }) => event)).toEqual(['event', 'request', 'clock', 'reset', 'request']);
  expect(events.map(({ id }) => id - (events[0]?.id ?? 0))).toEqual([0, 1, 2, 3, 4]);
  const [happened, asked, moved, reset] = events.map(({ data }) => data);
  expect(happened).toEqual({
    id: expect.stringMatching(/^evt_/),
    eventType: 'cardholder.created',
    partnerId: 'partner_acme',
    resourceId: body.id,
    createdAt: '2026-03-15T10:00:00.000Z',
    data: body,
  });
  expect(asked).toMatchObject({ id: headers.get('x-sandbox-request'), status: 201 });
  expect(moved).toEqual({ now: '2026-03-15T11:00:00.000Z', mode: 'frozen', pendingTimers: 0 });
  expect(reset).toEqual({});
});

test('a request is reported as in the journal, without headers and records, with secrets masked', async () => {
  const { origin, api, control } = await startSandbox();
  const { next } = await openEventStream(origin, '?kinds=request');
  await api('PATCH', '/partner/webhooks/config', { webhookSecret: 'a-secret-of-16-characters' });
  await api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': 'status=503' });
  const reported = (await next(2)).map(({ data }) => data);
  const entries: Json[] = (await control('GET', '/requests')).body;
  const lean = entries.map(({ request, response, changes, ...entry }) => ({
    ...entry,
    request: { ...request, headers: undefined },
    response: { ...response, headers: undefined },
    changes: changes.map(({ kind, id, action }: Json) => ({ kind, id, action })),
  }));
  expect(entries[0].request.headers['x-sandbox-fault']).toBe('status=503');
  expect(reported.reverse()).toEqual(lean);
  expect(JSON.stringify(reported)).not.toMatch(/a-secret-of|x-sandbox-fault/);
});

test('a delivery is reported at each step, in its state at that moment', async () => {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  const { next } = await openEventStream(sandbox.origin, '?kinds=delivery');
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const [recorded, attempted] = (await next(2)).map(({ data }) => data);
  expect(recorded).toMatchObject({ step: 'recorded', eventType: 'cardholder.created', attempts: [] });
  const { body } = await sandbox.control('GET', `/deliveries/${recorded.id}`);
  expect(attempted).toEqual({ step: 'attempted', ...body });
  expect(body.attempts).toHaveLength(1);
});

test('kinds can be selected; omitted messages leave gaps in the numbers', async () => {
  const { origin, api, control } = await startSandbox();
  const { next } = await openEventStream(origin, '?kinds=clock,%20reset');
  const [one, two] = [await openEventStream(origin, '?kinds=event'), await openEventStream(origin)];
  await control('POST', '/clock/freeze');
  await api('GET', '/partner/cards');
  await control('POST', '/reset');
  const [clock, reset] = await next(2);
  expect([clock?.event, reset?.event]).toEqual(['clock', 'reset']);
  expect((reset?.id ?? 0) - (clock?.id ?? 0)).toBe(2);
  expect(await two.next(3)).toHaveLength(3);
  one.disconnect();
});

test.each(['request,evnt', '', ',', 'Request', 'constructor'])('the kinds %j are refused', async kinds => {
  const { control } = await startSandbox();
  const { status, body, headers } = await control('GET', `/stream?kinds=${kinds}`);
  expect(status).toBe(400);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.error).toMatch(
    /^query\.kinds: must be a comma-separated list of request, event, delivery, clock, reset/,
  );
  if (kinds === 'request,evnt') expect(body.error).toMatch(/, did you mean "event"\?$/);
});

test('an idle stream sends a heartbeat every 15 seconds of wall time', async () => {
  const { realTime, pass } = manualTime();
  const { origin } = await startSandbox({}, { realTime });
  const { nextBlock } = await openEventStream(origin);
  await nextBlock();
  pass(15_000);
  expect(await nextBlock()).toBe(': still here\n\n');
  pass(30_000);
  expect([await nextBlock(), await nextBlock()]).toEqual([': still here\n\n', ': still here\n\n']);
});

test('HEAD returns headers only, and other methods are not operations', async () => {
  const { origin, control } = await startSandbox();
  const head = await fetch(`${origin}/_sandbox/stream`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await head.text()).toBe('');
  expect(await control('POST', '/stream')).toMatchObject({
    status: 404,
    body: { error: 'no such operation: POST /stream; did you mean GET /stream?' },
  });
});
