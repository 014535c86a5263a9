import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { startProcess, type Variables } from '../../../support/cli-process.ts';
import { deserted } from '../../support/deserted.ts';
import { type Check, good, hmac, isFresh, isSame, receiver, SECRET } from '../../support/receivers.ts';

const doctor = (words: readonly string[], variables: Variables = {}) =>
  runInProcess(['doctor', 'webhook', ...words], variables);

async function examined(check: Check) {
  const { code, stdout } = await doctor([await receiver(check), '--secret', SECRET, '--json']);
  const report = JSON.parse(stdout);
  const ids = (verdict: string) =>
    report.probes
      .filter((each: { verdict: string }) => each.verdict === verdict)
      .map(({ id }: { id: string }) => id);
  return { code, ...report, failed: ids('failed'), doubtful: ids('doubtful') };
}

test('the example receiver gets the best grade', async () => {
  const file = join(import.meta.dirname, '../../../../examples/receivers/node.js');
  const variables = { SERVICE_WEBHOOK_SECRET: SECRET, PORT: '0' };
  const running = startProcess(process.execPath, [file], variables);
  const [, url = ''] = await running.printed(/^receiving on (\S+)$/m);
  const { code, stdout, stderr } = await doctor([url], variables);
  expect(stdout).toMatch(/\nGrade A: 16 of 16 passed\n$/);
  expect(stdout).toMatch(/^ok {4}body changed after signing +refused with 401, \d+ ms$/m);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await running.printed(/(?:^handled card\.issued[\s\S]*){4}/m);
  expect(running.stdout().match(/^handled card\.issued/gm)).toHaveLength(4);
});

const FORGED = ['tampered', 'wrong-secret', 'prefix', 'short', 'missing', 'malformed'];

test.each<[what: string, check: Check, grade: string, failed: string[], diagnosis: RegExp]>([
  [
    'checks nothing',
    () => true,
    'F',
    ['reserialized', ...FORGED.slice(0, 4), 'stale', ...FORGED.slice(4)],
    /^It does not verify signatures/,
  ],
  [
    'compares a prefix with ==',
    each => each.signature.slice(0, 16) === hmac(each.timestamp, each.raw).slice(0, 16) && isFresh(each),
    'F',
    ['prefix'],
    /^It compares only part of the signature/,
  ],
  [
    'compares as much as was sent',
    each =>
      each.signature !== '' && hmac(each.timestamp, each.raw).startsWith(each.signature) && isFresh(each),
    'F',
    ['short'],
    /^It compares only part of the signature/,
  ],
  [
    'has no tolerance for time',
    each => isSame(each.signature, hmac(each.timestamp, each.raw)),
    'D',
    ['stale'],
    /^It does not check the age of the timestamp/,
  ],
  [
    'parses before it verifies',
    each =>
      isSame(each.signature, hmac(each.timestamp, JSON.stringify(JSON.parse(each.raw)))) && isFresh(each),
    'D',
    ['spelling', 'reserialized'],
    /^It parses the body before it verifies it/,
  ],
  [
    'accepts deliveries without a signature',
    each => each.header === undefined || good(each),
    'F',
    ['missing'],
    /^It accepts deliveries without a signature/,
  ],
  [
    'refuses everything',
    () => false,
    'F',
    ['valid', 'duplicate', 'spelling', 'afterwards'],
    /^It refuses genuine deliveries/,
  ],
])('a receiver that %s fails', async (_, check, grade, failed, diagnosis) => {
  const found = await examined(check);
  expect(found).toMatchObject({ code: 1, passed: false, grade, failed });
  expect(found.diagnoses[0]).toMatch(diagnosis);
  if (found.failed.length < 9)
    expect(found.diagnoses.filter((each: string) => !/does not accept/.test(each))).toHaveLength(1);
});

test('doubtful findings only lower the grade', async () => {
  const found = await examined(async each => {
    if (each.raw.length > 100_000) return 413;
    if (/unheard_of/.test(each.raw)) return 422;
    return good(each);
  });
  expect(found).toMatchObject({
    code: 0,
    passed: true,
    grade: 'C',
    failed: [],
    doubtful: ['unknown-type', 'large'],
    diagnoses: ['It does not accept: "genuine, of an unknown event type", "genuine, 256 KiB long".'],
  });
});

