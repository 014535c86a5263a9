import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import { REJECTION_REASONS } from '../../src/service/kyc/rejection-reasons.ts';
import { DECLINE_REASONS } from '../../src/service/transactions/decline-reasons.ts';
import { MERCHANT_PRESETS } from '../../src/service/transactions/schema.ts';
import { UNRECORDED_TYPES } from '../../src/service/webhooks/event-types.ts';
import { startSandbox } from '../support/sandbox.ts';

const known = new Set<string>(assumptions.map(({ id }) => id));

/** The words of a decision. */
function namesIn(id: string): string[] {
  return assumptions.find(each => each.id === id)?.decision.match(/[\w.]*\w/g) ?? [];
}

test('every operation rests on an assumption of the register or on a section of the interface', () => {
  for (const { id, fidelity } of operations) {
    if (fidelity.kind === 'assumed') expect([id, known.has(fidelity.id)]).toEqual([id, true]);
    else expect([id, fidelity.section]).toEqual([id, expect.stringMatching(/^[1-9](\.\d+)?$/)]);
  }
});

test('decisions name every member of the lists that they are about', () => {
  expect(namesIn('decline-reasons')).toEqual(expect.arrayContaining([...DECLINE_REASONS]));
  expect(namesIn('unrecorded-events')).toEqual(expect.arrayContaining([...UNRECORDED_TYPES]));
  expect(namesIn('merchants')).toEqual(expect.arrayContaining([...MERCHANT_PRESETS]));
  expect(namesIn('kyc-rejection-reasons')).toEqual(expect.arrayContaining(Object.keys(REJECTION_REASONS)));
});

test('operations have one id each, and one method and path', () => {
  const ids = operations.map(({ id }) => id);
  const routes = operations.map(({ plane, method, path }) =>
    `${plane} ${method} ${path}`.replace(/\{\w+\}/g, '{}'),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(routes).size).toBe(routes.length);
});

test('the control plane shows the register as it is', async () => {
  const { control } = await startSandbox();
  const shown = assumptions.map(entry =>
    'setting' in entry
      ? { ...entry, setting: { name: entry.id, ...entry.setting, value: entry.setting.default } }
      : entry,
  );
  expect(await control('GET', '/assumptions')).toMatchObject({ status: 200, body: shown });
});
