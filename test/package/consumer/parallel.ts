// One of many test files that share a running sandbox.
import { sandboxTest } from 'card-sandbox/vitest';
import { expect } from 'vitest';

const COUNT = 5;
const worker = process.env.VITEST_POOL_ID ?? '';
const test = sandboxTest({ connect: { url: process.env.SANDBOX_URL ?? '' } });

test(`the partner of this file has only the records of this file, in worker ${worker}`, async ({
  sandbox,
  partner,
}) => {
  const headers = { 'x-service-api-key': partner.apiKey, 'content-type': 'application/json' };
  for (let index = 0; index < COUNT; index++) {
    const { token } = await sandbox.mintShareToken({ partnerId: partner.id });
    const body = JSON.stringify({
      // The same in every file: external ids are unique per partner.
      externalUserId: `user-${index}`,
      email: `user-${index}@worker-${worker}.test`,
      phoneNumber: '+4915123456789',
      kycSource: 'idp1',
      idp1ShareToken: token,
    });
    const { status } = await sandbox.fetch('/v1/partner/cardholders', { method: 'POST', headers, body });
    expect(status).toBe(201);
  }
  const list = await sandbox.fetch('/v1/partner/cardholders', { headers });
  const { data } = (await list.json()) as { data: { email: string }[] };
  expect(data.map(({ email }) => email).sort()).toEqual(
    Array.from({ length: COUNT }, (_, index) => `user-${index}@worker-${worker}.test`),
  );
});
