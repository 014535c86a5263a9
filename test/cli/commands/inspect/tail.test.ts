import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { launchHere, serveHere } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { vacant } from '../../support/deserted.ts';

const REQUEST = {
  id: 'req_1',
  at: '2026-03-15T10:00:00.000Z',
  partnerId: 'partner_acme',
  method: 'GET',
  durationMs: 1,
  path: '/v1/partner/cards/card_x',
  query: '',
  pattern: '/partner/cards/{id}',
  operation: 'cards.get',
  status: 404,
  refusal: 'no card with id "card_x"',
  hints: [],
  rule: { fidelity: 'assumed', id: 'unknown-id', section: '7', decision: 'x' },
  fault: null,
  dropped: false,
};

/** A server that imitates the stream of a sandbox, one connection after the other. */
async function stream(port = 0) {
  const urls: string[] = [];
  const waiting: ((response: ServerResponse) => void)[] = [];
  const server: Server = createServer((request, response) => {
    urls.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'card-sandbox': 'control-plane' });
    response.write(': hello\n\n');
    waiting.shift()?.(response);
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(resolve));
  };
  onTestFinished(async () => void (await close()));
  return {
    urls,
    close,
    port: (server.address() as AddressInfo).port,
    connected: () => new Promise<ServerResponse>(resolve => waiting.push(resolve)),
  };
}

const event = (kind: string, data: unknown) => `event: ${kind}\ndata: ${JSON.stringify(data)}\nid: 1\n\n`;

test('tail prints stream events for people until SIGINT', async () => {
  const { connected, port, urls } = await stream();
  const url = `http://127.0.0.1:${port}`;
  const arrived = connected();
  const tail = startProcess(process.execPath, [
    CLI_PROGRAM,
    'tail',
    '--url',
    url,
    '--kind',
    'request',
    'clock',
  ]);
  const response = await arrived;
  response.write(event('request', REQUEST));
  // Cut within an event.
  const clock = event('clock', { now: '2026-03-15T10:00:00.000Z', mode: 'frozen', pendingTimers: 0 });
  response.write(clock.slice(0, 20));
  response.write(clock.slice(20));
  response.write(event('change', { action: 'created', kind: 'card', id: 'card_x' }));
  response.write(event('event', { id: 'evt_1', eventType: 'card.issued', resourceId: 'card_x' }));
  const rule = { ...REQUEST.rule, fidelity: 'documented', section: '8' };
  response.write(event('request', { ...REQUEST, query: 'page=0', rule }));
  await tail.printed(/interface 8/);
  expect(tail.stdout()).toBe(
    `10:00:00 req_1 404 GET     /v1/partner/cards/card_x 1.0 ms
    no card with id "card_x" [assumption unknown-id]
10:00:00 clock 2026-03-15T10:00:00.000Z frozen
change created card card_x
event evt_1 card.issued card_x
10:00:00 req_1 404 GET     /v1/partner/cards/card_x?page=0 1.0 ms
    no card with id "card_x" [interface 8]
`,
  );
  expect(urls).toEqual(['/_sandbox/stream?kinds=request%2Cclock']);
  tail.child.kill('SIGINT');
  expect(await tail.ended).toEqual({ code: 0, signal: null });
});

test('tail follows a sandbox', async () => {
  const sandbox = await serveHere(['--clock', '2026-03-15T10:00:00Z', '--freeze']);
  const tail = launchHere(['tail', '--json', '--url', sandbox.url]);
  await tail.complained(/^following /m);
  await sandbox.ask('GET', '/v1/partner/cards/card_nobody');
  await sandbox.ask('POST', '/_sandbox/clock/advance', { duration: '1h' });
  await sandbox.ask('POST', '/_sandbox/reset');
  await tail.printed(/"reset"/);
  const lines = tail
    .stdout()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: 'request', path: '/v1/partner/cards/card_nobody', status: 404 },
    { type: 'clock', now: '2026-03-15T11:00:00.000Z' },
    { type: 'reset' },
  ]);
});

test('a delivery is printed with its status', async () => {
  const sandbox = await serveHere();
  const config = { webhookUrl: null, subscribedEvents: ['card.issued'] };
  await sandbox.ask('PATCH', '/v1/partner/webhooks/config', config);
  const tail = launchHere(['tail', '--kind', 'delivery', '--url', sandbox.url]);
  await tail.complained(/^following /m);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await tail.printed(/^\d\d:\d\d:\d\d delivery evt_\w+ card\.issued failed: not configured/m);
});

test('tail reconnects when the sandbox restarts', async () => {
  // No other server gets this port meanwhile.
  const first = await stream(Number(new URL(await vacant()).port));
  const url = `http://127.0.0.1:${first.port}`;
  const arrived = first.connected();
  const tail = launchHere(['tail', '--url', url]);
  await arrived;
  await tail.complained(/^following /m);
  await first.close();
  await tail.complained(/waiting for it|lost the connection/);
  const second = await stream(first.port);
  const again = await second.connected();
  again.write(event('reset', {}));
  await tail.printed(/^reset$/m);
  expect(tail.stderr()).toContain(`following ${url} again\n`);
});
