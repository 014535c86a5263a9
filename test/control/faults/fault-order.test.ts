import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';

interface Order {
  readonly status: number;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly after?: number | undefined;
  readonly times?: number | undefined;
}

const CALLS = [
  ['GET', '/partner/cards', 200],
  ['GET', '/partner/cardholders', 200],
  ['POST', '/partner/cards', 400],
  ['GET', '/partner/nothing', 404],
] as const;

const order: fc.Arbitrary<Omit<Order, 'status'>> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST'),
    path: fc.constantFrom('/partner/cards'),
    after: fc.nat(3),
    times: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);

/** The expected response to each request, from how often each fault was consulted. Keeps no state of its own. */
function expectedOf(orders: readonly Order[], calls: readonly (typeof CALLS)[number][]) {
  const consulted = orders.map(() => 0);
  const hits = orders.map(() => 0);
  const statuses = calls.map(([method, path, plain]) => {
    for (const [place, each] of orders.entries()) {
      if ((each.method ?? method) !== method || (each.path ?? path) !== path) continue;
      const turn = (consulted[place] ?? 0) + 1;
      consulted[place] = turn;
      const [first, last] = [each.after ?? 0, (each.after ?? 0) + (each.times ?? Number.POSITIVE_INFINITY)];
      if (turn <= first || turn > last) continue;
      hits[place] = (hits[place] ?? 0) + 1;
      return each.status;
    }
    return plain;
  });
  return { statuses, hits };
}

test('whatever faults there are, each request gets the first that matches and is due', async () => {
  const sandbox = startInProcess();
  await fc.assert(
    fc.asyncProperty(
      fc.array(order, { maxLength: 4 }),
      fc.array(fc.constantFrom(...CALLS), { maxLength: 20 }),
      async (faults, calls) => {
        await sandbox.control('DELETE', '/faults');
        const orders = faults.map((each, place): Order => ({ ...each, status: 500 + place }));
        for (const each of orders) await sandbox.control('POST', '/faults', each);
        const expected = expectedOf(orders, calls);
        expect(calls.map(([method, path]) => sandbox.api(method, path).status)).toEqual(expected.statuses);
        const { body } = await sandbox.control('GET', '/faults');
        expect(body.map(({ hits }: { hits: number }) => hits)).toEqual(expected.hits);
      },
    ),
    { numRuns: 300 },
  );
});
