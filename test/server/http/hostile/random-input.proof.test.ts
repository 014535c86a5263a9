import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../../../src/core/operation/operation.ts';
import { operations } from '../../../../src/sandbox/operations.ts';
import { createApprovedCardholder } from '../../../support/cardholders.ts';
import {
  fieldNamesOf,
  isStream,
  NAMES,
  shortTimers,
  VALID_VALUES,
} from '../../../support/operation-inputs.ts';
import { PROOF_TIMEOUT_MS, size } from '../../../support/proof/proof-size.ts';
import { ACME_KEY, startSandbox } from '../../../support/sandbox.ts';

/** Values that some operation looks for, which random values would not hit. */
const PLAUSIBLE = [
  'web',
  'idp1',
  'idp2',
  'api',
  'someone@example.com',
  '+4915123456789',
  'idp1_test_approve_1',
  'prog_everyday',
  'partner_globex',
  'active',
  'closed',
  'manual',
  'DE',
  '2026-03',
  '2026-03-15T10:00:00Z',
  '1h',
  'https://hooks.example/',
  'a-secret-of-16-characters',
  ['card.issued'],
  ['localhost'],
  12.5,
  1e12,
  1e308,
  -0,
  '1',
  '',
  null,
];

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom('__proto__', 'constructor', 'toString'),
  fc.string({ unit: 'binary' }),
);
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...PLAUSIBLE),
    fc.jsonValue({ stringUnit: 'binary' }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 6 }),
}));
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('0', '1', '100', ...NAMES));
const query = fc.array(fc.tuple(name, text), { maxLength: 4 });

/** A body of mostly known members, each with a plausible or a random value. */
function bodyFor({ body }: Operation, ids: Readonly<Record<string, string>>) {
  const plausible: Readonly<Record<string, unknown>> = { ...VALID_VALUES, ...ids };
  const member = (each: string) =>
    plausible[each] === undefined
      ? value
      : fc.oneof({ weight: 3, arbitrary: fc.constant(plausible[each]) }, { weight: 1, arbitrary: value });
  const known = Object.fromEntries(fieldNamesOf(body).map(each => [each, member(each)]));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(known, { requiredKeys: [] }) },
    { weight: 6, arbitrary: fc.record(known) },
    fc.dictionary(name, value),
    value,
  );
}

test.each(operations)(
  'no input to $plane $method $path causes a 5xx',
  { timeout: PROOF_TIMEOUT_MS },
  async operation => {
    const bugs: unknown[] = [];
    const sandbox = await startSandbox(
      { rateLimit: 0 },
      { onBug: error => bugs.push(error), realTime: shortTimers },
    );
    const cardholderId = await createApprovedCardholder(sandbox);
    const prefix = operation.plane === 'partner' ? '/v1' : '/_sandbox';
    const id = fc.oneof(fc.constantFrom(cardholderId, 'partner_acme', 'prog_everyday', '__proto__'), text);
    const encode = (part: string) => encodeURIComponent(part.toWellFormed());
    await fc.assert(
      fc.asyncProperty(
        id,
        query,
        bodyFor(operation, { cardholderId }),
        async (recordId, parameters, body) => {
          // The client removes a path segment of dots before it sends the request.
          const path = operation.path.replace(/\{\w+\}/, /^\.*$/.test(recordId) ? 'x' : encode(recordId));
          const search = parameters.map(([key, text]) => `${encode(key)}=${encode(text)}`).join('&');
          const response = await fetch(`${sandbox.origin}${prefix}${path}?${search}`, {
            method: operation.method,
            headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' },
            ...(operation.method === 'GET' ? {} : { body: JSON.stringify(body) }),
          });
          const answer = isStream(response) ? await response.body?.cancel() : await response.text();
          expect(bugs).toEqual([]);
          expect(response.status).toBeLessThan(500);
          if (response.status >= 400) expect(JSON.parse(String(answer))).toMatchObject({ success: false });
        },
      ),
      { numRuns: operation.method === 'GET' ? size(15, 100) : size(50, 300) },
    );
    const after = await sandbox.control('GET', '/requests');
    expect(after.status).toBe(200);
    expect(bugs).toEqual([]);
  },
);
