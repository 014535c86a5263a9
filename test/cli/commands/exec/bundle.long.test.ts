import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import type { Json } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const BIN = join(import.meta.dirname, '../../../../bin/card-sandbox.js');

/** A job with tests, the last of which fails because the sandbox refuses a request. */
const JOB = `
  import assert from 'node:assert/strict';
  import { test } from 'node:test';

  const { SERVICE_BASE_URL, SERVICE_API_KEY, CARD_SANDBOX_URL } = process.env;
  const post = (url, body) => fetch(url, {
    method: 'POST',
    headers: { 'x-service-api-key': SERVICE_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  test('issues a card', async () => {
    const person = { externalUserId: "it's me", email: 'me@example.com', phoneNumber: '+4915123456789' };
    const kyc = { kycSource: 'idp1', idp1ShareToken: 'idp1_test_reject_me' };
    const cardholder = await (await post(SERVICE_BASE_URL + '/partner/cardholders', { ...person, ...kyc })).json();
    await post(SERVICE_BASE_URL + '/partner/cardholders/' + cardholder.id + '/kyc', {});
    await post(CARD_SANDBOX_URL + '/_sandbox/clock/advance', { duration: '1h' });
    const issued = await post(SERVICE_BASE_URL + '/partner/cards', { cardholderId: cardholder.id });
    assert.equal(issued.status, 201);
  });`;

/** Creates a folder whose \`npx\` runs this build, as an installed package would. */
async function folderWithNpx(): Promise<string> {
  const folder = join(dirname(await temporaryFile('x')), 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  await chmod(join(folder, 'npx'), 0o755);
  return folder;
}

const outcomes = async (folder: string): Promise<Json> => {
  const requests = JSON.parse(await readFile(join(folder, 'requests.json'), 'utf8'));
  return requests.map(({ id, method, path, status, refusal, request, response }: Json) => ({
    ...{ id, method, path, status, refusal },
    body: request.body,
    response: response.body,
  }));
};

test('the command line in the summary of a failed job brings its failure back in another sandbox', async () => {
  const folder = dirname(await temporaryFile('x'));
  const [job, artifacts, again] = [
    join(folder, 'job.test.mjs'),
    join(folder, "it's kept"),
    join(folder, 'again'),
  ];
  await writeFile(job, JOB);
  const flags = ['--clock', '2026-03-15T10:00:00Z', '--freeze', '--fixtures', 'starter', '--seed', '7'];
  const command = ['--', process.execPath, '--test', job];
  const { code } = await runInProcess(['exec', ...flags, '--artifacts', artifacts, ...command]);
  expect(code).toBe(1);

  const summary = await readFile(join(artifacts, 'summary.md'), 'utf8');
  const [, line = ''] = /```sh\n(.*)\n```/.exec(summary) ?? [];
  expect(line).toMatch(/^npx card-sandbox exec --clock \S+ --freeze --fixtures starter --seed 7 -- sh -c '/);
  const kept = `exec --artifacts '${again}' --artifacts-always`;
  const PATH = `${await folderWithNpx()}${delimiter}${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('exec', kept)], {
    env: { PATH },
    timeout: 60_000,
  });
  expect(stdout).toContain('passed');
  const failed = await outcomes(artifacts);
  expect(failed.at(-1).status).toBeGreaterThanOrEqual(400);
  expect(await outcomes(again)).toEqual(failed);
});
