import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { createCard } from '../../support/cardholders.ts';
import { openEventStream, type StreamEvent } from '../../support/event-stream.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const openChanges = ({ origin }: TestSandbox, kinds = 'change') => openEventStream(origin, `?kinds=${kinds}`);
const textOf = ({ event, data }: StreamEvent) =>
  event === 'change' ? `${data.action} ${data.kind} ${data.id} of ${data.partnerId}` : event;

test('created, changed and deleted records are reported with their partner', async () => {
  const sandbox = await startSandbox();
  const { next } = await openChanges(sandbox);
  const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const created = (await next(2)).map(textOf);
  expect(created).toContain(`created cardholder ${body.id} of partner_acme`);
  expect(created).toContainEqual(expect.stringMatching(/^created share token \S+ of partner_acme$/));
  await sandbox.control('POST', `/cardholders/${body.id}/status`, { status: 'suspended' });
  expect((await next(1)).map(textOf)).toEqual([`updated cardholder ${body.id} of partner_acme`]);
  const { body: fault } = await sandbox.control('POST', '/webhook-faults', {
    kind: 'duplicate',
    partnerId: 'partner_globex',
  });
  await sandbox.control('DELETE', '/webhook-faults');
  expect((await next(2)).map(textOf)).toEqual([
    `created webhook fault ${fault.id} of partner_globex`,
    `deleted webhook fault ${fault.id} of partner_globex`,
  ]);
});

test('the changes of one request are one message per record, after its response', async () => {
  const sandbox = await startSandbox();
  const { next } = await openChanges(sandbox, 'request,change');
  const { body } = await sandbox.control('POST', '/cardholders', {});
  const { body: card } = await sandbox.control('POST', '/cards/issue', { cardholderId: body.id });
  await sandbox.api('GET', '/partner/cards');
  const seen: string[] = [];
  while (seen.at(-1) !== 'request') seen.push(...(await next(1)).map(textOf));
  for (const record of [`cardholder ${body.id}`, `card ${card.id}`]) {
    expect(seen.filter(each => each.startsWith(`created ${record} `))).toHaveLength(1);
  }
  expect(seen.filter(each => each.startsWith('updated cardholder'))).toHaveLength(1);
  expect(new Set(seen)).toHaveLength(seen.length);
});

test('a record that is changed or deleted in the turn that created it is one message', async () => {
  const core = createSandboxCore({ fixtures: ['empty'], freeze: true });
  onTestFinished(() => core.stop());
  const call = (method: string, path: string, body: object, query = '') =>
    core.control({
      method,
      path: `/_sandbox${path}`,
      query,
      headers: { host: 'localhost', 'content-type': 'application/json' },
      body: Buffer.from(method === 'POST' ? JSON.stringify(body) : ''),
      remoteAddress: '127.0.0.1',
    });
  let text = '';
  const { stream } = await call('GET', '/stream', {}, 'kinds=change');
  stream?.(
    each => (text += each),
    () => undefined,
  );
  const drop = { kind: 'drop', times: 1 };
  await Promise.all([
    call('POST', '/webhook-faults', drop),
    call('DELETE', '/webhook-faults', {}),
    call('POST', '/balance/top-up', { amount: 1 }),
    call('POST', '/webhook-faults', drop),
  ]);
  await expect
    .poll(() => text.match(/"action":"\w+"/g))
    .toEqual(['"action":"deleted"', '"action":"updated"', '"action":"created"']);
});

test('a transaction is a change of its card and of the balance too', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { next } = await openChanges(sandbox);
  const payment = { cardId: 'card_mia_active', amount: 10 };
  const { body } = await sandbox.control('POST', '/transactions', payment);
  const seen = (await next(4)).map(textOf);
  expect(seen.sort()).toEqual([
    `created transaction ${body.id} of partner_acme`,
    expect.stringMatching(/^created usage record /),
    'updated balance partner_acme of partner_acme',
    'updated card card_mia_active of partner_acme',
  ]);
});

test('keys, card numbers and reveal links never appear in changes', async () => {
  const sandbox = await startSandbox();
  const { next } = await openChanges(sandbox);
  const card = await createCard(sandbox);
  const { body: link } = await sandbox.api('POST', `/partner/cards/${card.id}/reveal-html`);
  const { body: rotated } = await sandbox.control('POST', '/partners/partner_acme/keys/rotate', {});
  await sandbox.control('POST', '/partners', { name: 'Last' });
  const seen: StreamEvent[] = [];
  while (seen.at(-1)?.data.kind !== 'card program') seen.push(...(await next(1)));
  const texts = seen.map(textOf);
  expect(texts).toContain('updated partner partner_acme of partner_acme');
  const secrets = [rotated.apiKey, new URL(link.accessUrl).pathname.split('/').at(-1), 'sk_test'];
  for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret);
  expect(texts.filter(each => /API key|vault|reveal|token idp/.test(each))).toEqual([]);
});

test('a reset is reported once, without the records of the new world', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { next } = await openChanges(sandbox, 'reset,change');
  await sandbox.control('POST', '/reset');
  await sandbox.control('POST', '/cardholders/ch_mia_approved/status', { status: 'suspended' });
  expect((await next(2)).map(textOf)).toEqual([
    'reset',
    'updated cardholder ch_mia_approved of partner_acme',
  ]);
});

test('a state that is refused is not reported', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { body: state } = await sandbox.control('GET', '/state');
  const { next } = await openChanges(sandbox);
  const cards = state.tables.cards.map((card: object) => ({ ...card, cardholderId: 'ch_nobody' }));
  const refused = { ...state, tables: { ...state.tables, cards } };
  expect((await sandbox.control('PUT', '/state', refused)).status).toBe(400);
  await sandbox.control('POST', '/cardholders/ch_mia_approved/status', { status: 'suspended' });
  expect((await next(1)).map(textOf)).toEqual(['updated cardholder ch_mia_approved of partner_acme']);
});

test('changes are sent to readers that ask for them only, and have no number', async () => {
  const sandbox = await startSandbox();
  const [all, changes] = [await openEventStream(sandbox.origin), await openChanges(sandbox)];
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/reset');
  const seen = await all.next(3);
  expect(seen.map(({ event }) => event)).toEqual(['event', 'request', 'reset']);
  expect(seen.map(({ id }) => id - (seen[0]?.id ?? 0))).toEqual([0, 1, 2]);
  expect((await changes.next(1))[0]?.id).toBeNaN();
});

test('what changes no record is reported as an entry of the history: checkpoints, forwarding and refused calls', async () => {
  const sandbox = await startSandbox();
  const { next } = await openChanges(sandbox, 'entry');
  await sandbox.api('GET', '/partner/cards');
  await sandbox.control('GET', '/clock');
  await sandbox.control('POST', '/checkpoints/before');
  await sandbox.control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/hooks' });
  await sandbox.control('POST', '/balance/top-up', { amount: -1 });
  const entries = await next(3);
  const { body: history } = await sandbox.control('GET', '/history');
  const calls = history.filter(({ plane }: { plane: string }) => plane === 'control').reverse();
  expect(calls.map(({ path }: { path: string }) => path)).toEqual([
    '/_sandbox/checkpoints/before',
    '/_sandbox/forwarding',
    '/_sandbox/balance/top-up',
  ]);
  expect(entries).toEqual(
    calls.map(({ id }: { id: string }) => ({ event: 'entry', data: { id }, id: Number.NaN })),
  );
});
