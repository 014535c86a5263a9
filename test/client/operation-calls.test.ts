import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { createControlCall } from '../../src/client/operation-calls.ts';

/** Calls of the control plane, and the requests that they send. */
function createCalls(partnerId?: string) {
  const requests: { method: string | undefined; url: string; body: unknown }[] = [];
  const client = createClient({
    url: 'http://sandbox.test',
    fetch: (url, init) => {
      requests.push({ method: init?.method, url: String(url).replace(/^.*_sandbox/, ''), body: init?.body });
      return Promise.resolve(new Response('{}', { headers: { 'Card-Sandbox': '1' } }));
    },
  });
  return { call: createControlCall(client, { partnerId }), requests };
}

test('a call takes the parameters of its path, then its body and its query', async () => {
  const { call, requests } = createCalls();
  await call('cardholders.status', 'ch/1', { status: 'closed' });
  await call('webhooks.changeConfig', { webhookUrl: null }, { partnerId: 'acme' });
  await call('history.list', { limit: 2 });
  await call('requests.list', { path: undefined });
  // The history keeps bodies as they were sent.
  await call('clock.freeze');
  await call('clock.resume');
  expect(requests).toEqual([
    { method: 'POST', url: '/cardholders/ch%2F1/status', body: '{"status":"closed"}' },
    { method: 'PATCH', url: '/webhooks/config?partnerId=acme', body: '{"webhookUrl":null}' },
    { method: 'GET', url: '/history?limit=2', body: undefined },
    { method: 'GET', url: '/requests', body: undefined },
    { method: 'POST', url: '/clock/freeze', body: '{}' },
    { method: 'POST', url: '/clock/resume', body: undefined },
  ]);
});

test('a call for a partner names it wherever an operation takes one and the caller names none', async () => {
  const { call, requests } = createCalls('acme');
  await call('faults.clear');
  await call('faults.clear', { partnerId: 'globex' });
  await call('deliveries.settle');
  await call('faults.remove', 'fault_1');
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ['/faults?partnerId=acme', undefined],
    ['/faults?partnerId=globex', undefined],
    ['/deliveries/settle', '{"partnerId":"acme"}'],
    ['/faults/fault_1', undefined],
  ]);
});
