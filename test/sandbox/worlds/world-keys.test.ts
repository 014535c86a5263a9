import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { ACME_KEY, GLOBEX_KEY } from '../../support/sandbox.ts';

test('each key of a state that is not of the world is replaced, even if another one is', async () => {
  const { control, send } = startInProcess();
  const { body: blue } = await control('POST', '/worlds', { id: 'blue' });
  const [own, other] = blue.partners.map(({ apiKey }: { apiKey: string }) => apiKey);
  const text = JSON.stringify((await control('GET', '/worlds/blue/state')).body);
  const mixed = JSON.parse(text.replaceAll(other, GLOBEX_KEY));
  expect((await control('PUT', '/worlds/blue/state', mixed)).status).toBe(204);
  const { partners } = (await control('GET', '/worlds/blue')).body;
  expect(partners[0].apiKey).toBe(own);
  expect([GLOBEX_KEY, ACME_KEY]).not.toContain(partners[1].apiKey);
  for (const { id, apiKey } of partners) {
    const { body } = await send(apiKey, 'GET', '/partner/card-programs');
    expect([id, body.data.length]).toEqual([id, 1]);
  }
});
