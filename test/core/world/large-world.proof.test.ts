import { expect, test } from 'vitest';
import { cardholderOperations } from '../../../src/service/cardholders/operations.ts';
import { cardholders } from '../../../src/service/cardholders/records.ts';
import type { Json } from '../../support/sandbox.ts';
import { createWorld } from '../../support/worlds.ts';

const MANY = 300_000;
const FEW = 100;
const SAMPLES = 300;
const PARTNER = { id: 'partner_acme' };

function rowOf(index: number): Json {
  return {
    id: `ch_${index}`,
    partnerId: PARTNER.id,
    externalUserId: `user-${index}`,
    email: `user-${index}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    kycStatus: ['pending', 'approved', 'rejected'][index % 3],
    status: index % 7 === 0 ? 'suspended' : 'active',
    submission: null,
    createdAt: '2026-03-15T10:00:00.000Z',
  };
}

function worldWith(count: number) {
  const state = createWorld();
  for (let index = 0; index < count; index++) state.table(cardholders).insert(rowOf(index));
  return state;
}

/** The median time of a piece of work in microseconds. */
function medianOf(work: (sample: number) => void, samples = SAMPLES): number {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const start = process.hrtime.bigint();
    work(sample);
    times.push(Number(process.hrtime.bigint() - start) / 1_000);
  }
  return times.sort((a, b) => a - b)[Math.floor(samples / 2)] ?? 0;
}

test('a snapshot, a world from it, the first write after it and a filtered list cost the same in a large world', () => {
  const list: Json = cardholderOperations.find(({ id }) => id === 'cardholders.list');
  const measured = [FEW, MANY].map(count => {
    const state = worldWith(count);
    const table = state.table(cardholders);
    const update = (sample: number) =>
      table.update(`ch_${(sample * 7_919) % count}`, { phoneNumber: `+${sample}` });
    const page = (sample: number) =>
      list.run({
        state,
        partner: PARTNER,
        query: { page: 1 + (sample % 3), limit: 20, kycStatus: 'pending' },
      });
    for (let sample = 0; sample < 2_000; sample++) [update(sample), page(sample)];
    return {
      snapshot: medianOf(sample => {
        update(sample);
        state.snapshot();
      }),
      firstWrite: medianOf(sample => {
        const { nextSequence } = table;
        table.insert({
          ...rowOf(nextSequence),
          id: `new_${count}_${sample}`,
          email: `${sample}`,
          externalUserId: `${sample}`,
        });
        table.snapshot();
      }),
      page: medianOf(page),
    };
  });
  const [few, many] = measured;
  const ratios = {
    snapshot: (many?.snapshot ?? 0) / (few?.snapshot ?? 1),
    firstWrite: (many?.firstWrite ?? 0) / (few?.firstWrite ?? 1),
    page: (many?.page ?? 0) / (few?.page ?? 1),
  };
  // A copy of the table would cost a thousand times as much. The paths are longer, and caches are cold.
  expect(ratios.snapshot).toBeLessThan(10);
  expect(ratios.firstWrite).toBeLessThan(10);
  expect(ratios.page).toBeLessThan(3);
});
