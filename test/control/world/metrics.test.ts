import { expect, test } from 'vitest';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The samples of a scrape by their names with labels, and the help and type of each metric. */
async function scrape({ origin }: TestSandbox, headers = {}) {
  const response = await fetch(`${origin}/_sandbox/metrics`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    ...[200, 'text/plain; version=0.0.4; charset=utf-8'],
  ]);
  const text = await response.text();
  const samples = new Map<string, number>();
  let described = '';
  for (const line of text.trimEnd().split('\n')) {
    const [, name = ''] = /^# HELP ([a-z][a-z\d_]*) \S.*\.$/.exec(line) ?? [];
    if (name !== '') described = name;
    else if (line.startsWith('#')) expect(line).toMatch(new RegExp(`^# TYPE ${described} (counter|gauge)$`));
    else {
      const [, sample = '', value = ''] =
        /^([a-z\d_]+(?:\{(?:[a-z]+="[^"\\\n]*",?)+\})?) (\S+)$/.exec(line) ?? [];
      expect(line).toBe(`${sample} ${value}`);
      expect(sample.split('{')[0]).toBe(described);
      expect(Number(value), line).not.toBeNaN();
      samples.set(sample, Number(value));
    }
  }
  expect(text.endsWith('\n')).toBe(true);
  return samples;
}

test('requests are counted by plane, operation and status, of all worlds', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { api, control, origin } = sandbox;
  const count = async (labels: string) =>
    (await scrape(sandbox)).get(`card_sandbox_requests_total{${labels}}`);
  const { body: blue } = await control('POST', '/worlds', { id: 'blue' });
  await api('GET', '/partner/balance');
  await api('GET', '/partner/balance', undefined, { 'x-service-api-key': blue.partners[0].apiKey });
  await api('GET', '/partner/cards/nothing');
  await api('GET', '/partner/nothing');
  await api('GET', '/partner/balance', undefined, { 'x-service-api-key': 'sk_test_nobody' });
  await control('POST', '/clock/advance', { duration: 'soon' });
  expect(await count('plane="partner",operation="balance.get",status="200"')).toBe(2);
  expect(await count('plane="partner",operation="balance.get",status="401"')).toBe(1);
  expect(await count('plane="partner",operation="cards.get",status="404"')).toBe(1);
  expect(await count('plane="partner",operation="none",status="404"')).toBe(1);
  expect(await count('plane="control",operation="worlds.create",status="201"')).toBe(1);
  expect(await count('plane="control",operation="clock.advance",status="400"')).toBe(1);
  expect(await count('plane="control",operation="metrics",status="200"')).toBe(6);
  await api('GET', '/partner/balance', undefined, { 'x-sandbox-fault': 'status=503' });
  expect(await count('plane="partner",operation="balance.get",status="503"')).toBe(1);
  const { body: session } = await api('POST', '/partner/kyc-sessions', {});
  await (await fetch(session.url)).text();
  await (await fetch(`${origin}/reveal/unknown`)).text();
  expect(await count('plane="page",operation="kyc",status="200"')).toBe(1);
  expect(await count('plane="page",operation="reveal",status="403"')).toBe(1);
  await (
    await fetch(`${origin}/_sandbox/wait`, {
      method: 'POST',
      body: '{"timeoutMs":1}',
      headers: { 'content-type': 'application/json' },
    })
  ).text();
  expect(await count('plane="control",operation="deliveries.wait",status="408"')).toBe(1);
});

test('webhook attempts are counted by the status of the response', async () => {
  const outcomes = [500, 'connection refused', 200];
  const { transport } = fakeReceiver((_request, count) => outcomes[count - 1] ?? 200);
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  await subscribe(sandbox, ['balance.top_up']);
  await sandbox.control('POST', '/balance/top-up', { amount: 1 });
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const samples = await scrape(sandbox);
  const attempts = ['200', '500', 'none'].map(status =>
    samples.get(`card_sandbox_webhook_attempts_total{status="${status}"}`),
  );
  expect(attempts).toEqual([1, 1, 1]);
});

test('worlds, memory, processor time and the event loop delay are reported', async () => {
  const sandbox = await startSandbox({ shard: 'a', maxWorlds: 7 });
  await sandbox.control('POST', '/worlds', {});
  const first = await scrape(sandbox);
  expect(first.get('card_sandbox_worlds')).toBe(2);
  expect(first.get('card_sandbox_worlds_limit')).toBe(8);
  expect([...first.keys()]).toContainEqual(
    expect.stringMatching(/^card_sandbox_info\{version="[^"]+",shard="a"\}$/),
  );
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'process_cpu_seconds_total',
    'process_uptime_seconds',
  ]) {
    expect(first.get(name), name).toBeGreaterThan(0);
  }
  // The sampling of the delay begins with the first scrape.
  await expect
    .poll(async () => (await scrape(sandbox)).get('nodejs_eventloop_lag_max_seconds'))
    .toBeGreaterThan(0);
});

test('metrics are for the token of the server alone, where the control plane needs one', async () => {
  const sandbox = await startSandbox({}, {}, { controlToken: 'right', requireToken: true });
  const { body: blue } = await sandbox.control('POST', '/worlds', {}, bearer('right'));
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${sandbox.origin}/_sandbox/metrics`, { headers })).status;
  expect([await status({}), await status(bearer('wrong')), await status(bearer(blue.token))]).toEqual([
    401, 401, 403,
  ]);
  const text = JSON.stringify([...(await scrape(sandbox, bearer('right'))).keys()]);
  expect(text).toContain('status=\\"401\\"');
  for (const secret of [blue.token, 'right', ACME_KEY, blue.partners[0].apiKey])
    expect(text).not.toContain(secret);
});
