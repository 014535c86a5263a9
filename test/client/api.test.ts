import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, RefusedError, type Sandbox, startServer } from '../../src/index.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { START } from '../support/sandbox.ts';

const OPTIONS = { fixtures: ['starter'], clock: START, freeze: true } as const;
const PERSON = { externalUserId: 'user_1', email: 'ida@example.com', phoneNumber: '+4915123456789' };

/** A sandbox, stopped after the test. */
function createStarter(): Sandbox {
  const sandbox = createSandbox(OPTIONS);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** How a call was refused. */
async function refusal(call: Promise<unknown>): Promise<RefusedError> {
  const error = await call.then(
    () => null,
    reason => reason,
  );
  expect(error).toBeInstanceOf(RefusedError);
  // Checked in the line above.
  return error as RefusedError;
}

describe.each(['createSandbox', 'startServer', 'connect'] as const)('with %s', entry => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    const served = entry === 'createSandbox' ? createSandbox(OPTIONS) : await startServer(OPTIONS);
    sandbox = entry === 'connect' ? await connect({ url: served.url }) : served;
    return () => served.close();
  });

  test('the API is called with typed methods, from a new cardholder to an active card', async () => {
    const { token } = await sandbox.mintShareToken();
    const body = { ...PERSON, kycSource: 'idp1', idp1ShareToken: token } as const;
    const { id } = await sandbox.api.cardholders.create(body);
    const submitted = await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
    expect(submitted).toMatchObject({ status: 'pending', cardholderId: id });
    await sandbox.clock.advance('2s');
    expect(await sandbox.api.cardholders.get(id)).toMatchObject({ kycStatus: 'approved' });
    const card = await sandbox.api.cards.issue({ cardholderId: id, cardProgramId: 'prog_everyday' });
    expect(await sandbox.api.cards.activate(card.id)).toMatchObject({ id: card.id, status: 'active' });
    const { data, total } = await sandbox.api.cards.list({ cardholderId: id, status: 'active', limit: 1 });
    expect({ ids: data.map(each => each.id), total }).toEqual({ ids: [card.id], total: 1 });
    expect((await sandbox.api.balance.get()).available).toBeGreaterThan(0);
  });

  test('a refusal rejects with status, message and rule', async () => {
    const error = await refusal(sandbox.api.cards.get('card_nobody'));
    expect(error).toMatchObject({ status: 404, code: null, requestId: expect.stringMatching(/^req_/) });
    expect(error.message).toContain('card_nobody');
    expect(error.rule).toMatchObject({ section: '7', decision: expect.any(String) });
    const issue = { cardholderId: 'ch_liam_pending', cardProgramId: 'prog_everyday' };
    expect(await refusal(sandbox.api.cards.issue(issue))).toMatchObject({
      status: 400,
      rule: { fidelity: 'assumed', id: 'card-issuance' },
    });
  });

  test('a structured refusal rejects with its code', async () => {
    const create = { ...PERSON, externalUserId: 'user_2', kycSource: 'idp1' } as const;
    const { email } = await sandbox.api.cardholders.get('ch_mia_approved');
    const call = sandbox.api.cardholders.create({ ...create, email, idp1ShareToken: 'idp1_test_approve_2' });
    expect(await refusal(call)).toMatchObject({ status: 409, code: 'EMAIL_ALREADY_REGISTERED' });
  });
});

test('every operation of the API has a method', () => {
  const { api } = createStarter();
  const methods = Object.entries(api).flatMap(([resource, verbs]) =>
    Object.keys(verbs).map(verb => `${resource}.${verb}`),
  );
  const ids = operations.filter(({ plane }) => plane === 'partner').map(({ id }) => id);
  expect(methods.toSorted()).toEqual(ids.toSorted());
});

test('a response of a fault rejects as well, whatever its body is', async () => {
  const sandbox = createStarter();
  await sandbox.faults.add({ status: 503, body: ['down'] });
  expect(await refusal(sandbox.api.balance.get())).toMatchObject({
    status: 503,
    code: null,
    message: 'GET /partner/balance failed with status 503',
  });
});

test('a method without its id rejects in words, and sends nothing', async () => {
  const sandbox = createStarter();
  // JavaScript may leave out what TypeScript requires.
  const missing = undefined as unknown as string;
  await expect(sandbox.api.cards.get(missing)).rejects.toThrow(
    'id: must be a text that is not empty; this calls GET /partner/cards/{id}',
  );
  expect(await sandbox.requests.list()).toEqual([]);
  await expect(sandbox.faults.remove('')).rejects.toThrow('this calls DELETE /faults/{id}');
});
