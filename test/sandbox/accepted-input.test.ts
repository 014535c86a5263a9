import { expect, test } from 'vitest';
import { exampleValue } from '../../src/sandbox/accepted-input.ts';
import { startInProcess } from '../support/in-process.ts';

/** What would have been accepted instead of the last request. */
async function wouldPass({ control }: Pick<ReturnType<typeof startInProcess>, 'control'>) {
  const [{ id }] = (await control('GET', '/requests')).body;
  return (await control('GET', `/requests/${id}`)).body.wouldPass;
}

test('instead of a request beyond the rate limit, the same one is accepted later', async () => {
  const sandbox = startInProcess({ rateLimit: 1 });
  sandbox.api('GET', '/partner/cards');
  expect(sandbox.api('GET', '/partner/cards').status).toBe(429);
  expect(await wouldPass(sandbox)).toEqual([
    'the same request after Retry-After seconds, or after card-sandbox clock advance 60s',
  ]);
});

test('a request that passed has nothing that would have been accepted instead', async () => {
  const sandbox = startInProcess();
  expect(sandbox.api('GET', '/partner/cards').status).toBe(200);
  expect(await wouldPass(sandbox)).toEqual([]);
});

test('an example is the usual value of a member where it is one of the choices, and else the first', () => {
  const member = { kind: 'text', isRequired: true, about: null, defaultValue: undefined } as const;
  const example = (name: string, choices: readonly string[] | null) =>
    exampleValue({ ...member, path: ['body', name], choices });
  expect(example('kycSource', ['web', 'idp1'])).toBe('idp1');
  expect(example('kycSource', ['web', 'idp2'])).toBe('web');
  expect(example('status', ['frozen', 'active'])).toBe('frozen');
  expect(example('kycSource', null)).toBe('idp1');
  expect(example('note', null)).toBe('text');
});
