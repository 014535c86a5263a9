import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../support/cli-in-process.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, startSandbox } from '../support/sandbox.ts';

const ASSUME = {
  'card-status-parameter': 'cardState',
  'usage-from-parameter': 'created_after',
  'usage-to-parameter': 'until',
  'usage-period-parameter': 'month',
  'usage-type-parameter': 'kind',
  'invalid-input-status': 422,
  'allow-list-status': 403,
  'copy-pan-default': true,
  'stylesheet-url': 'required',
  'card-initial-status': 'active',
  'kyc-after-rejection': 'refused',
  'list-order': 'oldest',
  'webhook-timeout': '2s',
  'webhook-envelope': 'data',
  'event-history': 'twelve',
  'email-comparison': 'sensitive',
  'amount-unit': 'minor',
  'patch-config': 'replace',
  'unset-config': 'omitted',
  'signature-timestamp': 'milliseconds',
  'authorization-ttl': '3d',
} as const;
const NAMES = { service: 'acme', idp1: 'checkly', idp2: 'veriface' };

test('calibrate finds each setting of another sandbox, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const out = join(folder, 'profile.yaml');
  const first = await startSandbox({
    fixtures: ['starter'],
    freeze: false,
    kycDelay: '0s',
    allowHttpWebhooks: true,
    names: NAMES,
    assume: ASSUME,
  });
  await first.control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
  await first.control('POST', '/clock/advance', { duration: '4d' });
  const { code, stdout, stderr } = await runInProcess([
    ...['calibrate', '--base-url', `${first.origin}/v1`, '--api-key', ACME_KEY, '--json', '--write'],
    ...['--names', 'service=acme,idp1=checkly,idp2=veriface', '--out', out],
    ...['--var', `blockedKey=${GLOBEX_KEY}`],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { results }: Json = JSON.parse(stdout);
  const found = Object.fromEntries(
    results.flatMap(({ setting }: Json) => (setting === undefined ? [] : [[setting.name, setting.value]])),
  );
  const contradicted = results.filter(({ verdict }: Json) => verdict === 'contradicted');
  for (const each of contradicted) if (!each.setting) console.log(each.id, JSON.stringify(each.evidence));
  for (const id of Object.keys(ASSUME))
    if (!(id in found))
      console.log(id, JSON.stringify(results.find((each: Json) => each.id === id)).slice(0, 1500));
  expect(found).toEqual(ASSUME);
  expect(contradicted.map(({ id }: Json) => id).sort()).toEqual(Object.keys(ASSUME).sort());
}, 60_000);
