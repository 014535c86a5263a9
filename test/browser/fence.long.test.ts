import { expect } from 'vitest';
import { START, startSandbox } from '../support/sandbox.ts';
import { violations } from './support/accessibility.ts';
import { browserTest, openPage } from './support/browser.ts';
import { startSite } from './support/site.ts';

/** A script that fetches a URL. Its value is the status, or `refused` when the browser blocks the response. */
const fetching = (url: string, init: object) =>
  `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(response => response.status, () => 'refused')`;

browserTest('a page of another site can neither change nor read the control plane', async () => {
  const sandbox = await startSandbox();
  const site = await startSite({ '/': '<title>Other</title>' });
  const { page } = await openPage({ url: site.origin });
  const advance = `${sandbox.origin}/_sandbox/clock/advance`;
  const body = JSON.stringify({ duration: '1h' });
  const json = { 'content-type': 'application/json' };
  expect(await page.evaluate(fetching(`${sandbox.origin}/_sandbox/info`, {}))).toBe('refused');
  expect(await page.evaluate(fetching(advance, { method: 'POST', headers: json, body }))).toBe('refused');
  // The browser sends these requests without a preflight. The sandbox refuses them, and the page does not see how.
  const simple = { method: 'POST', mode: 'no-cors', body };
  expect(await page.evaluate(fetching(advance, simple))).toBe('refused');
  const reset = { method: 'POST', mode: 'no-cors' };
  expect(await page.evaluate(fetching(`${sandbox.origin}/_sandbox/reset`, reset))).toBe('refused');
  expect((await sandbox.control('GET', '/clock')).body.now).toBe(START);
});

browserTest('a form of another site cannot decide a KYC session, and shows an error page', async () => {
  const sandbox = await startSandbox();
  const { url, id } = (await sandbox.api('POST', '/partner/kyc-sessions', {})).body;
  const site = await startSite({
    '/': `<title>Other</title><form method="post" action="${url}"><input name="firstName" value="Eve">
<input name="lastName" value="Evil"><button name="decision" value="approve">Win</button></form>`,
  });
  const { page } = await openPage({ url: site.origin });
  const response = page.waitForResponse(url);
  await page.getByRole('button').click();
  expect((await response).status()).toBe(403);
  await page.getByRole('heading', { name: 'This cannot be done' }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect((await sandbox.api('GET', `/partner/kyc-sessions/${id}`)).body.status).toBe('pending');
});

browserTest('DNS rebinding reaches neither the API nor the control plane nor any page', async () => {
  const sandbox = await startSandbox();
  const { url } = (await sandbox.api('POST', '/partner/kyc-sessions', {})).body;
  const rebound = (path: string) => `http://evil.example:${new URL(sandbox.origin).port}${path}`;
  const { page } = await openPage();
  const paths = [
    '/',
    '/v1/partner/cards',
    '/_sandbox/info',
    new URL(url).pathname,
    '/dashboard',
    '/openapi.json',
  ];
  for (const path of paths) {
    expect([path, (await page.goto(rebound(path)))?.status()]).toEqual([path, 400]);
  }
  // For a page with the rebound name, the sandbox is the same origin. The page of the refusal may not even ask.
  for (const path of paths) expect(await page.evaluate(fetching(rebound(path), {}))).toBe('refused');
});