test.each<[what: string, respond: () => number | Promise<number>]>([
  ['answers with 302', () => 302],
  ['answers with 500', () => 500],
  ['does not answer', () => new Promise(() => {})],
])('a receiver that %s instead of refusing a forged delivery fails', async (_, respond) => {
  const url = await receiver(each => (each.header === undefined ? respond() : good(each)));
  const { code, stdout } = await doctor([url, '--secret', SECRET, '--timeout', '1s', '--json']);
  const report = JSON.parse(stdout);
  expect({ code, passed: report.passed, grade: report.grade }).toEqual({
    code: 1,
    passed: false,
    grade: 'D',
  });
  expect(report.probes.at(-1)).toMatchObject({ id: 'afterwards', verdict: 'passed' });
  expect(report.diagnoses[0]).toMatch(/^It does not refuse with a 4xx: "no signature"/);
});

test('a receiver that a forged delivery ends refuses genuine ones', async () => {
  const script = `require('node:http')
    .createServer((request, response) => {
      if (!/v1=[0-9a-f]{64}$/.test(request.headers['x-service-signature'] ?? '')) process.exit(1);
      request.resume().on('end', () => response.end());
    })
    .listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port); });`;
  const running = startProcess(process.execPath, ['-e', script]);
  const [, port] = await running.printed(/^port (\d+)$/m);
  const { code, stdout } = await doctor([`http://127.0.0.1:${port}/`, '--secret', SECRET, '--json']);
  const { grade, passed, probes } = JSON.parse(stdout);
  expect({ code, grade, passed }).toEqual({ code: 1, grade: 'F', passed: false });
  expect(probes.at(-1)).toMatchObject({
    expected: 'accepted',
    cause: 'connection refused',
    verdict: 'failed',
  });
});

test('a receiver that refuses a duplicate event is diagnosed', async () => {
  const seen = new Set<string>();
  const found = await examined(async each => {
    if (!(await good(each))) return false;
    const { id } = JSON.parse(each.raw);
    if (seen.has(id)) return 409;
    seen.add(id);
    return true;
  });
  expect(found).toMatchObject({ grade: 'D', failed: ['duplicate'] });
  expect(found.diagnoses).toEqual([
    'It refuses an event that it has already processed: respond with 2xx and do nothing.',
  ]);
});

test('a tolerance of an hour for the age is a sentence and no part of the grade', async () => {
  const found = await examined(
    each =>
      isSame(each.signature, hmac(each.timestamp, each.raw)) &&
      Date.now() / 1_000 - Number(each.timestamp) < 1_800,
  );
  expect(found).toMatchObject({ code: 0, passed: true, grade: 'A', failed: [], doubtful: ['old', 'future'] });
  expect(found.diagnoses).toEqual([
    expect.stringMatching(
      /^It accepts a delivery that was signed 10 minutes ago\. The interface states no tolerance/,
    ),
    expect.stringMatching(/^It accepts a delivery whose timestamp is 10 minutes ahead of its clock\./),
  ]);
});

test('a secret with white space at an end is said first', async () => {
  const url = await receiver(good);
  const { code, stdout } = await doctor([url, '--secret', `${SECRET}\n`, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).diagnoses[0]).toMatch(/^The secret has white space at an end/);
});

test('--names changes the names of the headers', async () => {
  const url = await receiver(good, { header: 'x-acme-signature' });
  const named = await doctor([url, '--secret', SECRET, '--names', 'service=acme']);
  expect(named).toMatchObject({ code: 0, stdout: expect.stringMatching(/Grade A/) });
  expect((await doctor([url, '--secret', SECRET])).code).toBe(1);
});

test('no receiver, a hanging one, no secret and an invalid URL are one line each', async () => {
  const url = await deserted();
  const [gone, secretless, odd] = await Promise.all([
    doctor([url, '--secret', SECRET]),
    doctor([url], { SERVICE_WEBHOOK_SECRET: '' }),
    doctor(['ftp://example.com', '--secret', SECRET]),
  ]);
  expect(gone).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `error: no response from ${url}/: connection refused; is the receiver running, and is the URL right?\n`,
  });
  expect(secretless).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: the webhook secret is missing/),
  });
  expect(odd).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/It must be an http:\/\/ or https:\/\/ URL/),
  });
  const hanging = await receiver(() => new Promise(() => {}));
  const hung = await doctor([hanging, '--secret', SECRET, '--timeout', '50ms']);
  expect(hung).toMatchObject({ code: 1, stderr: expect.stringMatching(/timed out after 0\.05 s/) });
});

test('a timeout of 0 is wrong usage, and no receiver is blamed for it', async () => {
  const { code, stderr } = await doctor(['http://127.0.0.1:9/', '--secret', SECRET, '--timeout', '0s']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('It must be longer than 0') });
});
