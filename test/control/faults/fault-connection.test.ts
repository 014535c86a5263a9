import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange, HOST, open, readResponses } from '../../server/http/raw.ts';
import { ACME_KEY, newCardholder, startSandbox } from '../../support/sandbox.ts';

const CREATE = '/partner/cardholders';
const ask = (extra = '') =>
  `GET /v1/partner/cards HTTP/1.1\r\n${HOST}x-service-api-key: ${ACME_KEY}\r\n${extra}\r\n`;

test('drop closes the connection without an answer, and the request is not looked at', async () => {
  const sandbox = await startSandbox();
  const { body: fault } = await sandbox.control('POST', '/faults', { drop: true, times: 1 });
  await expect(sandbox.api('POST', CREATE, newCardholder())).rejects.toThrow('other side closed');
  const { body } = await sandbox.control('GET', '/requests');
  expect(body).toMatchObject([
    {
      status: 503,
      fault: fault.id,
      dropped: true,
      changes: [],
      refusal: `the connection was closed without a response by fault ${fault.id}`,
      rule: { id: 'faults' },
      hints: [`fault ${fault.id}: the connection was closed, and the request was not handled`],
    },
  ]);
  expect((await sandbox.api('GET', CREATE)).body.total).toBe(0);
});

test('drop after: the cardholder is there, its answer is lost, and the journal has it', async () => {
  const sandbox = await startSandbox();
  const person = newCardholder();
  const carrying = { 'x-sandbox-fault': 'drop; when=after' };
  await expect(sandbox.api('POST', CREATE, person, carrying)).rejects.toThrow('other side closed');
  const { body } = await sandbox.api('GET', CREATE);
  expect(body.data).toMatchObject([{ externalUserId: person.externalUserId }]);
  const { body: entries } = await sandbox.control('GET', '/requests?method=POST');
  const hint = 'header X-Sandbox-Fault: the request was handled, and its response 201 was dropped';
  expect(entries).toMatchObject([{ status: 201, fault: 'header', dropped: true, hints: [hint] }]);
  expect(JSON.parse(entries[0].response.body)).toEqual(body.data[0]);
});

test('not a byte of a dropped answer is sent, and what was answered before it is', async () => {
  const { origin } = await startSandbox();
  const answers = await exchange(origin, ask() + ask('X-Sandbox-Fault: drop\r\n') + ask(), 3);
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test('a request whose answer is delayed is handled at once', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/faults', { method: 'PATCH', delayMs: 60_000 });
  const socket = await open(sandbox.origin);
  let received = '';
  socket.on('data', bytes => {
    received += bytes;
  });
  const body = '{"subscribedEvents":["card.issued"]}';
  const head = ask(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`);
  socket.write(head.replace('GET /v1/partner/cards', 'PATCH /v1/partner/webhooks/config') + body);
  const entry = async () => (await sandbox.control('GET', '/requests?method=PATCH')).body[0];
  while ((await entry()) === undefined);
  const { body: config } = await sandbox.api('GET', '/partner/webhooks/config');
  expect(config.subscribedEvents).toEqual(['card.issued']);
  const { fault, dropped, refusal, rule, hints, durationMs } = await entry();
  expect({ dropped, refusal, rule: rule.id }).toEqual({ dropped: false, refusal: null, rule: 'faults' });
  expect(hints).toEqual([
    `fault ${fault}: the request was handled, and its response was sent, delayed by 60000 ms`,
  ]);
  // The caller waits for it.
  expect(durationMs).toBeGreaterThanOrEqual(60_000);
  expect(received).toBe('');
  socket.destroy();
});

test('a forced answer and a drop can be late too', async () => {
  const { origin, api } = await startSandbox();
  const startedAt = performance.now();
  const late = await api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': 'status=503; delay=50ms' });
  expect(late.status).toBe(503);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
  expect(await exchange(origin, ask('X-Sandbox-Fault: drop; delay=50ms\r\n'))).toEqual([]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
});

test('pipelined answers keep their order around a late one', async () => {
  const { origin } = await startSandbox();
  const late = ask('X-Sandbox-Fault: status=502; delay=30ms\r\n');
  const answers = await exchange(origin, ask() + late + ask(), 3);
  expect(answers.map(({ status }) => status)).toEqual([200, 502, 200]);
});

test('a client that does not wait for a late answer does no harm', async () => {
  const { origin, api } = await startSandbox();
  for (let round = 0; round < 20; round++) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    await new Promise(resolve => socket.write(ask('X-Sandbox-Fault: delay=5ms\r\n').repeat(20), resolve));
    socket.resetAndDestroy();
  }
  expect((await api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': 'delay=20ms' })).status).toBe(
    200,
  );
});

test('a connection is kept after a late answer', async () => {
  const { origin } = await startSandbox();
  const socket = await open(origin);
  for (const [request, status] of [
    [ask('X-Sandbox-Fault: status=503; delay=20ms\r\n'), 503],
    [ask(), 200],
  ] as const) {
    const answers = readResponses(socket);
    socket.write(request);
    expect((await answers)[0]?.status).toBe(status);
  }
  socket.destroy();
});
