import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const APP = 'https://app.example';
const OTHER = 'https://other.example';

const allow = ({ control }: TestSandbox, partner: string, ...allowedOrigins: string[]) =>
  control('PATCH', `/partners/${partner}/settings`, { allowedOrigins });

const originAllowed = async ({ api }: TestSandbox, origin: string, path = '/partner/cards') => {
  const { headers } = await api('GET', path, undefined, { origin });
  return headers.get('access-control-allow-origin');
};

const preflight = ({ origin }: TestSandbox, from: string, path = '/v1/partner/cards') =>
  fetch(origin + path, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-service-api-key,x-trace',
    },
  });

test('an empty list allows every origin, any other only its entries, from the next request on', async () => {
  const sandbox = await startSandbox();
  expect(await originAllowed(sandbox, APP)).toBe(APP);
  expect(await originAllowed(sandbox, 'null')).toBe('null');
  await allow(sandbox, 'partner_acme', APP);
  expect(await originAllowed(sandbox, APP)).toBe(APP);
  expect(await originAllowed(sandbox, OTHER)).toBeNull();
  expect(await originAllowed(sandbox, 'null')).toBeNull();
  expect(await originAllowed(sandbox, 'http://app.example')).toBeNull();
  expect(await originAllowed(sandbox, `${APP}:8443`)).toBeNull();
  await allow(sandbox, 'partner_acme', OTHER);
  expect(await originAllowed(sandbox, APP)).toBeNull();
});

test('an unlisted origin still gets a response, which the browser does not show to the page', async () => {
  const sandbox = await startSandbox();
  await allow(sandbox, 'partner_acme', APP);
  const { status, headers } = await sandbox.api('GET', '/partner/cards', undefined, { origin: OTHER });
  expect(status).toBe(200);
  expect(headers.get('vary')).toBe('Origin');
  expect(headers.get('access-control-expose-headers')).toBeNull();
});

test('a request without Origin gets no CORS headers', async () => {
  const sandbox = await startSandbox();
  for (const origins of [[], [APP]]) {
    await allow(sandbox, 'partner_acme', ...origins);
    const { status, headers } = await sandbox.api('GET', '/partner/cards');
    expect(status).toBe(200);
    expect([...headers.keys()].filter(name => /^access-control|^vary$/.test(name))).toEqual([]);
  }
});

test("each partner's requests are checked against its own list", async () => {
  const sandbox = await startSandbox();
  await allow(sandbox, 'partner_acme', APP);
  await allow(sandbox, 'partner_globex', OTHER);
  expect(await originAllowed(sandbox, APP)).toBe(APP);
  expect(await originAllowed(sandbox, OTHER)).toBeNull();
});

test('a preflight needs no key and is a 204 that allows the requested headers', async () => {
  const sandbox = await startSandbox();
  const response = await preflight(sandbox, APP);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    'access-control-allow-origin': APP,
    'access-control-allow-methods': expect.stringMatching(/\bGET\b.*\bPOST\b.*\bPATCH\b/),
    'access-control-allow-headers': 'content-type,x-service-api-key,x-trace',
    vary: expect.stringContaining('Origin'),
  });
  expect(headers).not.toHaveProperty('x-ratelimit-limit');
});

test('a preflight allows exactly the origins that any partner lists, even if another partner has no list', async () => {
  const sandbox = await startSandbox();
  const allowed = async () => {
    const replies = [APP, OTHER, 'https://third.example'].map(origin => preflight(sandbox, origin));
    const headers = (await Promise.all(replies)).map(reply => reply.headers);
    return headers.map(each => each.get('access-control-allow-origin'));
  };
  await allow(sandbox, 'partner_acme', APP);
  expect(await allowed()).toEqual([APP, null, null]);
  await allow(sandbox, 'partner_globex', OTHER);
  expect(await allowed()).toEqual([APP, OTHER, null]);
});

test('a preflight for an unknown path is a 204, so that the page can read the 404 of the request', async () => {
  const sandbox = await startSandbox();
  expect((await preflight(sandbox, APP, '/v1/partner/nothing')).status).toBe(204);
  expect(await originAllowed(sandbox, APP, '/partner/nothing')).toBe(APP);
});

