import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import { ACME_KEY } from '../../support/sandbox.ts';
import { pageBlocks } from './blocks.ts';

/** Runs a block of a page that begins with these words, with variables, and resolves with the value of an expression. */
async function runSnippet(
  page: string,
  begins: string,
  variables: Readonly<Record<string, unknown>>,
  expression: string,
): Promise<unknown> {
  const block = pageBlocks(page).find(({ text }) => text.startsWith(begins));
  const text =
    block?.text.replaceAll(/^import (\{.*\}) from 'card-sandbox';$/gm, 'const $1 = library;') ?? '';
  const source = `async function snippet() {\n${text}\nreturn ${expression};\n}`;
  const { code } = await transform(source, { loader: 'ts', target: 'node20' });
  const names = ['library', ...Object.keys(variables)];
  return Function(...names, `${code}\nreturn snippet();`)(library, ...Object.values(variables));
}

test('the example of AGENTS.md runs', async () => {
  expect(await runSnippet('AGENTS.md', 'import { createSandbox', {}, 'response.status')).toBe(200);
});

test('the calls of docs/state.md go back', async () => {
  const sandbox = library.createSandbox();
  const { id } = await sandbox.simulate.card();
  expect(await runSnippet('docs/state.md', 'const [last]', { sandbox }, 'last.plane')).toBe('control');
  await expect(sandbox.api.cards.get(id)).rejects.toMatchObject({ status: 404 });
  await sandbox.close();
});

test('the example of docs/webhooks.md verifies a webhook', async () => {
  const secret = 'a-secret-of-more-than-16';
  let received: { rawBody: string; request: { headers: Record<string, string | null> } } | undefined;
  const sandbox = library.createSandbox({
    async webhookReceiver(request) {
      const headers = { 'x-service-signature': request.headers.get('x-service-signature') };
      received = { rawBody: await request.text(), request: { headers } };
      return new Response();
    },
  });
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  await sandbox.fetch('/v1/partner/webhooks/config', {
    method: 'PATCH',
    headers,
    body: JSON.stringify({
      webhookUrl: 'https://my-app.test/',
      webhookSecret: secret,
      subscribedEvents: ['balance.top_up'],
    }),
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.wait({ eventType: 'balance.top_up', status: 'delivered', timeoutMs: 60_000 });
  const variables = { ...received, secret };
  expect(await runSnippet('docs/webhooks.md', 'import { verifyWebhook', variables, 'result.valid')).toBe(
    true,
  );
  await sandbox.close();
});
