import { expect, test } from 'vitest';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { ACME_KEY, GLOBEX_KEY, startSandbox } from '../../support/sandbox.ts';

type Step = readonly [method: string, path: string, body?: unknown, key?: string];

const person = (name: string, members: Record<string, unknown> = {}) => ({
  externalUserId: name,
  email: `${name}@example.com`,
  phoneNumber: '+4915123456789',
  kycSource: 'idp1',
  idp1ShareToken: `idp1_test_approve_${name}`,
  ...members,
});

/** `$<step>.<member>` is replaced by a member of the response of that step. */
const STEPS: readonly Step[] = [
  ['POST', '/v1/partner/cardholders', person('ada')],
  ['POST', '/v1/partner/cardholders', person('ada')],
  ['POST', '/v1/partner/cardholders', person('bob', { email: 'ADA@example.com' })],
  ['POST', '/v1/partner/cardholders', person('cleo', { idp1ShareToken: 'idp1_test_reject_cleo' })],
  ['POST', '/v1/partner/cardholders', person('dora'), GLOBEX_KEY],
  ['POST', '/_sandbox/share-tokens', { identity: { firstName: 'Eve' } }],
  ['POST', '/v1/partner/cardholders', person('eve', { idp1ShareToken: '$5.token' })],
  ['POST', '/v1/partner/kyc-sessions', { externalUserId: 'fay' }],
  ['POST', '/_sandbox/kyc-sessions/$7.id/approve'],
  ['POST', '/v1/partner/cardholders', person('fay', { kycSource: 'web', kycSessionId: '$7.id' })],
  ['GET', '/v1/partner/cardholders/$9.id'],
  ['POST', '/v1/partner/cardholders/$0.id/kyc', { cardProgramId: 'prog_everyday' }],
  ['POST', '/v1/partner/cardholders/$3.id/kyc', { cardProgramId: 'prog_everyday' }],
  ['POST', '/v1/partner/cardholders/$6.id/kyc', { cardProgramId: 'prog_everyday' }],
  ['POST', '/_sandbox/cardholders/$6.id/kyc/reject'],
  ['POST', '/_sandbox/clock/advance', { duration: '2s' }],
  ['GET', '/v1/partner/cardholders/$3.id'],
  ['POST', '/v1/partner/cards', { cardholderId: '$0.id', cardProgramId: 'prog_everyday', limit: 99.5 }],
  ['POST', '/v1/partner/cards', { cardholderId: '$3.id', cardProgramId: 'prog_everyday' }],
  ['POST', '/v1/partner/cards', { cardholderId: '$0.id', cardProgramId: 'prog_everyday', limit: 1.005 }],
  ['POST', '/v1/partner/cards/$17.id/activate'],
  ['POST', '/v1/partner/cards/$17.id/unfreeze'],
  ['GET', '/v1/partner/cards?limit=1'],
  ['GET', '/v1/partner/cards?limit=0'],
  ['GET', '/v1/partner/usage/records'],
  ['GET', '/v1/partner/cardholders?kycStatus=approved'],
  ['PATCH', '/v1/partner/webhooks/config', { subscribedEvents: ['card.issued', 'card.issued'] }],
  ['POST', '/_sandbox/partners/partner_acme/keys/rotate', {}],
  ['GET', '/v1/partner/nothing'],
  ['GET', '/v1/partner/cards', undefined, 'sk_test_wrong'],
  ['GET', '/_sandbox/clock'],
  ['GET', '/_sandbox/partners'],
];

/** Plays the steps on a new sandbox. Returns the response bodies, with the origin replaced, since its port differs. */
async function play(options: CoreOptions = {}): Promise<string[]> {
  const { origin } = await startSandbox(options);
  const bodies: string[] = [];
  const fill = (text: string) =>
    text.replace(/\$(\d+)\.(\w+)/g, (_, step, member) => JSON.parse(bodies[step] ?? '')[member]);
  for (const [method, path, body, key = ACME_KEY] of STEPS) {
    const init: RequestInit = {
      method,
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    };
    if (body !== undefined) init.body = fill(JSON.stringify(body));
    const response = await fetch(origin + fill(path), init);
    bodies.push((await response.text()).replaceAll(origin, 'http://sandbox'));
    statuses.push(response.status);
  }
  return bodies;
}

let statuses: number[] = [];

test('the same seed, fixture, frozen clock and requests give byte-identical responses', async () => {
  statuses = [];
  const first = await play();
  expect(statuses).toEqual([
    201, 400, 409, 201, 201, 201, 201, 201, 200, 201, 200, 200, 200, 200, 200, 200, 200, 201, 400, 400, 200,
    400, 200, 400, 200, 200, 200, 200, 404, 401, 200, 200,
  ]);
  expect(await play()).toEqual(first);
});

test('another seed gives other ids, and the same refusals', async () => {
  const [first, second] = [await play({ seed: 1 }), await play({ seed: 2 })];
  const idOf = (body: string | undefined) => JSON.parse(body ?? '').id;
  for (const step of [0, 3, 7, 17]) expect(idOf(first[step])).not.toBe(idOf(second[step]));
  for (const step of [19, 23, 28, 29]) expect(first[step]).toBe(second[step]);
});

test('a read does not change later results', async () => {
  const body = person('zoe');
  const ids = [];
  for (const reads of [0, 5]) {
    const { api } = await startSandbox();
    for (let read = 0; read < reads; read++) await api('GET', '/partner/cardholders');
    ids.push((await api('POST', '/partner/cardholders', body)).body.id);
  }
  expect(ids[0]).toBe(ids[1]);
});

test('the default fixture is the same in every start', async () => {
  const world = async () => {
    const { api, globex, control } = await startSandbox({ fixtures: ['starter'] });
    const lists = [
      '/partner/cardholders',
      '/partner/cards',
      '/partner/card-programs',
      '/partner/usage/records',
    ];
    const replies = await Promise.all([
      ...lists.flatMap(path => [api('GET', `${path}?limit=100`), globex('GET', `${path}?limit=100`)]),
      control('GET', '/partners'),
    ]);
    return replies.map(({ body }) => JSON.stringify(body));
  };
  expect(await world()).toEqual(await world());
});
