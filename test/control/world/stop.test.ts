import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

test('a sandbox that is part of another program names no process, and is not stopped', async () => {
  const { api, control } = await startSandbox();
  const refusal = {
    status: 409,
    body: {
      success: false,
      error: 'the sandbox is part of another program, such as exec or a test, and ends with it',
    },
  };
  expect((await control('GET', '/info')).body.process).toBeNull();
  expect(await control('POST', '/stop', {})).toMatchObject(refusal);
  expect((await api('GET', '/partner/balance')).status).toBe(200);
});
