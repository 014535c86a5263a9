import { expect, test } from 'vitest';
import { isFullRun, PROOF_TIMEOUT_MS } from '../../../support/proof/proof-size.ts';
import { appCommand, exam, program, verdictsOf } from './run-exam.ts';

/** Where the tests of the apps work: see `apps/place.mjs`. */
const PLACES = ['main', 'world', 'http-world', 'in-process'];

const afterErrors = ['error-500-after', 'error-503-after'];

/** Each bug of `apps/onboarding.mjs` with its findings. */
const BUGS: Readonly<Record<string, readonly string[]>> = {
  'unavailable-is-final': ['before', 'after', 'lasting'].map(when => `broke error-503-${when}`),
  'first-page': ['broke lists-longer-than-a-page'],
  'last-id-only': ['broke webhooks-repeated-later'],
  'sends-used-token': [
    'broke connection-lost-after.cardholders.create',
    'broke connection-lost-after.cardholders.reimport',
    ...afterErrors.map(id => `broke ${id}`),
  ],
  'expects-phones': ['broke phone-number-null'],
  'accepts-unsigned': ['accepted signature-missing'],
  'issues-twice': ['connection-lost-after.cards.issue', ...afterErrors].map(id => `applied-twice ${id}`),
  'parsed-body': ['broke webhook-fields-unknown', 'broke webhooks-reformatted'],
  'short-ids': ['broke ids-long'],
  'processes-twice': ['broke webhooks-twice', 'broke webhooks-repeated-later'],
  'sees-leap-day': ['broke clock-leap-day'],
  'adds-cents': ['broke amounts-with-cents'],
};

/**
 * The bugs and places that are tried: each bug in every other place, by the whole exam; in the short run each in one place,
 * with two others, by its own misbehaviours.
 */
const PLANTED = isFullRun
  ? PLACES.flatMap((place, index) =>
      Object.keys(BUGS)
        .filter((_, position) => (position + index) % 2 === 0)
        .map(bug => [place, bug] as const),
    )
  : PLACES.map(
      (place, index) =>
        [
          place,
          Object.keys(BUGS)
            .slice(3 * index, 3 * index + 3)
            .join(' '),
        ] as const,
    );

test.each(PLANTED)(
  'in tests that work in %s, the bugs %s are found, and nothing else',
  async (PLACE, bugs) => {
    const expected = bugs.split(' ').flatMap(bug => BUGS[bug] ?? []);
    const ids = expected.map(each => each.split(' ')[1] ?? '');
    const only = isFullRun ? [] : ['--only', ...ids];
    const { code, found, report } = await exam(only, appCommand('onboarding'), { PLACE, BUGS: bugs });
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(code).toBe(1);
    expect(report.summary.runs).toBeLessThanOrEqual(45);
  },
);

/** Sound apps, and how their users are called. */
const SOUND = [
  ['onboarding', 'fixed'],
  ['onboarding', 'random'],
  ['poller', 'fixed'],
  ['inbox', 'fixed'],
] as const;
const SOUND_PLACES = PLACES.flatMap(place => SOUND.map(([app, IDS]) => [app, place, IDS] as const));

test.each(isFullRun ? SOUND_PLACES : SOUND_PLACES.slice(4, 5))(
  'the sound app %s in %s survives everything within 16 runs, with %s ids',
  async (app, PLACE, IDS) => {
    const { code, found, report } = await exam([], appCommand(app), { PLACE, IDS });
    expect(found).toEqual([]);
    expect(code).toBe(0);
    expect(report.summary.survived).toBeGreaterThan(20);
    expect(report.summary.runs).toBeLessThanOrEqual(16);
  },
);

const DETERMINISTIC = [
  ['onboarding', ''],
  ['poller', ''],
  ['inbox', ''],
  ['onboarding', 'issues-twice accepts-unsigned'],
  ['onboarding', 'unavailable-is-final parsed-body'],
] as const;

test.runIf(isFullRun).each(DETERMINISTIC)(
  'the verdicts about %s with the bugs "%s" are the same twice, and with --each',
  { timeout: PROOF_TIMEOUT_MS },
  async (app, bugs) => {
    const verdicts = async (...flags: readonly string[]) =>
      verdictsOf((await exam(flags, appCommand(app), { BUGS: bugs })).report);
    const first = await verdicts();
    expect(await verdicts()).toEqual(first);
    expect(await verdicts('--each')).toEqual(first);
  },
);

test('the faults of the tests are theirs: none of the exam is listed, ended or taken for them', async () => {
  const script = `
    import assert from 'node:assert';
    const { connect } = await import(process.env.PACKAGE);
    const main = await connect();
    for (const sandbox of [main, await main.worlds.create({ fixtures: ['empty'] })]) {
      const read = async (left = 2) => {
        const response = await fetch(sandbox.baseUrl + '/partner/cards', { headers: { 'x-service-api-key': sandbox.apiKey } });
        return response.status === 503 && left > 0 ? read(left - 1) : response.status;
      };
      await sandbox.faults.add({ status: 418, times: 1 });
      assert.equal(await read(), 418);
      assert.equal((await sandbox.faults.list())[0].hits, 1);
      await sandbox.faults.clear();
      assert.equal(await read(), 200);
      assert.deepEqual(await sandbox.faults.list(), []);
    }`;
  const only = ['error-503-before', 'responses-in-pieces', 'key-rotated'];
  const { code, report } = await exam(['--only', ...only], program(script));
  expect(verdictsOf(report)).toEqual(Object.fromEntries(only.map(id => [id, 'survived'])));
  expect(code).toBe(0);
});
