import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { contractOf } from '../support/contract.ts';
import { type Reply, startSandbox } from '../support/sandbox.ts';
import { type Asked, DOWN, playRefusals, playTour } from './scenario.ts';

const contracts = {
  partner: contractOf(await openApiDocument('partner')),
  control: contractOf(await openApiDocument('control')),
};

/** Asks a new sandbox, and notes which operations answered with which status. */
async function asker() {
  const { api, control } = await startSandbox({ fixtures: ['starter'] }, { transport: DOWN });
  const answered = new Set<string>();
  const ask = async ({ plane, method, path: target, headers, body }: Asked): Promise<Reply> => {
    const call = plane === 'partner' ? api : control;
    // `api` sends a key of its own unless it is given another; an empty one is as good as none.
    const reply = await call(method, target, body, { 'x-service-api-key': '', ...headers });
    const [path = ''] = target.split('?');
    expect([
      method,
      target,
      reply.status,
      ...contracts[plane].violations({ method, path, ...reply }),
    ]).toEqual([method, target, reply.status]);
    answered.add(`${plane} ${method} ${contracts[plane].templateOf(method, path)} ${reply.status}`);
    return reply;
  };
  return { ask, answered };
}

test('the tour through all partner operations gets nothing that the document does not allow', async () => {
  const { ask, answered } = await asker();
  await playTour(ask);
  for (const { plane, method, path, responses } of operations) {
    if (plane !== 'partner') continue;
    for (const status of Object.keys(responses))
      expect([...answered]).toContain(`${plane} ${method} ${path} ${status}`);
  }
  for (const status of [400, 401, 404, 409, 429]) {
    expect([...answered].some(each => each.startsWith('partner') && each.endsWith(` ${status}`))).toBe(true);
  }
});

test('every refusal of every partner operation is one that the document declares', async () => {
  const { ask, answered } = await asker();
  await playRefusals(ask);
  for (const { plane, method, path } of operations) {
    if (plane !== 'partner') continue;
    expect([...answered]).toContain(`${plane} ${method} ${path} 401`);
    if (method === 'GET' && path.includes('{'))
      expect([...answered]).toContain(`${plane} ${method} ${path} 404`);
  }
});

test('a missing field, one too many, and an undeclared status are noticed', () => {
  const { violations } = contracts.partner;
  const headers = new Headers({ 'x-sandbox-request': 'req_1' });
  const asked = { method: 'GET', path: '/partner/webhooks/config', headers };
  const config = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] };
  expect(violations({ ...asked, status: 200, body: config })).toEqual([]);
  expect(violations({ ...asked, status: 200, body: { ...config, extra: 1 } })).toHaveLength(1);
  expect(
    violations({ ...asked, status: 200, body: { webhookUrl: null, subscribedEvents: [] } }),
  ).toHaveLength(1);
  expect(violations({ ...asked, status: 418, body: config })).toEqual(['status 418 is not declared']);
  expect(violations({ ...asked, status: 200, headers: new Headers(), body: config })).toHaveLength(1);
});
