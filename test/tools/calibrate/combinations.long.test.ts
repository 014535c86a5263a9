import { expect, test } from 'vitest';
import { RandomStream } from '../../../src/core/values/random.ts';
import type { Assume } from '../../../src/service/assumptions/assume.ts';
import { OTHER_SETTINGS } from '../../support/fixtures/other-settings.ts';
import { recordResult, size } from '../../support/proof/proof-size.ts';
import { GLOBEX_KEY, startSandbox } from '../../support/sandbox.ts';
import { calibrated } from './calibrated.ts';

/** Settings that the API alone does not show. */
const HIDDEN = ['webhook-timeout', 'signature-timestamp', 'authorization-ttl'];
/** Another value for each setting that it shows, with names of parameters as services choose them. */
const OTHERS: Assume = Object.fromEntries(
  Object.entries({
    ...OTHER_SETTINGS,
    'card-status-parameter': 'card_status',
    'usage-from-parameter': 'startDate',
    'usage-to-parameter': 'filter[end]',
    'usage-period-parameter': 'billing-month',
    'usage-type-parameter': 'category',
  }).filter(([name]) => !HIDDEN.includes(name)),
);
const FIXTURES = ['starter', 'empty', 'error-flows', 'kyc-reimport'];
const RUNS = size(8, 60);

test('no combination of settings and fixtures leads to a wrong verdict', {
  timeout: 600_000,
}, async context => {
  const stream = new RandomStream(5, 'combinations');
  const isDrawn = (chance: number) => stream.next() / 2 ** 32 < chance;
  for (let run = 0; run < RUNS; run++) {
    const assume = Object.fromEntries(Object.entries(OTHERS).filter(() => isDrawn(0.4)));
    const fixture = FIXTURES[run % FIXTURES.length] ?? 'starter';
    const isDeciding = isDrawn(0.7);
    const { origin, control } = await startSandbox({
      fixtures: [fixture],
      assume,
      kycDelay: isDeciding ? '0s' : '1h',
    });
    await control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
    const write = isDrawn(0.7);
    const { results, failure, leftovers } = await calibrated(origin, {
      write,
      asyncTimeoutMs: isDeciding ? 2_000 : 0,
      time: { now: () => Date.now(), sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) },
      variables: { blockedKey: GLOBEX_KEY },
    });
    expect({ failure, leftovers }).toEqual({ failure: null, leftovers: [] });
    const expected = results
      .filter(({ id, verdict }) => id in assume && verdict !== 'unknown')
      .map(({ id }) => [id, assume[id]]);
    const found = results
      .filter(({ verdict }) => verdict === 'contradicted')
      .map(({ id, setting, evidence }) => [id, setting === undefined ? evidence.seen : setting.value]);
    expect(found, `${fixture}, ${JSON.stringify(assume)}, write: ${write}`).toEqual(expected);
    // Where everything can happen, no setting of the API stays unknown.
    if (write && isDeciding && fixture === 'starter' && assume['magic-tokens'] === undefined) {
      const unknown = results.filter(({ id, verdict }) => id in OTHERS && verdict === 'unknown');
      expect(unknown.map(({ id }) => id)).toEqual([]);
    }
  }
  recordResult(context, `${RUNS} combinations`);
});
