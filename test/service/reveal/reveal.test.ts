import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { createCard } from '../../support/cardholders.ts';
import { createRevealLink, requestRevealLink, visit } from '../../support/pages.ts';
import { ACME_KEY, START, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const advance = ({ control }: TestSandbox, duration: string) =>
  control('POST', '/clock/advance', { duration });
const numberIn = (text: string) => /\d{4} \d{4} \d{4} \d{4}/.exec(text)?.[0];

test('a link is a signed URL of the sandbox, different each time', async () => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox);
  const path = `/partner/cards/${id}/reveal-html`;
  const { status, body } = await sandbox.api('POST', path);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['accessUrl']);
  const url = new URL(body.accessUrl);
  expect(url.origin).toBe(sandbox.origin);
  expect(url.pathname).toMatch(/^\/reveal\/\w+$/);
  expect([...url.searchParams.keys()]).toEqual(['expires', 'signature']);
  expect(Number(url.searchParams.get('expires')) * 1000).toBe(Date.parse('2026-03-15T10:01:00.000Z'));
  expect((await sandbox.api('POST', path)).body.accessUrl).not.toBe(body.accessUrl);
});

test('only cancelled cards are refused', async () => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox);
  for (const move of ['activate', 'freeze', 'cancel']) {
    expect((await sandbox.api('POST', `/partner/cards/${id}/reveal-html`)).status).toBe(200);
    await sandbox.api('POST', `/partner/cards/${id}/${move}`);
  }
  const refused = await sandbox.api('POST', `/partner/cards/${id}/reveal-html`);
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('is cancelled') } });
});

test('the link shows number, expiry, CVV and name once', async () => {
  const sandbox = await startSandbox();
  const card = await createCard(sandbox, { nameOnCard: 'MIA WONG' });
  const url = await requestRevealLink(sandbox, card.id);
  const first = await visit(url);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const number = numberIn(first.text) ?? '';
  expect(number).toMatch(new RegExp(`^4242 42.*${card.last4}$`));
  expect(first.text).toMatch(/class="[^"]*reveal-expiry">03\/30</);
  expect(first.text).toMatch(/class="[^"]*reveal-cvv">\d{3}</);
  expect(first.text).toMatch(/class="[^"]*reveal-name">MIA WONG</);
  const second = await visit(url);
  expect(second.status).toBe(410);
  expect(second.text).toContain('This link was already used');
  expect(numberIn(second.text)).toBeUndefined();
  expect(numberIn((await visit(await requestRevealLink(sandbox, card.id))).text)).toBe(number);
});

test('the button and its script need copyPan, and the style sheet needs a URL', async () => {
  const sandbox = await startSandbox();
  const plain = await visit(await createRevealLink(sandbox));
  expect(plain.text).not.toMatch(/<button|<script|<link/);
  const stylesheetUrl = 'https://app.test/card.css?v=1&theme=dark';
  const full = await visit(await createRevealLink(sandbox, { copyPan: true, stylesheetUrl }));
  expect(full.text).toContain('<button class="reveal-copy"');
  expect(full.text).toContain('rel="stylesheet" href="https://app.test/card.css?v=1&amp;theme=dark" nonce="');
  expect((await visit(await createRevealLink(sandbox, { copyPan: false }))).text).not.toContain('<button');
});

test('a link is valid for less than 60 seconds of sandbox time', async () => {
  const sandbox = await startSandbox();
  const [early, late] = [await createRevealLink(sandbox), await createRevealLink(sandbox)];
  await advance(sandbox, '59999ms');
  expect((await visit(early)).status).toBe(200);
  await advance(sandbox, '1ms');
  const expired = await visit(late);
  expect(expired.status).toBe(410);
  expect(expired.text).toContain('This link has expired');
  expect((await visit(early)).text).toContain('This link was already used');
});

