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
