import { expect, test } from 'vitest';
import { type Arrival, readWebhook, type WebhookReceiver } from '../../../src/client/webhook-receiver.ts';
import type { Transport } from '../../../src/core/world/transport.ts';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { START, startSandbox } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';

const AS_PUBLISHED = { retrySpeed: 1, allowHttpWebhooks: true };

test.each(scenarioNames())('%s passes over HTTP', async name => {
  const { origin } = await startSandbox(AS_PUBLISHED);
  const report = await playToEnd(readScenario(name), await createStage(origin));
  expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report).toMatchObject({ ok: true, left: 0, failed: 0, skipped: 0 });
});

test.each(scenarioNames())('%s passes without sockets, through a fetch function', async name => {
  const { fetch, inbox } = withoutSockets();
  const report = await playToEnd(readScenario(name), await createStage('http://127.0.0.1', { fetch, inbox }));
  expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
});

test.each(scenarioNames())('%s finds no difference without a control plane', async name => {
  const { origin } = await startSandbox({ ...AS_PUBLISHED, freeze: false, kycDelay: '0s' });
  const scenario = readScenario(name);
  const report = await playToEnd(scenario, await createStage(origin, { hasControl: false }));
  expect(report.steps.filter(({ status }) => status === 'failed')).toEqual([]);
  // What a partner alone can play. A scenario of the card network begins with a person whom only a control plane creates.
  const own = scenario.steps.filter(step => 'request' in step && step.sandboxOnly !== true);
  const isOfPartner = own.length > scenario.steps.length / 2;
  if (isOfPartner) expect(report.passed).toBeGreaterThan(report.skipped);
  for (const { reason } of report.steps.filter(({ status }) => status === 'skipped')) {
    expect(reason).toMatch(/there is no control plane|which step \d+ did not capture/);
  }
});

/** A sandbox behind its own `fetch`, whose webhooks arrive in an inbox without a server. */
function withoutSockets() {
  const arrivals: Arrival[] = [];
  const secret = 'a-secret-of-more-than-16';
  let status = 200;
  const inbox: WebhookReceiver = {
    url: 'http://127.0.0.1:1/',
    ownUrl: 'http://127.0.0.1:1/',
    secret,
    arrivals,
    respond(next) {
      status = next;
    },
    close: () => undefined,
    keep(count) {
      arrivals.length = count;
    },
  };
  const transport: Transport = {
    async send({ url, headers, body }) {
      const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const webhook = readWebhook(Buffer.from(body), Object.fromEntries(lowerCase), secret);
      arrivals.push({ ...webhook, responseStatus: status });
      return { url, status, body: '', cause: status === 200 ? null : `answered ${status}`, durationMs: 1 };
    },
    close: () => undefined,
  };
  const sandbox = createSandboxCore(
    { fixtures: ['empty'], clock: START, freeze: true, ...AS_PUBLISHED },
    { transport },
  );
  const fetchIt = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const request = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.search.slice(1),
      headers: { host: '127.0.0.1', ...Object.fromEntries(new Headers(init.headers)) },
      body: Buffer.from(String(init.body ?? '')),
      remoteAddress: '127.0.0.1',
    };
    const handle = url.pathname.startsWith('/v1') ? sandbox.handle : sandbox.control;
    const { status, headers, body } = await handle(request);
    return new Response(status === 204 ? null : body, { status, headers: headers as Record<string, string> });
  };
  return { fetch: fetchIt as typeof fetch, inbox };
}
