import { expect, test } from 'vitest';
import { type SandboxHere, startHere } from '../../../support/cli-in-process.ts';
import { newCardholder } from '../../../support/sandbox.ts';

const WORLD = ['--fixtures', 'empty', '--clock', '2026-03-15T10:00:00Z', '--freeze'];
const SEEDED = [...WORLD, '--seed', '42'];
const PERSON = newCardholder({ idp1ShareToken: undefined, kycSource: 'idp1' });

/** Sends the same requests to a sandbox and returns every response and log line, byte for byte. */
async function play(sandbox: SandboxHere): Promise<string[]> {
  const responses: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await sandbox.ask(method, path, body);
    responses.push(`${reply.status} ${reply.headers.get('x-sandbox-request')} ${reply.text}`);
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
  await sandbox.stop();
  const log = sandbox
    .stdout()
    .replace(/"durationMs":[\d.]+/g, '')
    .split('\n')
    .slice(1);
  return [...responses, ...log];
}

test('two starts with the same seed and frozen clock respond with the same bytes', async () => {
  const played = await play(await startHere(SEEDED));
  expect(played.filter(response => response.startsWith('201 '))).toHaveLength(3);
  expect(await play(await startHere(SEEDED))).toEqual(played);
});

test('another seed gives other ids and other people', async () => {
  const one = await play(await startHere(SEEDED));
  const other = await play(await startHere([...WORLD, '--seed', '43']));
  expect(one[1]).toMatch(/^201 req_.*"id":"ch_/);
  expect(other[1]).toMatch(/^201 req_.*"id":"ch_/);
  expect(one[1]).not.toBe(other[1]);
});

test('without --seed, ids and people are the same in every start, and a rotated key is not', async () => {
  const [one, other] = [await play(await startHere(WORLD)), await play(await startHere(WORLD))];
  const isRotation = (line: string) => line.includes('"previousKeyValidUntil"');
  const withoutKey = (lines: string[]) => lines.filter(line => !isRotation(line));
  expect(withoutKey(other)).toEqual(withoutKey(one));
  expect(other.find(isRotation)).not.toBe(one.find(isRotation));
});
