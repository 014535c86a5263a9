import { expect, test } from 'vitest';
import { runSteps } from '../../../src/core/time/turns.ts';
import type { WorldState } from '../../../src/core/world/world-state.ts';
import { openFixtures } from '../../../src/sandbox/fixtures/check/prepare-fixture.ts';
import { loadFixture } from '../../../src/sandbox/fixtures/load/load-fixture.ts';
import { cardholders, viewCardholder } from '../../../src/service/cardholders/records.ts';
import { createOrReimport } from '../../../src/service/cardholders/rules.ts';
import { decideNow, submitKyc } from '../../../src/service/cardholders/submission.ts';
import { kycSessions, viewSession } from '../../../src/service/kyc/records.ts';
import { decideKycSession, openKycSession } from '../../../src/service/kyc/rules.ts';
import { programs } from '../../../src/service/programs/records.ts';
import { createWorld } from '../../support/worlds.ts';

const ACME = 'partner_acme';

/**
 * A world and its events. Timers and the control plane make the decisions, and no journal entry shows their events,
 * so these tests listen to the world itself.
 */
function listening() {
  const raised: { type: string; at: string; data: unknown; stored: unknown }[] = [];
  const state = createWorld((made, { type, createdAt, resourceId, data }) => {
    const person = made.table(cardholders).get(resourceId);
    const session = made.table(kycSessions).get(resourceId);
    const stored =
      person === undefined
        ? session && viewSession(made, session, made.setup.origin())
        : viewCardholder(person);
    raised.push({ type, at: createdAt, data, stored });
  });
  runSteps(loadFixture(state, openFixtures(['empty'], { seed: 42, allowHttpWebhooks: false })));
  raised.length = 0;
  return { state, raised };
}

function submittedPerson(state: WorldState, outcome: string) {
  const { row } = createOrReimport(state, ACME, {
    externalUserId: 'mia',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: `idp1_test_${outcome}_mia`,
  });
  submitKyc(state, row, state.table(programs).existing('prog_everyday'));
  return state.table(cardholders).existing(row.id);
}

const types = (raised: { type: string }[]) => raised.map(({ type }) => type);

test('an approval emits cardholder.kyc.updated and then cardholder.approved, at its due time', async () => {
  const { state, raised } = listening();
  submittedPerson(state, 'approve');
  expect(types(raised)).toEqual(['cardholder.created']);
  await state.clock.advance(60_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated', 'cardholder.approved']);
  expect(raised.slice(1).map(({ at }) => at)).toEqual(Array(2).fill('2026-03-15T10:00:02.000Z'));
});

test('a rejection emits only cardholder.kyc.updated', async () => {
  const { state, raised } = listening();
  submittedPerson(state, 'reject');
  await state.clock.advance(2_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated']);
});

test('a manual decision emits its events once, and cancels the scheduled decision', async () => {
  const { state, raised } = listening();
  decideNow(state, submittedPerson(state, 'approve'), 'approved');
  await state.clock.advance(60_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated', 'cardholder.approved']);
});

test.each([
  ['approved', 'kyc_session.completed'],
  ['rejected', 'kyc_session.failed'],
] as const)('a session that is %s raises %s', (status, type) => {
  const { state, raised } = listening();
  const session = openKycSession(state, { partnerId: ACME, externalUserId: null, redirectUrl: null });
  decideKycSession(state, session, status);
  expect(types(raised)).toEqual([type]);
  expect(raised[0]?.data).toMatchObject({ id: session.id, status });
});

test('each event reports the record as a read returns it at that moment', async () => {
  const { state, raised } = listening();
  submittedPerson(state, 'approve');
  const session = openKycSession(state, { partnerId: ACME, externalUserId: null, redirectUrl: null });
  decideKycSession(state, session, 'approved');
  await state.clock.advance(2_000);
  expect(raised).toHaveLength(4);
  for (const { data, stored } of raised) expect(data).toEqual(stored);
});