test('OPTIONS without Origin is a 204 without CORS headers', async () => {
  const { origin } = await startSandbox();
  const response = await fetch(`${origin}/v1/partner/cards`, { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('a page can read refusals and their headers', async () => {
  const sandbox = await startSandbox({ rateLimit: 2 });
  await allow(sandbox, 'partner_acme', APP);
  const ask = (key?: string) =>
    sandbox.api('GET', '/partner/cards/nothing', undefined, {
      origin: APP,
      ...(key === undefined ? {} : { 'x-service-api-key': key }),
    });
  const replies = [await ask('sk_test_wrong'), await ask(), await ask(), await ask()];
  expect(replies.map(({ status }) => status)).toEqual([401, 404, 404, 429]);
  for (const { headers } of replies) {
    expect(headers.get('access-control-allow-origin')).toBe(APP);
    expect(headers.get('access-control-expose-headers')).toBe(
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Sandbox-Request',
    );
  }
});

test('a request or a preflight whose origin is not allowed has a hint in log and journal', async () => {
  const log: RequestLogEntry[] = [];
  const sandbox = await startSandbox({}, { onResponse: entry => log.push(entry) });
  await allow(sandbox, 'partner_acme', APP);
  await preflight(sandbox, OTHER);
  await originAllowed(sandbox, OTHER, '/partner/cards?nothing=1');
  await originAllowed(sandbox, OTHER, '/partner/nothing');
  const { body: journal } = await sandbox.control('GET', '/requests');
  expect(journal).toHaveLength(3);
  for (const { hints } of [...journal, ...log]) {
    expect(hints).toContainEqual(
      expect.stringMatching(
        /^CORS: the origin "https:\/\/other\.example" is not in allowedOrigins of partner_acme, /,
      ),
    );
  }
  expect(log[0]?.hints).toEqual([expect.stringContaining('the browser sends no request')]);
  expect(log[1]?.hints).toHaveLength(2);
  expect(log[2]?.hints).toEqual([expect.stringContaining('hides this response from the page')]);
});

test('the hint about a refused origin names at most five partners', async () => {
  const sandbox = await startSandbox();
  const ids = ['partner_acme', 'partner_globex'];
  while (ids.length < 7) ids.push((await sandbox.control('POST', '/partners', {})).body.id);
  for (const id of ids) await allow(sandbox, id, APP);
  await preflight(sandbox, OTHER);
  const [{ hints }] = (await sandbox.control('GET', '/requests')).body;
  expect(hints[0]).toContain(`allowedOrigins of ${ids.slice(0, 5).join(', ')} and 2 more, so the browser`);
});

test('a page can read a 401 without a known key, whatever the lists of the partners are', async () => {
  const sandbox = await startSandbox();
  await allow(sandbox, 'partner_acme', APP);
  for (const key of ['', 'sk_test_wrong']) {
    const headers = { origin: OTHER, 'x-service-api-key': key };
    const refused = await sandbox.api('GET', '/partner/cards', undefined, headers);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(OTHER);
  }
  const [{ hints }] = (await sandbox.control('GET', '/requests')).body;
  expect(hints.join()).not.toContain('CORS');
});

test('an allowed origin, an empty list and a request without Origin have no hint', async () => {
  const sandbox = await startSandbox();
  await preflight(sandbox, OTHER);
  await originAllowed(sandbox, OTHER);
  await allow(sandbox, 'partner_acme', APP);
  await preflight(sandbox, APP);
  await originAllowed(sandbox, APP);
  await sandbox.api('GET', '/partner/cards');
  const { body: journal } = await sandbox.control('GET', '/requests');
  expect(journal.map(({ hints }: { hints: string[] }) => hints)).toEqual(Array(5).fill([]));
});

test('the hint of a preflight names the partners with a list, and cuts a long origin', async () => {
  const sandbox = await startSandbox();
  await allow(sandbox, 'partner_acme', APP);
  await allow(sandbox, 'partner_globex', APP);
  await preflight(sandbox, `https://${'x'.repeat(5_000)}.example`);
  const [{ hints }] = (await sandbox.control('GET', '/requests')).body;
  expect(hints[0]).toContain('allowedOrigins of partner_acme, partner_globex');
  expect(hints[0].length).toBeLessThan(600);
});

test.each([
  'app.example',
  `${APP}/`,
  `${APP}/path`,
  '*',
  'ftp://app.example',
  'null',
  'HTTPS://app.example',
  '',
])('the setting %j is not an origin and is refused', async origin => {
  const sandbox = await startSandbox();
  const { status, body } = await allow(sandbox, 'partner_acme', origin);
  expect(status).toBe(400);
  expect(body.error).toMatch(/^body\.allowedOrigins\.0: must be an origin with its scheme/);
});
