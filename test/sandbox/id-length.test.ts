import { expect, test } from 'vitest';
import { createCardholder } from '../support/cardholders.ts';
import { startSandbox } from '../support/sandbox.ts';

test('idLength sets the length of generated ids, prefix included', async () => {
  const sandbox = await startSandbox({ idLength: 64 });
  expect(await createCardholder(sandbox)).toMatch(/^ch_[0-9a-z]{61}$/);
  const world = await sandbox.control('POST', '/worlds', { idLength: 40 });
  const apiKey = world.body.partners[0].apiKey;
  const session = await sandbox.api('POST', '/partner/kyc-sessions', {}, { 'x-service-api-key': apiKey });
  expect(session.body.id).toHaveLength(40);
  expect((await sandbox.control('POST', '/worlds', { idLength: 8 })).status).toBe(400);
});
