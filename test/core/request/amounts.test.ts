import { expect, test } from 'vitest';
import { createApprovedCardholder, createCard } from '../../support/cardholders.ts';
import { startSandbox } from '../../support/sandbox.ts';

const TOO_LONG = [
  '99.999999999999999',
  '10.000000000000000001',
  '10.005',
  '10.000',
  '1000e-3',
  '0.1250',
  '1.50000000000000000000e0',
];

test.each(TOO_LONG)('the amount %s is a 400 that names the field, and changes nothing', async amount => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox);
  await sandbox.api('POST', `/partner/cards/${id}/activate`);
  const before = (await sandbox.control('GET', '/state')).body;
  const cardholderId = before.tables.cardholders[0].id;
  const issue = (limits: string) =>
    sandbox.api(
      'POST',
      '/partner/cards',
      `{"cardholderId":"${cardholderId}","cardProgramId":"prog_everyday",${limits}}`,
    );
  const refusals = [
    [await sandbox.control('POST', '/balance/top-up', `{"amount":${amount}}`), 'body.amount'],
    [
      await sandbox.control('POST', '/transactions', `{"cardId":"${id}", "amount" : ${amount} }`),
      'body.amount',
    ],
    [await sandbox.control('POST', `/cards/${id}/3ds`, `{"amount":${amount}}`), 'body.amount'],
    [await issue(`"limit":${amount}`), 'body.limit'],
    [
      await issue(`"spendControl":{"sales":{"daily":1.25,"monthly":${amount}}}`),
      'body.spendControl.sales.monthly',
    ],
  ] as const;
  for (const [{ status, body }, field] of refusals) {
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: expect.stringMatching(new RegExp(`^${field}: must be an amount .* with at most two decimals$`)),
    });
  }
  const { body: after } = await sandbox.control('GET', '/state');
  expect(after.tables).toEqual(before.tables);
});

test.each(TOO_LONG)('the amount %s in the data of a triggered event is a 400', async amount => {
  const { control } = await startSandbox();
  const trigger = (eventType: string, data: string) =>
    control('POST', '/events', `{"eventType":"${eventType}","data":${data}}`);
  expect(await trigger('card.transaction', `{"amount":${amount}}`)).toMatchObject({
    status: 400,
    body: { error: 'body.data.amount: must be an amount with at most two decimals' },
  });
  expect(
    await trigger('card.issued', `{"spendControl":{"spent":{"sales":{"daily":${amount}}}}}`),
  ).toMatchObject({
    status: 400,
    body: { error: 'body.data.spendControl.spent.sales.daily: must be an amount with at most two decimals' },
  });
});

test.each(['99.99', '0.1', '1e2', '1.5e1', '100', '0.07'])('the amount %s is accepted', async amount => {
  const { control } = await startSandbox();
  expect((await control('POST', '/balance/top-up', `{"amount":${amount}}`)).status).toBe(200);
  const data = `{"eventType":"balance.top_up","data":{"available":${amount},"held":-${amount}}}`;
  expect((await control('POST', '/events', data)).status).toBe(201);
});

test('long numbers in texts, in ignored fields and in free JSON are no amounts', async () => {
  const sandbox = await startSandbox();
  const cardholderId = await createApprovedCardholder(sandbox);
  const note = '\\"amount\\": 9.99999 \\\\';
  const fields = `"cardholderId":"${cardholderId}","cardProgramId":"prog_everyday","note":"${note}","ratio":0.12345678901234567890`;
  expect((await sandbox.api('POST', '/partner/cards', `{${fields},"limit":12.5}`)).status).toBe(201);
  const body = `{"path":"/partner/cards","status":503,"body":{"ratio":0.10000000000000000001}}`;
  expect((await sandbox.control('POST', '/faults', body)).body.body).toEqual({ ratio: 0.1 });
});

test('an amount of a partner with names of its own is judged by its text too', async () => {
  const { control } = await startSandbox({ names: { service: 'acme', idp1: 'checkly' } });
  expect((await control('POST', '/balance/top-up', '{"amount":9.999999999999999999}')).status).toBe(400);
});
