import { expect, test } from 'vitest';
import { type Json, newCardholder, startSandbox } from '../support/sandbox.ts';

/** Sends a request of Acme and returns the hints of its journal entry. */
async function hintsOf(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const { api, control } = await startSandbox({ fixtures: ['starter'] });
  await api(
    'POST',
    '/partner/cardholders',
    newCardholder({ email: 'mia+test@example.com', externalUserId: 'A+1' }),
  );
  await api(method, path, body, headers);
  const [entry] = (await control('GET', '/requests?limit=1')).body;
  return entry.hints as string[];
}

test.each<[path: string, hint: RegExp | null]>([
  ['/partner/cardholders?email=mia%2Btest@example.com', null],
  ['/partner/cardholders?email=MIA%2BTEST@example.com', null],
  ['/partner/cardholders?email=new@example.com', null],
  [
    '/partner/cardholders?email=mia+test@example.com',
    /^query\.email has a space.* encode \+ as %2B.*"mia\+test@/,
  ],
  ['/partner/cardholders?email=%20mia%2Btest@example.com', /^query\.email has white space at an end/],
  ['/partner/cardholders?email=new@example.com%0A', /^query\.email has white space at an end/],
  [
    '/partner/cardholders?email=mia+lee@example.com',
    /^query\.email is not an e-mail address: it has a space.* \+/,
  ],
  ['/partner/cardholders?email=mia', /^query\.email is not an e-mail address/],
  ['/partner/cardholders?email=', /^query\.email is empty/],
  ['/partner/cardholders?externalUserId=', /^query\.externalUserId is empty/],
  ['/partner/cardholders?externalUserId=A%2B1', null],
  ['/partner/cardholders?externalUserId=unheard-of', null],
  ['/partner/cardholders?externalUserId=A+1', /^query\.externalUserId has a space.* encode \+ as %2B/],
  [
    '/partner/cardholders?externalUserId=a%2B1',
    /^query\.externalUserId is compared with regard to case.*"A\+1"/,
  ],
  ['/partner/cards?cardholderId=ch_mia_approved', null],
  ['/partner/cards?cardholderId=CH_MIA_APPROVED', /^query\.cardholderId is compared with regard to case/],
  ['/partner/cards?cardholderId=ch_mia_approved+', /^query\.cardholderId has white space at an end/],
  ['/partner/cards?cardholderId=mia', /^query\.cardholderId is the id of no cardholder/],
  ['/partner/cards?cardholderId=', /^query\.cardholderId is empty/],
  ['/partner/transactions?cardId=card_mia_active', null],
  ['/partner/transactions?cardId=ch_mia_approved', /^query\.cardId is the id of no card/],
  ['/partner/transactions?cardId=Card_mia_active', /^query\.cardId is compared with regard to case/],
  ['/partner/transactions?cardId=', /^query\.cardId is empty/],
  ['/partner/transactions?from=2026-03-16&to=2026-03-15', /^query\.from is later than query\.to/],
  ['/partner/webhooks/events?eventType=balance.alert', /^query\.eventType balance\.alert is never listed/],
])('GET %s gives the hint %s', async (path, hint) => {
  expect(await hintsOf('GET', path)).toEqual(hint === null ? [] : [expect.stringMatching(hint)]);
});

test('a filter by the id of a record of another partner says whose it is, in the journal only', async () => {
  const { globex, control } = await startSandbox({ fixtures: ['starter'] });
  const { body } = await globex('GET', '/partner/cards?cardholderId=ch_mia_approved');
  expect(body).toMatchObject({ total: 0 });
  const [{ hints }] = (await control('GET', '/requests?limit=1')).body;
  expect(hints).toEqual([
    expect.stringMatching(/is the id of a cardholder of partner_acme.* partner_globex/),
  ]);
});

test('a hint names a parameter as a setting does', async () => {
  const { api, control } = await startSandbox({ assume: { 'card-status-parameter': 'state' } });
  await api('GET', '/partner/cards?state=active&cardholderId=');
  const [{ hints }] = (await control('GET', '/requests?limit=1')).body;
  expect(hints).toEqual([expect.stringMatching(/^query\.cardholderId is empty/)]);
});

test.each(['abcdefghijklmnop\n', ' abcdefghijklmnop', 'abcdefghijklmnop\u00a0'])(
  'the webhook secret %j is taken with a hint',
  async webhookSecret => {
    expect(await hintsOf('PATCH', '/partner/webhooks/config', { webhookSecret })).toEqual([
      'body.webhookSecret has white space at an end, which is part of the secret',
    ]);
  },
);

test('a webhook secret without white space at an end gives no hint', async () => {
  expect(
    await hintsOf('PATCH', '/partner/webhooks/config', { webhookSecret: 'a secret of 16 letters' }),
  ).toEqual([]);
});

test('an Idempotency-Key gives a hint on what writes', async () => {
  const headers = { 'Idempotency-Key': 'k1' };
  expect(await hintsOf('POST', '/partner/kyc-sessions', {}, headers)).toEqual([
    expect.stringMatching(/^header Idempotency-Key: .* is applied again$/),
  ]);
  for (const method of ['GET', 'HEAD']) {
    expect(await hintsOf(method, '/partner/cards', undefined, headers)).toEqual([]);
  }
});

test.each<[headers: Record<string, string>, hint: RegExp]>([
  [{ 'x-service-api-key': 'Bearer sk_test_acme_0123456789abcdef' }, /without "Bearer " before it/],
  [{ 'x-service-api-key': 'bearer  sk_test_acme_0123456789abcdef' }, /without "Bearer " before it/],
  [{ 'x-service-api-key': '"sk_test_acme_0123456789abcdef"' }, /without quotes around it/],
  [
    { 'x-service-api-key': '', authorization: 'Bearer sk_test_acme_0123456789abcdef' },
    /authorization was sent/,
  ],
  [{ 'x-service-api-key': '', 'x-api-key': 'sk_test_acme_0123456789abcdef' }, /x-api-key was sent/],
])('the key in %j is a 401 with a hint that does not repeat it', async (headers, hint) => {
  const { origin, control } = await startSandbox();
  const response = await fetch(`${origin}/v1/partner/cards`, { headers });
  expect(response.status).toBe(401);
  const [entry] = (await control('GET', '/requests?limit=1')).body as Json[];
  expect(entry.hints).toEqual([expect.stringMatching(hint)]);
  expect(JSON.stringify(entry)).not.toContain('0123456789abcdef');
});

test('a production key after "Bearer " is refused as one', async () => {
  const { api } = await startSandbox();
  const reply = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': 'Bearer sk_live_x' });
  expect(reply).toMatchObject({
    status: 401,
    body: { error: expect.stringContaining('live keys do not belong in a sandbox') },
  });
});
