import { expect, test } from 'vitest';
import type { Assume } from '../../../src/service/assumptions/assume.ts';
import { createContract } from '../../support/contract.ts';
import { OTHER_SETTINGS } from '../../support/fixtures/other-settings.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

const OTHERWISE: Assume = { ...OTHER_SETTINGS, 'authorization-ttl': 'never' };

async function documentOf(origin: string, query = ''): Promise<Json> {
  return (await fetch(`${origin}/openapi.json${query}`)).json();
}

test('a world has a document of its own', async () => {
  const { origin, control } = await startSandbox({ assume: { 'list-order': 'oldest' } });
  await control('POST', '/worlds', { id: 'other', assume: OTHERWISE });
  const own = await documentOf(origin, '?world=other');
  const { origin: same } = await startSandbox({ assume: OTHERWISE });
  expect({ ...own, servers: [] }).toEqual({ ...(await documentOf(same)), servers: [] });
  expect(await documentOf(origin, '?world=main')).toEqual(await documentOf(origin));
  expect(await documentOf(origin)).not.toEqual(own);
  expect(await documentOf(origin, '?world=none')).toEqual({
    success: false,
    error: expect.stringContaining('no world "none"'),
  });
  expect((await fetch(`${origin}/openapi.json?world=none`)).status).toBe(404);
  expect((await fetch(`${origin}/openapi.json?world=a&world=b`)).status).toBe(400);
});

test('the OpenAPI document of a sandbox has its names of parameters, statuses and forms', async () => {
  const { origin } = await startSandbox({ assume: OTHERWISE });
  const { paths, components, webhooks, ...document } = await documentOf(origin);
  const parameters = (path: string) => paths[path].get.parameters.map(({ name }: Json) => name);
  expect(parameters('/partner/cards')).toEqual(['page', 'limit', 'state', 'cardholderId']);
  expect(parameters('/partner/usage/records')).toEqual(['page', 'limit', 'since', 'until', 'month', 'kind']);
  expect(Object.keys(paths['/partner/cards'].get.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '422',
    '429',
    '500',
  ]);
  const { schemas } = components;
  expect(schemas.RevealCard.required).toEqual(['stylesheetUrl']);
  expect(schemas.RevealCard.properties.stylesheetUrl).toEqual({
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
    description: 'A style sheet for the card view.',
    'x-fidelity': 'assumed',
    'x-assumption': 'stylesheet-url',
  });
  expect(schemas.RevealCard.properties.copyPan.default).toBe(true);
  expect(schemas.Card.properties.limit).toMatchObject({
    type: 'integer',
    description: expect.stringContaining('In hundredths'),
  });
  expect(schemas.IssueCard.properties.limit).toMatchObject({ type: 'integer' });
  expect(schemas.WebhookEvent.properties.eventType.enum).toHaveLength(12);
  expect(schemas.WebhookConfig.required).toEqual(['subscribedEvents']);
  const { webhookUrl, webhookSecret } = schemas.WebhookConfig.properties;
  expect(webhookUrl).toMatchObject({ type: 'string' });
  for (const { description } of [webhookUrl, webhookSecret])
    expect(description).toMatch(/\. Left out until it is set, which is assumed\.$/);
  const [content] = Object.values(webhooks['card.issued'].post.requestBody.content) as [Json];
  expect(content.schema.$ref).toBe('#/components/schemas/Card');
  expect(JSON.stringify(webhooks)).toContain('in whole milliseconds');
  const entry = document['x-assumptions'].find(({ id }: Json) => id === 'amount-unit');
  expect(entry.setting).toMatchObject({ default: 'major', value: 'minor' });
});

test('the examples of the document have the form of its schemas', async () => {
  const { origin } = await startSandbox({ assume: OTHERWISE });
  const document = await documentOf(origin);
  const contract = createContract(document);
  const problems: string[] = [];
  const visit = (path: readonly string[], part: Json): void => {
    if (typeof part !== 'object' || part === null) return;
    if (part.schema !== undefined && part.examples !== undefined) {
      for (const [name, { value }] of Object.entries<Json>(part.examples)) {
        problems.push(
          ...contract.problems([...path, 'schema'], value).map(each => `${path.join('/')} ${name}: ${each}`),
        );
      }
    }
    for (const [name, member] of Object.entries(part))
      if (name !== 'examples') visit([...path, name], member);
  };
  visit(['paths'], document.paths);
  visit(['webhooks'], document.webhooks);
  visit(['components', 'responses'], document.components.responses);
  expect(problems).toEqual([]);
});

test('the responses of a sandbox keep to its own document', async () => {
  const receiver = fakeReceiver();
  const sandbox = await startSandbox(
    { fixtures: ['starter'], assume: { ...OTHERWISE, 'magic-tokens': 'on' } },
    { transport: receiver.transport },
  );
  const { api, control, origin } = sandbox;
  const contract = createContract(await documentOf(origin));
  const calls: readonly (readonly [string, string, unknown?])[] = [
    ['GET', '/partner/webhooks/config'],
    ['PATCH', '/partner/webhooks/config', { subscribedEvents: [] }],
    ['GET', '/partner/cards?limit=100'],
    ['GET', '/partner/cards?state=thawed'],
    ['GET', '/partner/cards/card_mia_active'],
    ['GET', '/partner/card-programs'],
    ['GET', '/partner/transactions?limit=100'],
    ['GET', '/partner/transactions/txn_mia_hotel'],
    ['GET', '/partner/balance'],
    ['GET', '/partner/usage/records?kind=card_issuance'],
    ['POST', '/partner/cards', { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_everyday', limit: 7 }],
    ['POST', '/partner/cards', { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_everyday', limit: 0.7 }],
    ['POST', '/partner/cards/card_mia_active/reveal-html', {}],
    ['POST', '/partner/cards/card_mia_active/reveal-html', { stylesheetUrl: 'https://example.com/a.css' }],
    ['POST', '/partner/cardholders', newCardholder()],
    ['GET', '/partner/cardholders/ch_mia_approved'],
  ];
  const violationsOf = async ([method, target, body]: (typeof calls)[number]) => {
    const reply = await api(method, target, body);
    const [path = ''] = target.split('?');
    return contract.violations({ method, path, ...reply }).map(each => `${method} ${target}: ${each}`);
  };
  for (const call of calls) expect(await violationsOf(call)).toEqual([]);
  await subscribe(sandbox);
  await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 12.34 });
  await control('POST', '/events', { eventType: 'cardholder.approved' });
  await control('POST', '/clock/advance', { duration: '0s' });
  expect(await violationsOf(['GET', '/partner/webhooks/events'])).toEqual([]);
  expect(receiver.seen).toHaveLength(2);
  for (const { headers, event } of receiver.seen) {
    const type = headers['X-Service-Event'] ?? '';
    const schema = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'];
    expect(contract.problems(schema, event)).toEqual([]);
  }
  await control('PATCH', '/partners/partner_acme/settings', { ipAllowList: ['203.0.113.7'] });
  expect(await violationsOf(['GET', '/partner/balance'])).toEqual([]);
});
