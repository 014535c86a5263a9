// The world `main` of the sandbox of `exec`, as an app in any language calls it: the id is that of nobody.
import { expect, test } from 'vitest';

test('the app shows a card', async () => {
  const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
  const response = await fetch(`${SERVICE_BASE_URL}/partner/cards/card_mia_activ`, {
    headers: { 'x-service-api-key': SERVICE_API_KEY },
  });
  expect(response.status).toBe(200);
});
