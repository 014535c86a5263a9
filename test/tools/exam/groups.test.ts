import { expect, test } from 'vitest';
import { type Candidate, formGroups } from '../../../src/tools/exam/groups.ts';
import type { Disturbance } from '../../../src/tools/exam/misbehaviour.ts';

const candidate = (id: string, disturbance: Disturbance) =>
  ({ misbehaviour: { id }, disturbance, reasons: [] }) as unknown as Candidate;

/** The groups, as the ids in each. */
function groupsOf(disturbances: Readonly<Record<string, Disturbance>>): string[][] {
  const candidates = Object.entries(disturbances).map(([id, each]) => candidate(id, each));
  return formGroups(candidates, []).map(group => group.map(({ misbehaviour }) => misbehaviour.id).toSorted());
}

test('two misbehaviours that need the same option in two ways are not in one run', () => {
  const [one, other] = [{ options: { clock: '2028-02-29' } }, { options: { clock: '2026-12-31' } }];
  expect(groupsOf({ one, other })).toEqual([['one'], ['other']]);
  expect(groupsOf({ one, other: { options: { idLength: 64 } } })).toEqual([['one', 'other']]);
});

test('two misbehaviours of webhooks are not in one run, and one of webhooks and one of options are', () => {
  const webhook = { webhookFaults: [{ kind: 'duplicate' }] } as Disturbance;
  expect(groupsOf({ one: webhook, other: webhook })).toHaveLength(2);
  expect(groupsOf({ webhook, option: { options: { idLength: 64 } } })).toEqual([['option', 'webhook']]);
});

test('records that fill a page are not in the run of others, which may have to be on that page', () => {
  const people = (count: number): Disturbance => ({ crowd: new Array(count).fill({}), fixture: {} });
  expect(groupsOf({ full: people(100), record: { fixture: {} } })).toHaveLength(2);
  expect(groupsOf({ few: people(99), record: { fixture: {} } })).toHaveLength(1);
  expect(groupsOf({ full: people(100), option: { options: { idLength: 64 } } })).toHaveLength(1);
});

test('no attempt is lost in the run of a forged webhook, which is sent beside it', () => {
  const forged = { webhookFaults: [{ kind: 'other_secret', extra: true }] } as Disturbance;
  const fault = (kind: 'drop' | 'duplicate') => ({ webhookFaults: [{ kind }] }) as Disturbance;
  expect(groupsOf({ forged, lost: fault('drop') })).toHaveLength(2);
  expect(groupsOf({ forged, twice: fault('duplicate') })).toHaveLength(1);
});

test('at most one misbehaviour of a run makes somebody wait', () => {
  const waiting: Readonly<Record<string, Disturbance>> = {
    kyc: { kycDelay: '6s' },
    late: { faults: [{ operations: ['cards.list'], delayMs: 1 }] },
    webhook: { webhookFaults: [{ kind: 'delay' }] },
    limited: { faults: [{ operations: ['cards.get'], retryAfter: 1 }] },
    outage: { faults: [{ operations: ['cards.issue'], lastsMs: 300 }] },
  };
  expect(groupsOf(waiting)).toHaveLength(5);
  // The one that waits longest comes first.
  expect(groupsOf(waiting)[0]).toEqual(['limited']);
  const others = { keys: { rotatesKeys: true }, twice: { webhookFaults: [{ kind: 'duplicate' }] } } as const;
  for (const [id, each] of Object.entries(waiting))
    if (id !== 'webhook') expect(groupsOf({ [id]: each, ...others })).toHaveLength(1);
});

test('what fits in the fewest runs is placed first, and the rest fills runs of similar size', () => {
  const of = (...operations: string[]): Disturbance => ({ faults: [{ operations, status: 500 }] });
  const called = ['cards.list', 'cards.get', 'cards.issue'].map(id => ({ id, method: 'GET', path: '/' }));
  const candidates = Object.entries({
    ...{ list: of('cards.list'), get: of('cards.get'), issue: of('cards.issue') },
    ...{ both: of('cards.list', 'cards.get'), all: of('cards.list', 'cards.get', 'cards.issue') },
  }).map(([id, each]) => candidate(id, each));
  const groups = formGroups(candidates, called).map(each =>
    each.map(({ misbehaviour }) => misbehaviour.id).join(),
  );
  expect(groups).toEqual(['all', 'both,issue', 'list,get']);
});
