import { expect, test } from 'vitest';
import { sharedSandbox } from '../../support/cli-in-process.ts';

const { run, running } = sharedSandbox();

const tokens = async () => JSON.parse((await running().ask('GET', '/_sandbox/share-tokens')).text);

test('--print prints only the value of a field, ready for a variable of a shell', async () => {
  const { stdout, stderr } = await run('share-tokens', 'add', '--first-name', 'Mia', '--print', 'token');
  expect(stdout).toMatch(/^share_\w+\n$/);
  expect(stderr).toBe('');
  const [minted] = await tokens();
  expect(stdout).toBe(`${minted.token}\n`);
});

test('--print takes dotted names, and prints what is not a text as JSON', async () => {
  const nested = await run('share-tokens', 'add', '--first-name', 'Mia', '--print', 'identity.firstName');
  expect(nested.stdout).toBe('Mia\n');
  expect((await run('share-tokens', 'add', '--print', 'usedBy')).stdout).toBe('null\n');
  const identity = await run('share-tokens', 'add', '--first-name', 'Mia', '--print', 'identity');
  expect(JSON.parse(identity.stdout)).toMatchObject({ firstName: 'Mia' });
});

test.each([
  [['partners', 'add'], 'apiKey', /^sk_test_\w+\n$/],
  [['simulate', 'card', 'ch_mia_approved'], 'id', /^card_\w+\n$/],
  [['simulate', 'authorize', 'card_mia_active', '1'], 'id', /^txn_\w+\n$/],
  [['simulate', 'top-up', '1'], 'currency', /^[A-Z]{3}\n$/],
  [['trigger', 'card.issued'], 'cause', /^(?!error).+\n$/],
  [['faults', 'add', '--status', '503'], 'id', /^flt_\w+\n$/],
  [['faults', 'add', '--kind', 'drop'], 'id', /^wflt_\w+\n$/],
  [['checkpoints', 'save', 'before'], 'name', /^before\n$/],
  [['clock', 'now'], 'mode', /^(?:running|frozen)\n$/],
  [['forward'], 'allowHttp', /^(?:true|false)\n$/],
  [['balance', 'show'], 'currency', /^[A-Z]{3}\n$/],
  [['cards', 'show', 'card_mia_active'], 'status', /^\w+\n$/],
  [['cardholders', 'show', 'ch_mia_approved'], 'firstName', /^Mia\n$/],
  [['webhooks', 'show-config'], 'webhookUrl', /^null\n$/],
  [['info'], 'baseUrl', /^http:.*\/v1\n$/],
  [['info'], 'options.seed', /^\d+\n$/],
  [['env'], 'SERVICE_API_KEY', /^sk_test_\w+\n$/],
  [['wait'], 'status', /^ok\n$/],
])('%j has --print', async (words, field, printed) => {
  const { stdout, stderr } = await run(...words, '--print', field);
  expect(stdout || stderr).toMatch(printed);
  await run('faults', 'clear');
});

test('trigger fails with the cause when nothing is sent, however it prints', async () => {
  const plain = await run('trigger', 'card.issued');
  expect(plain).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is not subscribed to card.issued'),
  });
  expect(await run('trigger', 'card.issued', '--print', 'cause')).toMatchObject({ code: 1 });
  const asJson = await run('trigger', 'card.issued', '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ delivered: false });
  expect(JSON.parse(asJson.stderr).error.message).toMatch(/^not delivered: .* is not subscribed/);
});

test('trigger fails where the partner has subscribed, and has no URL to send to', async () => {
  await run('webhooks', 'change-config', '--subscribed-events', 'card.issued');
  const { code, stdout, stderr } = await run('trigger', 'card.issued', '--json');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, status: 'failed', attemptCount: 0 });
  expect(JSON.parse(stderr).error).toEqual({
    message: 'not delivered: not configured',
    hint: expect.stringMatching(/^webhooks change-config --webhook-url sets a URL/),
  });
  const plain = await run('trigger', 'card.issued');
  expect(plain).toMatchObject({ code: 1, stderr: expect.stringMatching(/^webhooks change-config/) });
  await run('reset');
});

test.each([
  [['forward', 'http://127.0.0.1:9/'], 'ulr'],
  [['events', 'redeliver', '--all'], 'idd'],
  [['requests', 'explain'], 'refusl'],
])('%j --print %s is wrong usage, before anything is done', async (words, field) => {
  await run('trigger', 'card.issued');
  const { code, stderr } = await run(...words, '--print', field);
  expect([code, stderr]).toEqual([2, expect.stringContaining('No such field, did you mean')]);
  expect((await run('forward', '--print', 'url')).stdout).toBe('null\n');
});

test('a field that the response does not have is named with those that it has, without their values', async () => {
  const { code, stderr } = await run('env', '--print', 'NOTHING');
  expect(code).toBe(1);
  expect(stderr).toMatch(/no field NOTHING; known fields are CARD_SANDBOX_URL, .*SERVICE_WEBHOOK_SECRET\n$/);
});

test('--print with an unknown field is wrong usage that names the nearest, and nothing is made', async () => {
  await run('reset');
  const before = await tokens();
  const { code, stderr } = await run('share-tokens', 'add', '--print', 'tokn');
  expect(code).toBe(2);
  expect(stderr).toContain(`No such field, did you mean "token"?`);
  expect(await tokens()).toEqual(before);
});
