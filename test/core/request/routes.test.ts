import { expect, test } from 'vitest';
import { operations } from '../../../src/sandbox/operations.ts';
import { CARD_PROGRAM, createSubmittedCardholder } from '../../support/cardholders.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const partnerOperations = operations.filter(({ plane }) => plane === 'partner');
const NO_OPERATION = /^no such operation: /;
const filled = (path: string) => path.replace(/\{\w+\}/g, 'nothing');

test.each([
  ['GET', '/partner/crads', 'GET /partner/cards'],
  ['GET', '/partner/cards/', 'GET /partner/cards'],
  ['POST', '/partner/cards/card_1/freez', 'POST /partner/cards/{id}/freeze'],
  ['POST', '/partner/cards/card_1/reveal-htm', 'POST /partner/cards/{id}/reveal-html'],
  ['GET', '/partner/cardholders/ch_1/kcy', 'POST /partner/cardholders/{id}/kyc'],
  ['GET', '/partner/balances', 'GET /partner/balance'],
  ['GET', '/partner/usage', 'GET /partner/usage/records'],
  ['DELETE', '/partner/cards', 'GET /partner/cards or POST /partner/cards'],
  ['PUT', '/partner/webhooks/config', 'GET /partner/webhooks/config or PATCH /partner/webhooks/config'],
  ['POST', '/partner/cards/card_1/block', null],
  ['GET', '/something/else/entirely', null],
  ['GET', '', null],
])('%s %s is not an operation, and the 404 suggests one only if it is close', async (method, path, close) => {
  const { api } = await startSandbox();
  const tail = close === null ? '' : `; did you mean ${close}?`;
  const error = `no such operation: ${method} ${path || '/'}${tail}`;
  expect(await api(method, path)).toMatchObject({ status: 404, body: { success: false, error } });
});

test('an unknown record is a 404 that names the kind of record and its id', async () => {
  const { api, control } = await startSandbox();
  const { status, body } = await api('GET', '/partner/cards/card_nothing');
  expect({ status, body }).toEqual({
    status: 404,
    body: { success: false, error: 'no card with id "card_nothing"' },
  });
  await api('GET', '/partner/nothing');
  const { body: journal } = await control('GET', '/requests');
  expect(journal.map(({ rule }: { rule: { id: string } }) => rule.id)).toEqual([
    'unknown-operation',
    'unknown-id',
  ]);
});

test('a percent-encoded id is decoded, including a slash', async () => {
  const { api } = await startSandbox();
  const { body } = await api('GET', '/partner/cards/a%2Fb%20%C3%BC');
  expect(body.error).toBe('no card with id "a/b ü"');
});

test('HEAD responds as GET, without the body', async () => {
  const { api } = await startSandbox();
  for (const path of ['/partner/cards', '/partner/cards/nothing', '/partner/cards?page=0']) {
    const [get, head] = [await api('GET', path), await api('HEAD', path)];
    expect(head).toMatchObject({ status: get.status, body: null });
    for (const name of ['content-type', 'content-length']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  }
  expect(await api('HEAD', '/partner/nothing')).toMatchObject({ status: 404, body: null });
});

test('HEAD does not reach an operation of POST', async () => {
  const { api } = await startSandbox();
  expect((await api('HEAD', '/partner/cards/nothing/freeze')).status).toBe(404);
});

test('errors have the simple body, except the two documented conflicts', async () => {
  const sandbox = await startSandbox();
  const person = newCardholder();
  const id = await createSubmittedCardholder(sandbox, person);
  const taken = await sandbox.api('POST', '/partner/cardholders', newCardholder({ email: person.email }));
  expect({ status: taken.status, body: taken.body }).toEqual({
    status: 409,
    body: {
      success: false,
      error: {
        code: 'EMAIL_ALREADY_REGISTERED',
        message: expect.stringMatching(/./),
        existingCardholderId: id,
      },
    },
  });
  const locked = await sandbox.api('POST', '/partner/cardholders', person);
  expect({ status: locked.status, body: locked.body }).toEqual({
    status: 409,
    body: {
      success: false,
      error: {
        code: 'CARDHOLDER_KYC_LOCKED',
        message: expect.stringMatching(/./),
        cardholderId: id,
        reason: 'provider_submitted',
      },
    },
  });
  const simple = await sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  expect({ status: simple.status, body: simple.body }).toEqual({
    status: 400,
    body: { success: false, error: expect.stringMatching(/./) },
  });
});

test('there are documented and assumed operations', () => {
  const kinds = new Set(partnerOperations.map(({ fidelity }) => fidelity.kind));
  expect(kinds).toEqual(new Set(['documented', 'assumed']));
});

test.each(partnerOperations)('$method $path is handled by its operation', async ({ id, method, path }) => {
  const { api, control } = await startSandbox();
  const { body } = await api(method, filled(path), method === 'GET' ? undefined : {});
  expect(String(body.error)).not.toMatch(NO_OPERATION);
  const { body: journal } = await control('GET', '/requests');
  expect(journal[0]).toMatchObject({ operation: id, pattern: path });
});

test.each([
  ['GET', '/partner/balance'],
  ['POST', '/partner/kyc-sessions'],
])('with --documented-only, %s %s still responds, as in the interface', async (method, path) => {
  const { api } = await startSandbox({ documentedOnly: true });
  expect((await api(method, path)).status).toBeLessThan(300);
});

test.each(partnerOperations)(
  'with --documented-only, $method $path ($fidelity.kind) responds accordingly',
  async ({ method, path, fidelity }) => {
    const { api, control } = await startSandbox({ documentedOnly: true });
    const { status, body } = await api(method, filled(path), method === 'GET' ? undefined : {});
    if (fidelity.kind === 'documented') {
      expect(String(body.error)).not.toMatch(NO_OPERATION);
    } else {
      expect(status).toBe(404);
      expect(body).toEqual({ success: false, error: expect.stringMatching(NO_OPERATION) });
      expect(body.error).toContain('--documented-only');
      const { body: journal } = await control('GET', '/requests');
      expect(journal[0].rule.id).toBe('documented-only');
    }
  },
);
