import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { openApiDocument } from '../../src/server/openapi/document.ts';
import { createContract } from '../support/contract.ts';
import { type Json, type Reply, startSandbox } from '../support/sandbox.ts';
import { type ScenarioRequest, sendExamples, sendRefusals, UNAVAILABLE } from './scenario.ts';

const contracts = {
  partner: createContract(openApiDocument('partner')),
  control: createContract(openApiDocument('control')),
};

/** Sends requests to a new sandbox, and records the status of each response. Fails for one that its document does not allow. */
async function recorder() {
  const { api, control } = await startSandbox({ fixtures: ['starter'] }, { transport: UNAVAILABLE });
  const responses = new Set<string>();
  const send = async ({ plane, method, path: target, headers, body }: ScenarioRequest): Promise<Reply> => {
    const call = plane === 'partner' ? api : control;
    // `api` sends a key unless another is passed; an empty one counts as none.
    const reply = await call(method, target, body, { 'x-service-api-key': '', ...headers });
    const [path = ''] = target.split('?');
    expect([
      method,
      target,
      reply.status,
      ...contracts[plane].violations({ method, path, ...reply }),
    ]).toEqual([method, target, reply.status]);
    responses.add(`${plane} ${method} ${contracts[plane].templateOf(method, path)} ${reply.status}`);
    return reply;
  };
  return { send, responses };
}

test('the example run gets only responses that the document allows, from every partner operation', async () => {
  const { send, responses } = await recorder();
  await sendExamples(send);
  for (const { plane, method, path, responses: declared } of operations) {
    if (plane !== 'partner') continue;
    for (const status of Object.keys(declared))
      expect([...responses]).toContain(`${plane} ${method} ${path} ${status}`);
  }
  for (const status of [400, 401, 404, 409, 429]) {
    expect([...responses].some(each => each.startsWith('partner') && each.endsWith(` ${status}`))).toBe(true);
  }
  const { body } = await send({
    plane: 'control',
    method: 'GET',
    path: '/requests',
    headers: {},
    body: undefined,
  });
  // Such as one about an unknown member, which is accepted.
  expect(body.filter(({ status }: Json) => status < 300).flatMap(({ hints }: Json) => hints)).toEqual([]);
});

test('the document declares every refusal of every partner operation', async () => {
  const { send, responses } = await recorder();
  await sendRefusals(send);
  for (const { plane, method, path } of operations) {
    if (plane !== 'partner') continue;
    expect([...responses]).toContain(`${plane} ${method} ${path} 401`);
    if (method === 'GET' && path.includes('{'))
      expect([...responses]).toContain(`${plane} ${method} ${path} 404`);
  }
});

test('the contract rejects a missing field, an unknown field and an undeclared status', () => {
  const { violations } = contracts.partner;
  const headers = new Headers({ 'x-sandbox-request': 'req_1' });
  const request = { method: 'GET', path: '/partner/webhooks/config', headers };
  const config = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] };
  expect(violations({ ...request, status: 200, body: config })).toEqual([]);
  expect(violations({ ...request, status: 200, body: { ...config, extra: 1 } })).toHaveLength(1);
  expect(
    violations({ ...request, status: 200, body: { webhookUrl: null, subscribedEvents: [] } }),
  ).toHaveLength(1);
  expect(violations({ ...request, status: 418, body: config })).toEqual(['status 418 is not declared']);
  expect(violations({ ...request, status: 200, headers: new Headers(), body: config })).toHaveLength(1);
});
