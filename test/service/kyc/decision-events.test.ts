import { expect, test } from 'vitest';
import type { World } from '../../../src/core/world/world.ts';
import { loadFixture } from '../../../src/sandbox/fixtures/load/load-fixture.ts';
import { runSteps } from '../../../src/sandbox/fixtures/load/load-progress.ts';
import { openFixtures } from '../../../src/sandbox/fixtures/load/open-fixtures.ts';
import { cardholders, viewCardholder } from '../../../src/service/cardholders/records.ts';
import { createOrReimport } from '../../../src/service/cardholders/rules.ts';
import {
  decideNow,
  KYC_DECISION,
  runScheduledDecision,
  submitKyc,
} from '../../../src/service/cardholders/submission.ts';
import { kycSessions, viewSession } from '../../../src/service/kyc/records.ts';
import { decideKycSession, openKycSession } from '../../../src/service/kyc/sessions.ts';
import { programs } from '../../../src/service/programs/records.ts';
import { createWorld } from '../../support/worlds.ts';

const ACME = 'partner_acme';

/**
 * A world and its events. Timers and the control plane make the decisions, and no journal entry shows their events,
 * so these tests subscribe to the world itself.
 */
function listening() {
  const world = createWorld(made => ({ kind, ref }) => {
    if (kind === KYC_DECISION) runScheduledDecision(made, ref);
  });
  runSteps(loadFixture(world, openFixtures(['empty'], { seed: 42, allowHttpWebhooks: false })));
  const raised: { type: string; at: string; data: unknown; stored: unknown }[] = [];
  world.events.subscribe(({ type, createdAt, resourceId, data }) => {
    const person = world.table(cardholders).get(resourceId);
    const session = world.table(kycSessions).get(resourceId);
    const stored = person === undefined ? session && viewSession(world, session) : viewCardholder(person);
    raised.push({ type, at: createdAt, data, stored });
  });
  return { world, raised };
}

function submittedPerson(world: World, outcome: string) {
  const { row } = createOrReimport(world, ACME, {
    externalUserId: 'mia',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: `idp1_test_${outcome}_mia`,
  });
  submitKyc(world, row, world.table(programs).existing('prog_everyday'));
  return world.table(cardholders).existing(row.id);
}

const types = (raised: { type: string }[]) => raised.map(({ type }) => type);

test('an approval emits cardholder.kyc.updated and then cardholder.approved, at its due time', async () => {
  const { world, raised } = listening();
  submittedPerson(world, 'approve');
  expect(types(raised)).toEqual(['cardholder.created']);
  await world.clock.advance(60_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated', 'cardholder.approved']);
  expect(raised.slice(1).map(({ at }) => at)).toEqual(Array(2).fill('2026-03-15T10:00:02.000Z'));
});

test('a rejection emits only cardholder.kyc.updated', async () => {
  const { world, raised } = listening();
  submittedPerson(world, 'reject');
  await world.clock.advance(2_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated']);
});

test('a manual decision emits its events once, and cancels the scheduled decision', async () => {
  const { world, raised } = listening();
  decideNow(world, submittedPerson(world, 'approve'), 'approved');
  await world.clock.advance(60_000);
  expect(types(raised)).toEqual(['cardholder.created', 'cardholder.kyc.updated', 'cardholder.approved']);
});

test.each([
  ['approved', 'kyc_session.completed'],
  ['rejected', 'kyc_session.failed'],
] as const)('a session that is %s raises %s', (status, type) => {
  const { world, raised } = listening();
  const session = openKycSession(world, { partnerId: ACME, externalUserId: null, redirectUrl: null });
  decideKycSession(world, session, status);
  expect(types(raised)).toEqual([type]);
  expect(raised[0]?.data).toMatchObject({ id: session.id, status });
});

test('each event reports the record as a read returns it at that moment', async () => {
  const { world, raised } = listening();
  submittedPerson(world, 'approve');
  const session = openKycSession(world, { partnerId: ACME, externalUserId: null, redirectUrl: null });
  decideKycSession(world, session, 'approved');
  await world.clock.advance(2_000);
  expect(raised).toHaveLength(4);
  for (const { data, stored } of raised) expect(data).toEqual(stored);
});
