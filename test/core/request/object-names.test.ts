import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';

/** Names that every object has in JavaScript. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

/** The JSON of an object with one member, which `JSON.stringify` would not write for `__proto__`. */
const member = (name: string, value: unknown) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;

test.each(NAMES)('a setting that is named %s does not exist, wherever it is set', async name => {
  const assume = JSON.parse(member(name, 'x'));
  expect(() => startInProcess({ assume })).toThrow(`sets ${name}, which is not a setting`);
  const { control } = await startSandbox();
  const created = await control('POST', '/worlds', `{"assume":${member(name, 'x')}}`);
  expect([created.status, created.body.error]).toEqual([400, expect.stringContaining(name)]);
});

test.each(['constructor', 'toString', 'hasOwnProperty'])(
  'a query parameter can be named %s by a setting, and filters, with names of the partner too',
  name => {
    for (const names of [{}, { idp1: 'verifa' }]) {
      const assume = { 'card-status-parameter': name };
      const { api } = startInProcess({ fixtures: ['starter'], assume, names });
      const all = api('GET', '/partner/cards');
      expect([all.status, all.body.total]).toEqual([200, 5]);
      expect(api('GET', `/partner/cards?${name}=active`).body.total).toBeLessThan(5);
      expect(api('GET', `/partner/cards?${name}=thawed`).status).toBe(400);
    }
  },
);

test('a query parameter cannot be named __proto__, which schemas skip', () => {
  expect(() => startInProcess({ assume: { 'card-status-parameter': '__proto__' } })).toThrow(
    /card-status-parameter .* not __proto__/,
  );
});

test.each(NAMES)('unknown parameters and fields that are named %s are ignored with a hint', async name => {
  const { api, control } = await startSandbox();
  expect((await api('GET', `/partner/cards?${name}=1`)).status).toBe(200);
  expect((await api('POST', '/partner/kyc-sessions', member(name, { externalUserId: 'x' }))).status).toBe(
    201,
  );
  const { body: entries } = await control('GET', '/requests');
  expect(entries.map(({ hints }: { hints: string[] }) => hints)).toEqual([
    [`body.${name} is unknown and was ignored`],
    [`query.${name} is unknown and was ignored`],
  ]);
});

test.each(NAMES)('the control plane refuses members that are named %s, in maps and data too', async name => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  for (const [method, path, body] of [
    ['POST', '/share-tokens', member(name, 1)],
    ['POST', '/events', `{"eventType":"card.issued","data":${member(name, 1)}}`],
    ['POST', '/events', `{"eventType":"card.issued","data":{"spendControl":${member(name, { a: 1 })}}}`],
    ['PUT', '/forwarding', `{"map":${member(name, 'http://127.0.0.1:9')}}`],
  ] as const) {
    const reply = await control(method, path, body);
    expect([body, reply.status]).toEqual([body, 400]);
  }
});

test.each(NAMES)('a part of a fault header that is named %s is refused', async name => {
  const { api } = await startSandbox();
  const reply = await api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': `status=503; ${name}=1` });
  expect(reply).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('is not a part of a fault') },
  });
});

test.each(NAMES)('the refusal of a fault with the code %s is explained like any other', async name => {
  const { api, control } = await startSandbox();
  await control('POST', '/faults', { status: 503, body: { error: { code: name } } });
  await api('GET', '/partner/cards');
  const [entry] = (await control('GET', '/requests')).body;
  const { body } = await control('GET', `/requests/${entry.id}`);
  expect(body.wouldPass ?? []).toEqual(expect.not.arrayContaining([null]));
});

test.each(NAMES)('ids and names that are %s are names like others', async name => {
  const { control } = await startSandbox();
  expect((await control('POST', `/checkpoints/${name}`)).status).toBe(201);
  expect((await control('POST', `/checkpoints/${name}/restore`)).status).toBe(204);
  for (const path of [
    `/worlds/${name}`,
    `/partners/${name}/settings`,
    `/deliveries/${name}`,
    `/requests/${name}`,
  ])
    expect([path, (await control('GET', path)).status]).toEqual([path, 404]);
  for (const path of ['/deliveries?eventType=', '/requests?operation=', '/requests?path=/'])
    expect([path, (await control('GET', path + name)).status]).toEqual([path, 400]);
});

test.each(NAMES)('a state with a member %s is refused, in rows too', async name => {
  const { control } = await startSandbox();
  const { body: state } = await control('GET', '/state');
  const text = JSON.stringify(state);
  const documents = [
    text.replace('{', `{${JSON.stringify(name)}:1,`),
    text.replace('"clock":{', `"clock":{${JSON.stringify(name)}:1,`),
    text.replace('"partners":[{', `"partners":[{${JSON.stringify(name)}:1,`),
    text.replace('"settings":{', `"settings":{${JSON.stringify(name)}:1,`),
  ];
  for (const document of documents) {
    const reply = await control('PUT', '/state', document);
    expect([reply.status, reply.body?.error]).toEqual([400, expect.stringContaining(name)]);
  }
});

test.each(NAMES)('a subscribed event that is named %s is refused', async name => {
  const { transport } = fakeReceiver();
  const { api } = await startSandbox({}, { transport });
  expect(await subscribe({ api }, [name])).toMatchObject({ status: 400 });
});
