import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { ACME_KEY, newCardholder, startSandbox } from '../../support/sandbox.ts';

test('a listener that throws does not break the response', async () => {
  const bugs: unknown[] = [];
  const { api } = await startSandbox(
    {},
    {
      onResponse: () => {
        throw new Error('a broken listener');
      },
      onBug: error => {
        bugs.push(error);
        throw new Error('another');
      },
    },
  );
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect(bugs).toMatchObject([{ message: 'a broken listener' }]);
});

test.each(['/v2/partner/cards', '/xx/partner/cards', '/v1x', '/_sandbox/clock'])(
  'a path that is not below the prefix, such as %s, is not an operation of the API',
  path => {
    const headers = { 'x-service-api-key': ACME_KEY };
    const sandbox = createSandboxCore({ fixtures: ['empty'] });
    onTestFinished(() => sandbox.stop());
    const request = { method: 'GET', path, query: '', headers, body: new Uint8Array(), remoteAddress: '::1' };
    expect(sandbox.handle(request)).toMatchObject({
      status: 404,
      body: expect.stringContaining(`no such operation: GET ${path}`),
    });
  },
);

test('a request that lacks a field gets a hint about its misspelt name', async () => {
  const { api, control } = await startSandbox();
  const { idp1ShareToken, email, ...rest } = newCardholder();
  const body = { ...rest, emial: email, idp1ShareTokn: idp1ShareToken };
  const refused = await api('POST', '/partner/cardholders', body);
  expect(refused.body.error).toContain('body.email: is required');
  const entry = await control('GET', `/requests/${refused.headers.get('x-sandbox-request')}`);
  expect(entry.body.hints).toEqual([
    'body.emial is unknown and was ignored, did you mean "email"?',
    'body.idp1ShareTokn is unknown and was ignored, did you mean "idp1ShareToken"?',
  ]);
});

test('a field of another KYC source is a hint, and is not suggested as itself', async () => {
  const { api, control } = await startSandbox();
  const reply = await api(
    'POST',
    '/partner/cardholders',
    newCardholder({ kycSessionId: 'kycs_1', postalcode: '1' }),
  );
  const entry = await control('GET', `/requests/${reply.headers.get('x-sandbox-request')}`);
  expect(entry.body.hints).toEqual([
    'body.kycSessionId is unknown and was ignored',
    'body.postalcode is unknown and was ignored, did you mean "postalCode"?',
  ]);
});

test.each([
  ['POST', '/partner/cards/card_mia_active/reveal-htm', 'POST /partner/cards/{id}/reveal-html'],
  ['POST', '/partner/cards/card_mia_active/block', null],
  ['GET', '/partner/balances', 'GET /partner/balance'],
  ['GET', '/partner/usage', 'GET /partner/usage/records'],
  ['POST', '/partner/cards/card_1/unfreze', 'POST /partner/cards/{id}/unfreeze'],
  ['GET', '/partner/cardholders/ch_1/kcy', 'POST /partner/cardholders/{id}/kyc'],
])('%s %s suggests the nearest operation only if one is close', async (method, path, suggested) => {
  const { api } = await startSandbox();
  const tail = suggested === null ? '' : `; did you mean ${suggested}?`;
  expect((await api(method, path)).body.error).toBe(`no such operation: ${method} ${path}${tail}`);
});

test('with --documented-only the 404 names the operation, and suggests only documented ones', async () => {
  const { api } = await startSandbox({ documentedOnly: true });
  expect((await api('GET', '/partner/cards/card_1')).body.error).toMatch(
    /^no such operation: GET \/partner\/cards\/card_1 \(it rests on the assumption card-moves, /,
  );
  expect((await api('GET', '/partner/crads/card_1')).body.error).not.toContain('did you mean');
  expect((await api('POST', '/partner/cards/card_1/reveal-htm')).body.error).toMatch(
    /; did you mean POST \/partner\/cards\/\{id\}\/reveal-html\?$/,
  );
});

test.each([
  '/partner/cards/sk%5Flive%5FSECRET1',
  '/partner/cards?a=sk%5flive_SECRET1',
  '/partner/cards/%zz-sk_l%69ve_SECRET1',
])('a live key in %s is never stored, percent-encoded or not', async path => {
  const logged: unknown[] = [];
  const { api, control } = await startSandbox({}, { onResponse: request => logged.push(request) });
  await api('GET', path);
  const journal = await control('GET', '/requests');
  expect(JSON.stringify([logged, journal.body])).not.toContain('SECRET1');
});
