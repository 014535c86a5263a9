import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/client/verify-webhook.ts';
import { OptionError } from '../../../src/sandbox/options.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

const names = { service: 'acme', idp1: 'checkly', idp2: 'veriFace' };

/** A sandbox with Acme's names, and a function that calls it with them. */
async function named(hooks = {}, rateLimit = 0) {
  const sandbox = await startSandbox({ names, rateLimit }, hooks);
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'x-acme-api-key': ACME_KEY },
  ) => {
    const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${sandbox.origin}/v1${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  return { ...sandbox, send };
}

const person = (members: object) => ({
  externalUserId: 'idp1',
  email: 'idp1@example.com',
  phoneNumber: '+4915123456789',
  kycSource: 'checkly',
  checklyShareToken: 'checkly_test_approve_1',
  ...members,
});

test('requests, responses and webhooks about a cardholder use the configured names', async () => {
  const receiver = fakeReceiver();
  const { send, control } = await named({ transport: receiver.transport });
  const config = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['cardholder.created'] };
  await send('PATCH', '/partner/webhooks/config', config);
  const { status, body } = await send('POST', '/partner/cardholders', person({}));
  expect(status).toBe(201);
  expect(body).toMatchObject({ kycSource: 'checkly', externalUserId: 'idp1', email: 'idp1@example.com' });
  expect((await send('GET', `/partner/cardholders/${body.id}`)).body).toEqual(body);
  expect((await send('GET', '/partner/cardholders')).body.data).toEqual([body]);
  await control('POST', '/deliveries/settle');

  const [sent] = receiver.seen;
  expect(sent?.event.data).toEqual(body);
  expect(sent?.headers).toMatchObject({ 'X-Acme-Event': 'cardholder.created' });
  expect(Object.keys(sent?.headers ?? {}).filter(name => /service/i.test(name))).toEqual([]);
  const signature = sent?.headers['X-Acme-Signature'];
  expect(verifyWebhook(sent?.body ?? '', signature, SECRET)).toMatchObject({ valid: true });
  const [event] = (await send('GET', '/partner/webhooks/events')).body.data;
  const { payload } = (await send('GET', `/partner/webhooks/events/${event.id}`)).body;
  expect(JSON.parse(payload)).toMatchObject({ data: { kycSource: 'checkly' } });
});

test('a share token stands for the same person, whatever its provider is called', async () => {
  const { send } = await named();
  const { body } = await send('POST', '/partner/cardholders', person({}));
  const { api } = startInProcess();
  const neutral = { ...person({ kycSource: 'idp1' }), idp1ShareToken: 'idp1_test_approve_1' };
  expect(body.firstName).toBe(api('POST', '/partner/cardholders', neutral).body.firstName);
});

test('a token that the control plane minted is accepted unchanged', async () => {
  const { send, control } = await named();
  const minted = await control('POST', '/share-tokens', { source: 'idp2' });
  const body = person({ kycSource: 'veriFace', veriFaceShareToken: minted.body.token });
  expect(await send('POST', '/partner/cardholders', body)).toMatchObject({
    status: 201,
    body: { kycSource: 'veriFace' },
  });
});

test('neutral names are unknown, and messages use the configured names', async () => {
  const { send, control } = await named();
  const noKey = await send('GET', '/partner/cards', undefined, { 'x-service-api-key': ACME_KEY });
  expect(noKey.status).toBe(401);
  expect(noKey.body.error).toMatch(/^header x-acme-api-key is missing/);
  const noSource = await send('POST', '/partner/cardholders', person({ kycSource: 'idp1' }));
  expect(noSource.status).toBe(400);
  expect(noSource.body.error).toMatch(/body\.kycSource: must be one of "web", "checkly", "veriFace"/);
  const noToken = await send('POST', '/partner/cardholders', {
    ...person({ checklyShareToken: undefined }),
    idp1ShareToken: 'idp1_test_approve_1',
  });
  expect(noToken.body.error).toMatch(/^body\.checklyShareToken: /);
  const [entry] = (await control('GET', '/requests')).body;
  const { hints, refusal } = (await control('GET', `/requests/${entry.id}`)).body;
  expect(hints).toContainEqual(expect.stringMatching(/^body\.idp1ShareToken is unknown and was ignored/));
  expect(refusal).toBe(noToken.body.error);
  const unknown = await send('POST', '/partner/cardholders', person({ checklyShareToken: 'nonsense' }));
  expect(unknown.body.error).toMatch(/or use a magic token such as checkly_test_approve_<anything>/);
});

