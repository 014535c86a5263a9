import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

const SMALL = 64 * 1024;

test.each<[string, string, string, unknown, number]>([
  [
    '400,000 wrong members of a list',
    'PATCH',
    '/partner/webhooks/config',
    { subscribedEvents: Array(400_000).fill(1) },
    400,
  ],
  [
    'an unknown name of a million characters',
    'PATCH',
    '/partner/webhooks/config',
    { ['a'.repeat(1_000_000)]: 1 },
    200,
  ],
  [
    '45,000 unknown names',
    'PATCH',
    '/partner/webhooks/config',
    Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`webhookSe${index}`, 0])),
    200,
  ],
  [
    'an id of a million characters',
    'POST',
    '/partner/cards',
    { cardholderId: 'x'.repeat(1_000_000), cardProgramId: 'p' },
    404,
  ],
])('%s cause neither a long response nor a long journal entry', async (_what, method, path, body, status) => {
  const { api, control } = await startSandbox();
  const answer = await api(method, path, body);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body).length).toBeLessThan(SMALL);
  const { body: journal } = await control('GET', '/requests');
  expect(JSON.stringify(journal).length).toBeLessThan(SMALL);
});
