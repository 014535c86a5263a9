import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { handlers } from '../../../src/msw.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { START } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';
import { playStory } from './story.ts';

const OPTIONS = { fixtures: ['empty'], clock: START, seed: 7 } as const;
const CERTIFICATES = join(import.meta.dirname, '../../sandbox/transport/certificates');
// The types are those of MSW 2, which calls the option onUnhandledRequest.
const REFUSE_OTHERS: object = { onUnhandledFrame: 'error' };

/** Intercepts all requests of this process with MSW 3. Requests that no handler matches fail. */
function intercept(...all: Parameters<typeof setupServer>) {
  const server = setupServer(...all);
  server.listen(REFUSE_OTHERS);
  onTestFinished(() => server.close());
}

describe('with MSW 3', () => {
  test('responses are the same as in process', async () => {
    await using plain = createSandbox(OPTIONS);
    const expected = await playStory({ ...plain, apiKey: plain.apiKey, advance: plain.clock.advance });
    await using sandbox = createSandbox(OPTIONS);
    const baseUrl = 'https://api.partner.test/v1';
    intercept(...handlers(sandbox, { baseUrl }));
    const responses = await playStory({
      baseUrl,
      apiKey: sandbox.apiKey,
      fetch,
      advance: sandbox.clock.advance,
    });
    expect(responses).toEqual(expected);
  });

  test.each(scenarioNames())('scenario %s passes', async name => {
    await using sandbox = createSandbox({ ...OPTIONS, retrySpeed: 1, allowHttpWebhooks: true });
    intercept(...handlers(sandbox));
    const report = await playToEnd(readScenario(name), await createStage(sandbox.url, { fetch }));
    expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(report).toMatchObject({ ok: true, left: 0, failed: 0, skipped: 0 });
  });

  test('a dropped connection is a network error for the caller', async () => {
    await using sandbox = createSandbox(OPTIONS);
    intercept(...handlers(sandbox));
    await sandbox.faults.add({ drop: true });
    const request = fetch(`${sandbox.baseUrl}/partner/cards`, {
      headers: { 'x-service-api-key': sandbox.apiKey },
    });
    await expect(request).rejects.toThrow(TypeError);
  });

  test.each(['http', 'https'])('a real receiver behind %s gets its webhooks', async scheme => {
    const received: string[] = [];
    const take = async (request: AsyncIterable<Buffer>, response: { end(): void }) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push(body);
      response.end();
    };
    const file = (name: string) => readFileSync(join(CERTIFICATES, name));
    const server =
      scheme === 'http'
        ? createHttp(take)
        : createHttps({ key: file('key.pem'), cert: file('certificate.pem') }, take);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    await using sandbox = createSandbox({ allowHttpWebhooks: true, insecureWebhookTls: true });
    const seen: string[] = [];
    const all = http.all('*', ({ request }) => {
      seen.push(request.url);
      return HttpResponse.error();
    });
    intercept(...handlers(sandbox), all);
    const webhookUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    await sandbox.webhooks.configure({
      webhookUrl,
      webhookSecret: 'a-secret-of-more-than-16',
      subscribedEvents: ['balance.top_up'],
    });
    await sandbox.simulate.topUp({ amount: 5 });
    await sandbox.webhooks.settle();
    expect(await sandbox.webhooks.list()).toMatchObject([{ status: 'delivered', cause: null }]);
    expect(received).toEqual([expect.stringContaining('balance.top_up')]);
    expect(seen).toEqual([]);
  });
});