test('HEAD responds like GET and, like OPTIONS, leaves the link unused', async () => {
  const sandbox = await startSandbox();
  const url = await createRevealLink(sandbox);
  for (let again = 0; again < 2; again++) {
    const head = await visit(url, { method: 'HEAD' });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-security-policy')).toContain("default-src 'none'");
    const options = await visit(url, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await visit(url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
  expect((await visit(url)).status).toBe(200);
  expect((await visit(url, { method: 'HEAD' })).status).toBe(410);
});

test('a link whose expiry differs from the record is a 403, though its signature is right', async () => {
  const sandbox = await startSandbox();
  const url = await createRevealLink(sandbox);
  const { body: state } = await sandbox.control('GET', '/state');
  state.tables.revealLinks[0].expiresAt = '2026-03-15T11:00:00.000Z';
  await sandbox.control('PUT', '/state', state);
  const refused = await visit(url);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('This link was changed');
});

test('a link with any altered part is a 403, and the link stays unused', async () => {
  const sandbox = await startSandbox();
  const url = await createRevealLink(sandbox);
  const other = new URL(await createRevealLink(sandbox));
  const [path = '', query = ''] = url.split('?');
  const [expires = '', signature = ''] = query.split('&');
  const altered = [
    path,
    `${path}?${expires}`,
    `${path}?${signature}`,
    `${path}?${expires}&signature=`,
    `${path}?${expires}&${signature.slice(0, -1)}`,
    `${path}?${expires}&${signature}0`,
    `${path}?${expires}&${signature.toUpperCase()}`,
    `${path}?${expires}0&${signature}`,
    `${path}?${expires.replace('=1', '=2')}&${signature}`,
    `${path}?${query}&${expires}`,
    `${path}?${query}&${signature}`,
    `${path}?${expires}&signature=${other.searchParams.get('signature')}`,
    `${path}x?${query}`,
    `${sandbox.origin}${other.pathname}?${query}`,
    `${sandbox.origin}/reveal/rev_none?${query}`,
    `${sandbox.origin}/reveal/__proto__?${query}`,
    `${sandbox.origin}/reveal/%ff?${query}`,
  ];
  for (const link of altered) {
    const { status, text } = await visit(link);
    expect({ link, status }).toEqual({ link, status: 403 });
    expect(text).toContain('This link was changed');
  }
  expect((await visit(`${url}&utm=1`)).status).toBe(200);
});

test('a link from before a reset, or to a card that was cancelled since, is a 410', async () => {
  const sandbox = await startSandbox();
  const card = await createCard(sandbox);
  const url = await requestRevealLink(sandbox, card.id);
  await sandbox.api('POST', `/partner/cards/${card.id}/cancel`);
  const cancelled = await visit(url);
  expect(cancelled).toMatchObject({ status: 410, text: expect.stringContaining('was cancelled') });
  await sandbox.control('POST', '/reset');
  const gone = await visit(url);
  expect(gone).toMatchObject({ status: 410, text: expect.stringContaining('no longer valid') });
});

test('only the page contains the number, and no journal entry contains the signature', async () => {
  const logged: string[] = [];
  const sandbox = await startSandbox({}, { onResponse: entry => logged.push(JSON.stringify(entry)) });
  const card = await createCard(sandbox);
  const url = await requestRevealLink(sandbox, card.id, { copyPan: true });
  const number = numberIn((await visit(url)).text) ?? '';
  const answers = [
    await sandbox.api('GET', '/partner/cards'),
    await sandbox.api('GET', `/partner/cards/${card.id}`),
    await sandbox.control('GET', '/requests'),
    await sandbox.control('GET', '/info'),
  ];
  const everything = JSON.stringify(answers.map(({ body }) => body)) + logged.join('\n');
  expect(everything).toContain('reveal-html');
  expect(number).not.toBe('');
  expect(everything).not.toContain(number.replaceAll(' ', ''));
  expect(everything).not.toContain(number);
  expect(everything).not.toContain(new URL(url).searchParams.get('signature'));
  expect(everything).toContain('signature=***');
});

test('the same seed and the same calls give the same links and the same pages', async () => {
  const run = async () => {
    const sandbox = await startSandbox();
    const card = await createCard(sandbox, {});
    const url = await requestRevealLink(sandbox, card.id, { copyPan: true });
    const { text } = await visit(url);
    return {
      url: url.replace(sandbox.origin, ''),
      number: numberIn(text),
      nonce: /nonce="\w+"/.exec(text)?.[0],
    };
  };
  expect(await run()).toEqual(await run());
});

test('the pages are available without a server', () => {
  const sandbox = createSandboxCore({ fixtures: ['starter'], clock: START, freeze: true });
  onTestFinished(() => sandbox.stop());
  const ask = (method: string, url: string) => {
    const { pathname, search } = new URL(url);
    const headers = { host: 'localhost', accept: 'text/html', 'x-service-api-key': ACME_KEY };
    const request = { method, path: pathname, query: search.slice(1), headers, body: new Uint8Array() };
    const answer = sandbox.hasPage(pathname) ? sandbox.page : sandbox.handle;
    return answer({ ...request, remoteAddress: '127.0.0.1' });
  };
  const { data } = JSON.parse(ask('GET', 'http://any.test/v1/partner/cards?status=active').body);
  const path = `http://any.test/v1/partner/cards/${data[0].id}/reveal-html`;
  const { accessUrl } = JSON.parse(ask('POST', path).body);
  expect(ask('GET', accessUrl)).toMatchObject({ status: 200, body: expect.stringMatching(/4242 42/) });
  expect(ask('GET', accessUrl).status).toBe(410);
});

test('the policy allows fonts and images of the origin of the style sheet, and of no other', async () => {
  const sandbox = await startSandbox();
  const sourcesOf = async (stylesheetUrl?: string) => {
    const { headers } = await visit(await createRevealLink(sandbox, { stylesheetUrl }));
    const policy = headers.get('content-security-policy') ?? '';
    return policy.split('; ').filter(each => /^(img|font)-src/.test(each));
  };
  expect(await sourcesOf()).toEqual(['img-src data:', 'font-src data:']);
  expect(await sourcesOf('https://app.test:8443/a/card.css')).toEqual([
    'img-src data: https://app.test:8443',
    'font-src data: https://app.test:8443',
  ]);
  // Hosts that would change the policy.
  for (const host of ['*.test', 'a;script-src', '[::1]:3000']) {
    expect(await sourcesOf(`http://${host}/card.css`)).toEqual(['img-src data:', 'font-src data:']);
  }
});
