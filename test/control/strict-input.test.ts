import { expect, test } from 'vitest';
import { ACME_KEY, startSandbox } from '../support/sandbox.ts';

test('an unknown member of a control call is a 400 with the nearest known name, and changes nothing', async () => {
  const { control } = await startSandbox();
  expect(await control('POST', '/share-tokens', { outcom: 'reject' })).toMatchObject({
    status: 400,
    body: { success: false, error: 'body.outcom: is unknown, did you mean "outcome"?' },
  });
  expect((await control('GET', '/share-tokens')).body).toEqual([]);
});

test('a scope that an operation does not take is a 400, nested and without a body of its own too', async () => {
  const { control } = await startSandbox();
  const nested = await control('POST', '/share-tokens', { identity: { firstname: 'Mia' } });
  expect(nested).toMatchObject({
    status: 400,
    body: { error: 'body.identity.firstname: is unknown, did you mean "firstName"?' },
  });
  expect(await control('POST', '/reset', { partnerId: 'partner_acme' })).toMatchObject({
    status: 400,
    body: { error: 'body.partnerId: is unknown; this operation takes none' },
  });
});

test('an unknown query parameter of a control call is a 400 with the nearest known name', async () => {
  const { control } = await startSandbox();
  expect(await control('GET', '/deliveries?statuss=failed')).toMatchObject({
    status: 400,
    body: { error: 'query.statuss: is unknown, did you mean "status"?' },
  });
  expect(await control('DELETE', '/faults?partner=partner_acme')).toMatchObject({ status: 400 });
  expect(await control('GET', '/forwarding?at=now')).toMatchObject({
    status: 400,
    body: { error: 'query.at: is unknown; this operation takes none' },
  });
});

test('every unknown member is named, with the known ones where none is close', async () => {
  const { control } = await startSandbox();
  const { body } = await control('POST', '/webhook-faults', { kind: 'drop', tmies: 1, colour: 'blue' });
  expect(body.error).toMatch(
    /^body\.tmies: is unknown, did you mean "times"\?; body\.colour: is unknown; known are kind, partnerId, .*\btimes\b/,
  );
});

test('a key that stands twice in the body of a control call is a 400, and under /v1 the last one counts', async () => {
  const { origin, control } = await startSandbox();
  const post = (path: string, body: string) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': ACME_KEY },
      body,
    });
  const twice = '{"outcome": "reject", "identity": {}, "outcome": "approve"}';
  const refused = await post('/_sandbox/share-tokens', twice);
  const { error } = (await refused.json()) as { error: string };
  expect([refused.status, error]).toEqual([
    400,
    'body: has the key "outcome" twice in one object; keep one and move the rest there',
  ]);
  expect((await control('GET', '/share-tokens')).body).toEqual([]);
  const session = await post('/v1/partner/kyc-sessions', '{"externalUserId": "a", "externalUserId": "b"}');
  expect(await session.json()).toMatchObject({ externalUserId: 'b' });
});
