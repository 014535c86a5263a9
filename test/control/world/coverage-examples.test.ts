import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import type { Json } from '../../support/sandbox.ts';

/** The example of a condition. */
async function exampleOf(id: string): Promise<Json> {
  const { control } = startInProcess({ fixtures: ['starter'] });
  return (await control('GET', `/coverage/${encodeURIComponent(id)}`)).body;
}

const CURL = `curl -s -X GET -H "x-service-api-key:`;
const JSON_TYPE = `-H 'content-type: application/json'`;

test('each condition has an example: steps with a scenario of them, or a command', async () => {
  const { control } = startInProcess({ fixtures: ['starter'] });
  const { conditions } = (await control('GET', '/coverage')).body;
  expect(conditions.length).toBeGreaterThan(100);
  for (const { id } of conditions) {
    const { steps, scenario, command } = (await control('GET', `/coverage/${encodeURIComponent(id)}`)).body;
    expect([id, steps.length > 0, scenario !== null]).toEqual([id, command === null, command === null]);
  }
});

test('an event is raised and awaited', async () => {
  expect((await exampleOf('event card.issued')).steps).toMatchObject([
    { control: 'POST /events', body: { eventType: 'card.issued' } },
    { webhook: { eventType: 'card.issued' } },
  ]);
});

test('what each operation has is shown by one request to it, with the status that it gets', async () => {
  const lastOf = async (id: string) => (await exampleOf(id)).steps.at(-1);
  expect(await lastOf('balance.get 200')).toMatchObject({
    request: 'GET /partner/balance',
    expect: { status: 200 },
  });
  expect(await lastOf('cards.get 404')).toMatchObject({
    request: 'GET /partner/cards/unknown',
    expect: { status: 404 },
  });
  const freeze = await lastOf('cards.freeze 404');
  expect(freeze).toMatchObject({ request: 'POST /partner/cards/unknown/freeze', body: {} });
  expect(await lastOf('cards.issue 401 authentication')).toMatchObject({
    request: 'POST /partner/cards',
    body: {},
    key: null,
    expect: { status: 401 },
  });
  expect(await lastOf('balance.get 401 authentication')).not.toHaveProperty('body');
  expect(await lastOf('cards.issue 400 invalid-input')).toMatchObject({
    request: 'POST /partner/cards',
    body: '[',
    expect: { status: 400 },
  });
});

test('a caller that is not on the allow-list is shown with a partner of its own', async () => {
  const { steps } = await exampleOf('balance.get 401 allow-list-status');
  expect(steps.slice(-2)).toMatchObject([
    { control: `PATCH /partners/\${partner}/settings`, body: { ipAllowList: ['203.0.113.1'] } },
    { request: 'GET /partner/balance', expect: { status: 401 } },
  ]);
  expect(steps.at(-1).key).toMatch(/^\$\{\w+\}$/);
});

test('what no scenario sends is a command', async () => {
  expect(await exampleOf('balance.get 401 live-keys')).toMatchObject({
    steps: [],
    scenario: null,
    command: `${CURL} sk_live_example" ${JSON_TYPE} "$SERVICE_BASE_URL/partner/balance"`,
  });
  expect((await exampleOf('cards.list 400')).command).toBe(
    `${CURL} $SERVICE_API_KEY" ${JSON_TYPE} -d '[' "$SERVICE_BASE_URL/partner/cards"`,
  );
});

test('an example that needs a setting names it', async () => {
  const example = await exampleOf('cardholders.initiateKyc 400 kyc-after-rejection');
  expect(example.option).toBe('--assume kyc-after-rejection=refused');
  expect((await exampleOf('balance.get 200')).option).toBeNull();
});
