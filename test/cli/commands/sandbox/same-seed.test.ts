import { expect, test } from 'vitest';
import { type SandboxProcess, startCli } from '../../../support/processes/process.ts';
import { newCardholder } from '../../../support/sandbox.ts';

const WORLD = ['--fixtures', 'empty', '--clock', '2026-03-15T10:00:00Z', '--freeze'];
const PERSON = newCardholder({ idp1ShareToken: undefined, kycSource: 'idp1' });

/** Plays the same requests against a sandbox and returns every answer and log line, byte for byte. */
async function play(sandbox: SandboxProcess): Promise<string[]> {
  const answers: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await sandbox.ask(method, path, body);
    answers.push(`${reply.status} ${reply.headers.get('x-sandbox-request')} ${reply.text}`);
    return reply.body;
  };
  const { token } = await ask('POST', '/_sandbox/share-tokens', {});
  const { id } = await ask('POST', '/v1/partner/cardholders', { ...PERSON, idp1ShareToken: token });
  await ask('POST', `/v1/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  await ask('POST', '/_sandbox/clock/advance', { duration: '2s' });
  await ask('POST', '/v1/partner/cards', { cardholderId: id, cardProgramId: 'prog_everyday' });
  await ask('POST', '/v1/partner/cards', { cardholderId: 'ch_nobody', cardProgramId: 'prog_everyday' });
  await ask('GET', '/v1/partner/usage/records');
  await ask('POST', '/_sandbox/partners/partner_acme/keys/rotate', {});
  sandbox.child.kill();
  await sandbox.ended;
  const log = sandbox
    .stdout()
    .replace(/"durationMs":[\d.]+/g, '')
    .split('\n')
    .slice(1);
  return [...answers, ...log];
}

test('two starts with the same seed and a clock frozen at the same time answer with the same bytes', async () => {
  const [first, second] = await Promise.all([startCli(WORLD), startCli(WORLD)]);
  const played = await play(first);
  expect(played.filter(answer => answer.startsWith('201 '))).toHaveLength(3);
  expect(await play(second)).toEqual(played);
});

test('another seed gives other ids and other people', async () => {
  const [first, second] = await Promise.all([startCli(WORLD), startCli([...WORLD, '--seed', '43'])]);
  const [one, other] = [await play(first), await play(second)];
  expect(one[1]).toMatch(/^201 req_.*"id":"ch_/);
  expect(other[1]).toMatch(/^201 req_.*"id":"ch_/);
  expect(one[1]).not.toBe(other[1]);
});
