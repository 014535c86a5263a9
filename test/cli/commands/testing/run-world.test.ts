import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runInProcess, serveHere } from '../../../support/cli-in-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const TOP_UP = `  - control: POST /balance/top-up
    body: { amount: 1 }
  - webhook: { eventType: balance.top_up, status: delivered }`;

async function run(url: string, steps: string, ...flags: string[]) {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, `name: A test\nsteps:\n${steps}\n`);
  const server = ['--base-url', `${url}/v1`, '--control-url', url];
  return runInProcess(['run', file, ...server, ...flags]);
}

test('webhooks of a sandbox with names arrive', async () => {
  const { url } = await serveHere(['--freeze', '--allow-http-webhooks', '--names', 'service=acme']);
  expect(await run(url, TOP_UP, '--api-key', ACME_KEY)).toMatchObject({ code: 0 });
});

test('what is printed of a sandbox with names has them throughout, headings and differences included', async () => {
  const { url } = await serveHere(['--freeze', '--names', 'idp1=checkly,idp2=veriface']);
  const step = `  - say: Acme imports Mia with idp1
    note: The token is one of idp1.
    request: POST /partner/cardholders
    body:
      externalUserId: user-1
      email: mia-\${run}@example.com
      phoneNumber: "+4915123456789"
      kycSource: idp1
      idp1ShareToken: idp1_test_approve_1
    expect: { body: { kycSource: idp2 } }`;
  const { stdout } = await run(url, step, '--api-key', ACME_KEY, '--verbose');
  expect(stdout).toMatch(
    /imports Mia with checkly\n[\s\S]*one of checkly\.\n[\s\S]*✗[\s\S]*"veriface"[\s\S]*"checkly"/,
  );
  expect(stdout).not.toMatch(/idp[12]/);
});

test('a key of another world than that of the control plane is refused', async () => {
  const { url, ask } = await serveHere(['--freeze', '--allow-http-webhooks']);
  const { partners } = (await ask('POST', '/_sandbox/worlds', { id: 'blue' })).body;
  const main = await run(url, TOP_UP, '--api-key', partners[0].apiKey);
  expect(main).toMatchObject({ code: 2 });
  expect(main.stderr).toContain(
    'the API key belongs to the world blue, and the control plane to main; pass --world blue, or a key of main',
  );
  expect(await run(url, TOP_UP, '--api-key', ACME_KEY, '--world', 'blue')).toMatchObject({ code: 2 });
  expect(await run(url, TOP_UP, '--api-key', partners[0].apiKey, '--world', 'blue')).toMatchObject({
    code: 0,
  });
});

test('a webhook configuration that cannot be restored is reported', async () => {
  const { url } = await serveHere(['--freeze', '--allow-http-webhooks']);
  const steps = `${TOP_UP}
  - control: POST /faults
    body: { status: 503, path: /partner/webhooks/config }`;
  const { code, stderr } = await run(url, steps, '--api-key', ACME_KEY);
  expect(code).toBe(0);
  expect(stderr).toContain("the partner's webhook configuration could not be restored (503, ");
});

test('a port of the receiver that is in use is named with its flag', async () => {
  const { url } = await serveHere(['--freeze', '--allow-http-webhooks']);
  const { port } = new URL(url);
  const { code, stderr } = await run(url, TOP_UP, '--api-key', ACME_KEY, '--webhook-port', port);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `error: --webhook-port ${port} is in use; pass another port\n`,
  });
});
