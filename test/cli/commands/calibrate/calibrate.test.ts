import { expect, test } from 'vitest';
import { assumptions } from '../../../../src/service/assumptions/register.ts';
import { probes } from '../../../../src/tools/calibrate/probes/catalogue.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { ACME_KEY, type Json, startSandbox } from '../../../support/sandbox.ts';

const STARTER = { fixtures: ['starter'] };

/** Runs `calibrate --json`, which must succeed. */
async function calibrated(url: string, ...flags: string[]) {
  const words = ['calibrate', '--base-url', `${url}/v1`, '--api-key', ACME_KEY, '--json', ...flags];
  const { code, stdout, stderr } = await runInProcess(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { results, summary, ...rest }: Json = JSON.parse(stdout);
  expect(rest).toEqual({});
  const verdicts = new Map<string, Json>(results.map((result: Json) => [result.id, result]));
  const ids = (verdict: string) =>
    results.filter((each: Json) => each.verdict === verdict).map(({ id }: Json) => id);
  return { stdout, results, summary, verdicts, ids };
}

test('without --write it only reads, and finds nothing that contradicts the sandbox itself', async () => {
  const sandbox = await startSandbox(STARTER);
  const { results, summary, verdicts, ids, stdout } = await calibrated(sandbox.origin);
  expect(ids('contradicted')).toEqual([]);
  expect(ids('observed').length).toBeGreaterThanOrEqual(28);
  expect(verdicts.get('list-order')).toMatchObject({
    verdict: 'observed',
    evidence: { seen: expect.stringContaining('newest first') },
  });
  expect(verdicts.get('list-order').setting).toBeUndefined();
  expect(verdicts.get('card-initial-status')).toMatchObject({
    verdict: 'unknown',
    evidence: { needs: expect.stringContaining('--write') },
  });
  // Every entry of the register has a verdict, and the summary counts them.
  for (const { id } of assumptions) expect(verdicts.has(id), id).toBe(true);
  expect(summary.observed + summary.contradicted + summary.unknown).toBe(results.length);
  // Only reads were sent, and the control plane was not called.
  const { body: requests } = await sandbox.control('GET', '/requests?limit=1000');
  expect(new Set(requests.map(({ method }: Json) => method))).toEqual(new Set(['GET', 'OPTIONS']));
  expect(requests).toHaveLength(summary.requests);
  // Evidence has requests and responses, and no secret.
  const [exchange] = verdicts.get('invalid-input').evidence.exchanges;
  expect(exchange).toMatchObject({
    request: { method: 'GET', path: '/partner/cards?page=0' },
    response: { status: 400, body: { success: false } },
  });
  expect(stdout).not.toContain(ACME_KEY);
});

test('with --write it creates records with recognizable names, cancels its cards and restores the webhook configuration', async () => {
  const sandbox = await startSandbox(STARTER);
  const config = {
    webhookUrl: 'https://hooks.example.com/',
    webhookSecret: 'a-secret-of-the-partner',
    subscribedEvents: ['card.issued'],
  };
  await sandbox.api('PATCH', '/partner/webhooks/config', config);
  const before = (await sandbox.api('GET', '/partner/cards?limit=100')).body.data.map(({ id }: Json) => id);
  const { ids, stdout } = await calibrated(sandbox.origin, '--write', '--patience', '0s');
  expect(ids('contradicted')).toEqual([]);
  expect(ids('observed').length).toBeGreaterThanOrEqual(55);
  const cards = (await sandbox.api('GET', '/partner/cards?limit=100')).body.data;
  const own = cards.filter(({ id }: Json) => !before.includes(id));
  expect(own.length).toBeGreaterThan(1);
  expect(own.map(({ status }: Json) => status)).toEqual(own.map(() => 'cancelled'));
  expect((await sandbox.api('GET', '/partner/webhooks/config')).body).toEqual(config);
  const people = (await sandbox.api('GET', '/partner/cardholders?limit=100')).body.data;
  const made = people.filter(({ email }: Json) => /@example\.com$/.test(email) && /calibration/i.test(email));
  expect(made.length).toBeGreaterThan(3);
  for (const { externalUserId } of made) expect(externalUserId).toMatch(/^card-sandbox-calibration-/);
  expect(stdout).not.toContain(config.webhookSecret);
  expect(stdout).not.toContain('signature=');
});

test('--only probes the named entries', async () => {
  const { origin } = await startSandbox(STARTER);
  const { results } = await calibrated(origin, '--only', 'list-order', 'balance');
  expect(results.map(({ id }: Json) => id).sort()).toEqual(['balance', 'list-order']);
});

test('the probes speak through the names of the service', async () => {
  const { origin } = await startSandbox({
    ...STARTER,
    names: { service: 'acme', idp1: 'checkly', idp2: 'veriface' },
  });
  const names = ['--names', 'service=acme,idp1=checkly,idp2=veriface'];
  const { ids } = await calibrated(origin, ...names, '--write', '--patience', '0s');
  expect(ids('contradicted')).toEqual([]);
  expect(ids('observed')).toEqual(expect.arrayContaining(['idp2-variant', 'magic-tokens', 'reimport-order']));
  const without = await runInProcess(['calibrate', '--base-url', `${origin}/v1`, '--api-key', ACME_KEY]);
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the key') });
});

test('for people there is a table with one line per entry', async () => {
  const { origin } = await startSandbox(STARTER);
  const words = ['calibrate', '--base-url', `${origin}/v1`, '--api-key', ACME_KEY];
  const { stdout } = await runInProcess(words);
  expect(stdout).toMatch(/^list-order +observed +GET \/partner\/cards is newest first/m);
  expect(stdout).toMatch(/^ip-allow-list +unknown +needs a key whose IP allow-list/m);
  expect(stdout).toMatch(/\nwithout a probe: live-keys, .*, event-stream\n/);
  expect(stdout).toMatch(/\n\d+ observed, 0 contradicted, \d+ unknown, \d+ requests\n$/);
});

test('90 % of the settings have a probe that measures them', () => {
  const settable = assumptions.filter(entry => 'setting' in entry).map(({ id }): string => id);
  const ids = new Set<string>(probes.map(({ id }) => id));
  const probed = settable.filter(id => ids.has(id));
  expect(settable.length).toBeGreaterThanOrEqual(20);
  expect(probed.length / settable.length).toBeGreaterThanOrEqual(0.9);
});

test('60 % of the entries of the register have a probe', () => {
  const ids: readonly string[] = assumptions.map(({ id }) => id);
  const probed = new Set<string>(probes.map(({ id }) => id));
  expect(probed.size).toBe(probes.length);
  const observable = ids.filter(id => probed.has(id));
  expect(observable.length / ids.length).toBeGreaterThanOrEqual(0.6);
});
