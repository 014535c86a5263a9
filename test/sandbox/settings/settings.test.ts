import { expect, expectTypeOf, test } from 'vitest';
import type { AssumptionValues } from '../../../src/core/values/setting.ts';
import { createSandbox } from '../../../src/index.ts';
import { OptionError, resolveOptions } from '../../../src/sandbox/options.ts';
import type { Assume } from '../../../src/service/assumptions/assume.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** The names that the register must have. */
const NAMES = [
  ...['card-status-parameter', 'usage-from-parameter', 'usage-to-parameter', 'usage-period-parameter'],
  ...[
    'usage-type-parameter',
    'invalid-input-status',
    'allow-list-status',
    'copy-pan-default',
    'stylesheet-url',
  ],
  ...['card-initial-status', 'kyc-after-rejection', 'list-order', 'webhook-timeout', 'webhook-envelope'],
  ...['event-history', 'email-comparison', 'amount-unit', 'patch-config', 'unset-config'],
  ...['signature-timestamp', 'magic-tokens', 'authorization-ttl'],
];

test('the options have the settings of the register', () => {
  expectTypeOf<keyof Assume>().toEqualTypeOf<keyof AssumptionValues>();
});

test('the control plane shows each setting with its type, choices, default and value', async () => {
  const { control } = await startSandbox({ assume: { 'list-order': 'oldest', 'webhook-timeout': '3s' } });
  const { body } = await control('GET', '/assumptions');
  const settings = new Map(body.map(({ id, setting }: Json) => [id, setting]));
  for (const name of NAMES) expect(settings.get(name)).toMatchObject({ name });
  expect(settings.get('list-order')).toEqual({
    name: 'list-order',
    type: 'choice',
    choices: ['newest', 'oldest'],
    default: 'newest',
    value: 'oldest',
  });
  expect(settings.get('webhook-timeout')).toEqual({
    name: 'webhook-timeout',
    type: 'duration',
    default: '10s',
    value: '3s',
  });
  expect(settings.get('authorization-ttl')).toMatchObject({ choices: ['never'], value: '7d' });
  expect(settings.get('unknown-id')).toBeUndefined();
});

test.each([
  ['list-ordr', 'oldest', 'sets list-ordr, which is not a setting, did you mean "list-order"?'],
  ['unknown-id', '410', 'sets unknown-id, which cannot be set'],
  ['page-size', '20', 'what the interface documents cannot be set; card-sandbox assumptions list'],
  ['list-order', 'latest', 'sets list-order to "latest", but it must be one of newest, oldest'],
  ['invalid-input-status', 418, 'must be one of 400, 422'],
  ['webhook-timeout', 'soon', 'must be a duration above 0 such as 500ms'],
  ['webhook-timeout', '0s', 'must be a duration above 0'],
  ['authorization-ttl', 'none', 'or never'],
  ['card-status-parameter', 'a b', 'must be a parameter name'],
  ['card-status-parameter', 'limit', 'sets card-status-parameter to limit, the name of another parameter'],
  ['usage-from-parameter', 'to', 'the name of another parameter of the list'],
  ['list-order', null, 'must be one of newest, oldest'],
])('%s cannot be %s: the message says why', async (name, value, message) => {
  const assume = { [name]: value };
  const error = () => resolveOptions({ assume });
  expect(error).toThrow(OptionError);
  expect(error).toThrow(message);
  const { control } = await startSandbox();
  const refused = await control('POST', '/worlds', { assume });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^body\.assume/) } });
});

test('a world has the settings of the server, those that it names, or those of its source', async () => {
  const { control } = await startSandbox({ assume: { 'list-order': 'oldest', 'magic-tokens': 'off' } });
  await control('POST', '/worlds', { id: 'own', assume: { 'list-order': 'newest' } });
  await control('POST', '/worlds', { id: 'copy', from: 'own' });
  await control('POST', '/worlds', { id: 'other' });
  const valuesIn = async (world: string) => {
    const { body } = await control('GET', `/worlds/${world}/assumptions`);
    const values = new Map(body.map(({ id, setting }: Json) => [id, setting?.value]));
    return [values.get('list-order'), values.get('magic-tokens')];
  };
  expect(await valuesIn('main')).toEqual(['oldest', 'off']);
  expect(await valuesIn('own')).toEqual(['newest', 'off']);
  expect(await valuesIn('copy')).toEqual(['newest', 'off']);
  expect(await valuesIn('other')).toEqual(['oldest', 'off']);
  const refused = await control('POST', '/worlds', { from: 'own', assume: {} });
  expect(refused.body.error).toContain('body.assume: cannot be combined with from');
});

test('the choice null may be written without quotes', async () => {
  const { control } = await startSandbox({ assume: { 'unset-config': 'omitted' } });
  const world = await control('POST', '/worlds', { id: 'own', assume: { 'unset-config': null } });
  expect(world.status).toBe(201);
  const { body } = await control('GET', '/worlds/own/assumptions');
  expect(body.find(({ id }: Json) => id === 'unset-config').setting.value).toBe('null');
  expect((await control('GET', '/worlds/own/info')).status).toBe(200);
});

test('the handle of a sandbox in process takes settings', async () => {
  await using sandbox = createSandbox({
    // An undefined one has its default.
    assume: { 'invalid-input-status': 422, 'list-order': 'oldest', 'magic-tokens': undefined },
  });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  expect((await sandbox.fetch('/v1/partner/cards?page=0', { headers })).status).toBe(422);
  const [usual, other] = await Promise.all([
    sandbox.worlds.create({ assume: { 'list-order': 'newest' } }),
    sandbox.worlds.create(),
  ]);
  const newest = await usual.api.cards.list();
  const oldest = await other.api.cards.list();
  expect(oldest.data.map(({ id }) => id)).toEqual(newest.data.map(({ id }) => id).toReversed());
  const value = (await other.assumptions()).find(({ id }) => id === 'list-order')?.setting?.value;
  expect(value).toBe('oldest');
});
