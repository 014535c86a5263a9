import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { OTHER_SETTINGS } from '../../support/fixtures/other-settings.ts';
import { recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { type RandomRequest, randomRequests } from './random-requests.ts';

/** A service without magic tokens would not show the other settings. */
const { 'magic-tokens': _magic, ...SEEN } = OTHER_SETTINGS;
const ASSUME = {
  ...SEEN,
  // Names that nobody would guess, and durations that a test can wait for.
  'card-status-parameter': 'cardState',
  'usage-from-parameter': 'created_after',
  'webhook-timeout': '2s',
  'authorization-ttl': '3d',
} as const;
const NAMES = { service: 'acme', idp1: 'checkly', idp2: 'veriface' };
const SAME: CoreOptions = { fixtures: ['starter'], kycDelay: '0s', allowHttpWebhooks: true };
const REQUESTS = 200;

/** The values of settings that a calibration found. */
function found(results: readonly Json[]): Record<string, unknown> {
  const settings = results.flatMap(({ setting }) => (setting === undefined ? [] : [setting]));
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

/** Sends a request in the names of the service. Addresses in the response have no port. */
async function answer({ origin, api, control }: TestSandbox, { method, path, body }: RandomRequest) {
  const response = await api(method, path, body, { 'x-acme-api-key': ACME_KEY });
  // So that no webhook attempt ends between two requests.
  await control('POST', '/deliveries/settle');
  return {
    status: response.status,
    body: JSON.parse(JSON.stringify(response.body).replaceAll(origin, 'http://sandbox')),
  };
}

test('a calibration finds every setting of another sandbox, and with its profile a third one answers like the first', {
  timeout: 60_000,
}, async context => {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const out = join(folder, 'profile.yaml');
  const first = await startSandbox({ ...SAME, names: NAMES, assume: ASSUME });
  await first.control('POST', '/clock/advance', { duration: '4d' });
  await first.control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
  const { code, stdout, stderr } = await runInProcess([
    ...['calibrate', '--base-url', `${first.origin}/v1`, '--api-key', ACME_KEY, '--json', '--write'],
    ...['--names', 'service=acme,idp1=checkly,idp2=veriface', '--out', out],
    ...['--var', `blockedKey=${GLOBEX_KEY}`],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { results }: Json = JSON.parse(stdout);
  expect(found(results)).toEqual(ASSUME);
  const contradicted = results.filter(({ verdict }: Json) => verdict === 'contradicted');
  expect(contradicted.map(({ id }: Json) => id).sort()).toEqual(Object.keys(ASSUME).sort());

  await first.control('POST', '/reset');
  const third = await startSandbox({ ...SAME, profile: out });
  const requests = randomRequests(7);
  const statuses = new Set<number>();
  for (let count = 0; count < REQUESTS; count++) {
    const request = requests.next();
    const expected = await answer(first, request);
    const got = await answer(third, request);
    expect(got, `request ${count}: ${JSON.stringify(request)}`).toEqual(expected);
    requests.note(expected);
    statuses.add(expected.status);
  }
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 404, 422]));
  recordResult(context, `${contradicted.length} settings and 3 names, ${REQUESTS} random requests`);
});

test('a calibration of a sandbox without settings finds nothing to set', async () => {
  const sandbox = await startSandbox(SAME);
  await sandbox.control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
  const { code, stdout } = await runInProcess([
    ...['calibrate', '--base-url', `${sandbox.origin}/v1`, '--api-key', ACME_KEY, '--json', '--write'],
    ...['--var', `blockedKey=${GLOBEX_KEY}`],
  ]);
  expect(code).toBe(0);
  const { results, summary }: Json = JSON.parse(stdout);
  expect(results.filter(({ verdict }: Json) => verdict === 'contradicted')).toEqual([]);
  expect(summary.observed).toBeGreaterThanOrEqual(64);
});

test('without any share token the settings of cards, webhooks and lists are found on the existing cardholders', async () => {
  const { 'authorization-ttl': _ttl, ...others } = ASSUME;
  const assume = { ...others, 'magic-tokens': 'off' } as const;
  const sandbox = await startSandbox({ ...SAME, names: NAMES, assume });
  const { code, stdout } = await runInProcess([
    ...['calibrate', '--base-url', `${sandbox.origin}/v1`, '--api-key', ACME_KEY, '--json', '--write'],
    ...['--names', 'service=acme,idp1=checkly,idp2=veriface', '--patience', '1s'],
  ]);
  expect(code).toBe(0);
  const { results }: Json = JSON.parse(stdout);
  const { 'allow-list-status': _status, 'event-history': _history, ...observable } = assume;
  expect(found(results)).toEqual(observable);
});
