import { expect, test } from 'vitest';
import { createCard } from '../../support/cardholders.ts';
import { createRevealLink, requestRevealLink, sendForm, visit } from '../../support/pages.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { responseTo } from '../http/raw.ts';

const policyOf = (headers: Headers) =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map(directive => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
const allow = ({ control }: TestSandbox, allowedOrigins: readonly string[]) =>
  control('PATCH', '/partners/partner_acme/settings', { allowedOrigins });
const newSession = async ({ api }: TestSandbox, body = {}): Promise<string> =>
  (await api('POST', '/partner/kyc-sessions', body)).body.url;

test('the card view is not cached, sends no referrer, and allows only its own style and script', async () => {
  const sandbox = await startSandbox();
  const stylesheetUrl = 'https://app.test/card.css';
  const url = await createRevealLink(sandbox, { stylesheetUrl, copyPan: true });
  const { headers, text } = await visit(url);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  const nonce = /nonce="(\w{26})"/.exec(text)?.[1];
  expect(text.match(/nonce="\w+"/g)).toEqual(Array(3).fill(`nonce="${nonce}"`));
  expect(Object.fromEntries(policyOf(headers))).toEqual({
    'default-src': "'none'",
    'style-src': `'nonce-${nonce}'`,
    'script-src': `'nonce-${nonce}'`,
    'img-src': 'data: https://app.test',
    'font-src': 'data: https://app.test',
    'base-uri': "'none'",
    'form-action': "'none'",
  });
});

test('without a copy button no script may run, and every response has its own nonce', async () => {
  const sandbox = await startSandbox();
  const url = await createRevealLink(sandbox);
  const policies = [await visit(url), await visit(url)].map(({ headers }) => policyOf(headers));
  for (const policy of policies) expect(policy.has('script-src')).toBe(false);
  expect(policies[0]?.get('style-src')).not.toBe(policies[1]?.get('style-src'));
});

test.each([
  "https://app.test/a;script-src%20'unsafe-inline'",
  "https://app.test/a;script-src*;'unsafe-inline'.css",
  'https://app.test/"><script>alert(1)</script>',
  "https://app.test/'onload='alert(1)",
  'https://a;sandbox/x.css',
  'https://app.test/,default-src*',
])('the style sheet %s cannot inject into the policy or out of its attribute', async stylesheetUrl => {
  const sandbox = await startSandbox();
  const { headers, text } = await visit(await createRevealLink(sandbox, { stylesheetUrl }));
  expect([...policyOf(headers).keys()]).toEqual([
    'default-src',
    'style-src',
    'img-src',
    'font-src',
    'base-uri',
    'form-action',
  ]);
  expect(text).not.toMatch(/<script/i);
  expect(text).toMatch(/<link rel="stylesheet" href="https:\/\/[^"<>']*" nonce="\w+">/);
});

test('only allowed origins may frame the card view and its error pages', async () => {
  const sandbox = await startSandbox();
  const card = await createCard(sandbox);
  const origins = ['https://app.test', 'http://localhost:3000'];
  const url = await requestRevealLink(sandbox, card.id);
  await allow(sandbox, origins);
  for (const status of [200, 410]) {
    const reply = await visit(url);
    expect(reply.status).toBe(status);
    expect(policyOf(reply.headers).get('frame-ancestors')).toBe(origins.join(' '));
  }
  const altered = await visit(`${url}0`);
  expect(policyOf(altered.headers).get('frame-ancestors')).toBe(origins.join(' '));
  const unknown = await visit(`${sandbox.origin}/reveal/none`);
  expect(policyOf(unknown.headers).has('frame-ancestors')).toBe(false);
  for (const { headers } of [altered, unknown]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('only its own site and allowed origins may frame the KYC page', async () => {
  const sandbox = await startSandbox();
  const url = await newSession(sandbox);
  expect(policyOf((await visit(url)).headers).get('frame-ancestors')).toBe("'self'");
  await allow(sandbox, ['https://app.test']);
  const { headers, text } = await visit(url);
  expect(policyOf(headers).get('frame-ancestors')).toBe("'self' https://app.test");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // With no-referrer, browsers would send Origin: null with the form, and the check of the origin would refuse it.
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(policyOf(headers).has('script-src')).toBe(false);
  expect(text).not.toMatch(/<script|\bstyle=|\bon\w+=/);
});

test('a refusal is a page for browsers, and the simple error body for other clients', async () => {
  const sandbox = await startSandbox();
  const url = await newSession(sandbox);
  const page = await sendForm(url, {}, { origin: 'https://evil.example' });
  expect(page.status).toBe(403);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('<h1>This cannot be done</h1>');
  const plain = await sendForm(url, {}, { origin: 'https://evil.example', accept: '*/*' });
  expect(plain.status).toBe(403);
  expect(JSON.parse(plain.text)).toEqual({
    success: false,
    error: expect.stringMatching(/^header Origin: /),
  });
});

test('another site can neither read nor decide a KYC session, even with DNS rebinding', async () => {
  const sandbox = await startSandbox();
  const url = new URL(await newSession(sandbox));
  const form = 'decision=approve&firstName=Eve&lastName=Evil';
  const head = (lines: readonly string[]) =>
    [
      `POST ${url.pathname} HTTP/1.1`,
      ...lines,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${form.length}`,
      'Connection: close',
      '',
      form,
    ].join('\r\n');
  const foreign = [
    [`Host: ${url.host}`, 'Origin: https://evil.example'],
    [`Host: ${url.host}`, 'Origin: null'],
    [`Host: ${url.host}`, `Origin: http://localhost:${url.port}`],
  ];
  for (const lines of foreign) {
    const { status } = await responseTo(sandbox.origin, head(lines));
    expect({ lines, status }).toEqual({ lines, status: 403 });
  }
  const read = `GET ${url.pathname} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
  const { status, text } = await responseTo(sandbox.origin, read);
  expect(status).toBe(400);
  expect(text).not.toContain('firstName');
  const id = url.pathname.slice('/kyc/'.length);
  expect((await sandbox.api('GET', `/partner/kyc-sessions/${id}`)).body.status).toBe('pending');
  const own = await responseTo(sandbox.origin, head([`Host: ${url.host}`, `Origin: ${sandbox.origin}`]));
  expect(own.status).toBe(303);
});

test('beyond loopback the pages need no control token', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0' });
  const path = new URL(await newSession(sandbox)).pathname;
  const send = async (host: string) =>
    (await responseTo(sandbox.origin, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
      .status;
  expect(await send('sandbox.internal:80')).toBe(200);
});

test('card view, KYC page and index cannot be embedded by other sites', async () => {
  const sandbox = await startSandbox();
  const urls = [
    await createRevealLink(sandbox),
    await newSession(sandbox),
    `${sandbox.origin}/`,
    `${sandbox.origin}/x`,
  ];
  for (const url of urls) {
    const { headers } = await visit(url);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  }
  for (const path of ['/', '/nothing', '/openapi.json', '/dashboard']) {
    const { headers } = await fetch(sandbox.origin + path);
    expect({ path, frame: headers.get('x-frame-options') }).toEqual({ path, frame: 'DENY' });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test.each(['x', 'text/plain', 'application/json', 'multipart/form-data; boundary=x'])(
  'a form of the type %s is refused, as is a form that is too long',
  async type => {
    const sandbox = await startSandbox();
    const url = await newSession(sandbox);
    const reply = await visit(url, {
      method: 'POST',
      body: 'decision=approve',
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(400);
    const long = await sendForm(url, { firstName: 'x'.repeat(1024 * 1024) });
    expect(long.status).toBe(400);
    expect(long.text).toContain('1 MiB');
  },
);

test.each([
  [undefined, 'missing'],
  ['text/plain', '"text/plain"'],
])('a form that is sent as %s is refused, and the refusal says what it is', async (type, found) => {
  const sandbox = await startSandbox();
  const body = new TextEncoder().encode('decision=approve');
  const headers = type === undefined ? undefined : { 'content-type': type };
  const response = await fetch(await newSession(sandbox), {
    method: 'POST',
    body,
    ...(headers && { headers }),
  });
  expect(response.status).toBe(400);
  const { error } = JSON.parse(await response.text());
  expect(error).toBe(`header Content-Type: must be application/x-www-form-urlencoded, is ${found}`);
});