test('the hint about a misspelled field suggests the configured name', async () => {
  const { send, control } = await named();
  await send('POST', '/partner/cardholders', { ...person({}), checklyShareTokn: 'x', idp2ShareToken: 'x' });
  expect((await control('GET', '/requests')).body[0].hints).toEqual([
    'body.checklyShareTokn is unknown and was ignored, did you mean "checklyShareToken"?',
    'body.idp2ShareToken is unknown and was ignored',
  ]);
});

test('the journal shows requests and responses as sent', async () => {
  const { send, control } = await named();
  await send('POST', '/partner/cardholders', person({ kycSource: 'checkly' }));
  const [{ id }] = (await control('GET', '/requests')).body;
  const { request, response } = (await control('GET', `/requests/${id}`)).body;
  expect(JSON.parse(request.body)).toMatchObject({ kycSource: 'checkly', checklyShareToken: '***' });
  expect(JSON.parse(response.body)).toMatchObject({ kycSource: 'checkly' });
});

test('HEAD returns the length of the response to GET', async () => {
  const { send } = await named();
  const { body } = await send('POST', '/partner/cardholders', person({}));
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map(method => send(method, `/partner/cardholders/${body.id}`)),
  );
  expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
});

test('the control plane uses the neutral names, as do responses to tools that request them', async () => {
  const { api, send, control } = await named();
  const { body } = await send('POST', '/partner/cardholders', person({}));
  expect((await control('GET', `/cardholders/${body.id}`)).body.kycSource).toBe('idp1');
  const neutral = await api('GET', `/partner/cardholders/${body.id}`, undefined, {
    'x-sandbox-names': 'neutral',
  });
  expect(neutral.body).toEqual({ ...body, kycSource: 'idp1' });
});

test('a preflight allows the configured header', async () => {
  const { send } = await named();
  const { headers } = await send('OPTIONS', '/partner/cards', undefined, {
    origin: 'https://app.example.com',
  });
  expect(headers.get('access-control-allow-headers')).toContain('x-acme-api-key');
});

test('the OpenAPI document uses the configured names everywhere', async () => {
  const { origin } = await named();
  const text = await (await fetch(`${origin}/openapi.json`)).text();
  const left = [...text.matchAll(/.{12}(?:idp[12]|x-service-|IdP[12]).{12}/gi)].map(([each]) => each);
  expect(left.filter(each => !/idp2-variant/.test(each))).toEqual([]);
  const { components } = JSON.parse(text);
  expect(components.securitySchemes.ApiKey.name).toBe('x-acme-api-key');
  expect(components.schemas.CreateCardholderFromCheckly.required).toContain('checklyShareToken');
  expect(components.schemas.CreateCardholder.discriminator.mapping).toMatchObject({
    checkly: '#/components/schemas/CreateCardholderFromCheckly',
  });
  const control = await (await fetch(`${origin}/openapi.json?plane=control`)).text();
  expect(control).toContain('"idp1"');
});

test('an invalid name is refused with the name of its option', () => {
  expect(() => startInProcess({ names: { idp1: 'web' } })).toThrow(OptionError);
  expect(() => startInProcess({ names: { idp1: 'web' } })).toThrow('the name of idp1');
  // @ts-expect-error not a neutral name
  expect(() => startInProcess({ names: { idp3: 'x' } })).toThrow(OptionError);
});

test('details and headers of a refusal use the configured names', async () => {
  const { send } = await named({}, 2);
  const { body: holder } = await send('POST', '/partner/cardholders', person({}));
  const again = person({ externalUserId: 'other', checklyShareToken: 'checkly_test_approve_2' });
  const conflict = await send('POST', '/partner/cardholders', again);
  expect(conflict).toMatchObject({
    status: 409,
    body: { error: { code: 'EMAIL_ALREADY_REGISTERED', existingCardholderId: holder.id } },
  });
  const refused = await send('GET', '/partner/balance');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
