import { expect, test } from 'vitest';
import { createCard } from '../../../support/cardholders.ts';
import { requestRevealLink, visit } from '../../../support/pages.ts';
import { ACME_KEY, newCardholder, startSandbox, type TestSandbox } from '../../../support/sandbox.ts';
import { send } from '../../../support/send.ts';

/** A world with a card, and the number of the card as its reveal page shows it. */
async function withCardNumber(receiver?: (number: string) => string) {
  let number = '';
  const sandbox = await startSandbox(
    {},
    {
      transport: {
        async send({ url }) {
          return { url, status: 200, body: receiver?.(number) ?? '', cause: null, durationMs: 0 };
        },
        close: () => undefined,
      },
    },
  );
  const card = await createCard(sandbox);
  const page = await visit(await requestRevealLink(sandbox, card.id));
  number = /\d{4} \d{4} \d{4} \d{4}/.exec(page.text)?.[0] ?? '';
  expect(number).not.toBe('');
  return { sandbox, number };
}

/** The lines of a record below its header, which holds the state that it starts from. */
async function linesOf({ origin }: TestSandbox): Promise<string[]> {
  const headers = { authorization: 'Bearer control-token' };
  const { text } = await send(`${origin}/_sandbox/history/export`, { method: 'GET', headers });
  return text.split('\n').slice(1);
}

test.each([
  ['as it was shown', (number: string) => number],
  ['as digits', (number: string) => number.replaceAll(' ', '')],
  ['with dashes of a text processor', (number: string) => number.replaceAll(' ', '\u2013')],
  ['beside other digits', (number: string) => `1 ${number} 2`],
])(
  'a card number in a request, %s, is in no line of a record, also once a reset has taken the card',
  async (_, write) => {
    const { sandbox, number } = await withCardNumber();
    const written = write(number);
    await sandbox.api('POST', '/partner/cardholders', newCardholder({ firstName: written }));
    const kinds = [await linesOf(sandbox)];
    await sandbox.control('POST', '/reset');
    kinds.push(await linesOf(sandbox));
    for (const lines of kinds) {
      expect(lines.filter(each => each.includes(written))).toEqual([]);
      expect(lines.filter(each => each.includes('it holds a card number'))).toHaveLength(1);
    }
  },
);

test('a card number in a body whose digits are escapes of JSON is in no line of a record', async () => {
  const { sandbox, number } = await withCardNumber();
  const escaped = number.replaceAll(/\d/g, digit => `\\u003${digit}`);
  const body = `{"firstName":"${escaped}"}`;
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  await send(`${sandbox.origin}/v1/partner/cardholders`, { method: 'POST', headers, body });
  const lines = await linesOf(sandbox);
  expect(lines.filter(each => each.includes('it holds a card number'))).toHaveLength(1);
  expect(lines.filter(each => each.includes('u003'))).toEqual([]);
});

test.each([
  ['in a query', (number: string) => `/partner/cardholders?email=${encodeURIComponent(number)}`],
  ['in a path', (number: string) => `/partner/cardholders/${encodeURIComponent(number)}`],
  ['in a path with a ?', (number: string) => `/partner/cardholders/${encodeURIComponent(number)}%3F`],
])('a card number %s is in no line of a record, percent-encoded or not', async (_, pathOf) => {
  const { sandbox, number } = await withCardNumber();
  await sandbox.api('GET', pathOf(number));
  await sandbox.control('POST', '/reset');
  const lines = await linesOf(sandbox);
  expect(lines.filter(each => each.includes('it holds a card number'))).toHaveLength(1);
  expect(
    lines.filter(each => [number, encodeURIComponent(number)].some(text => each.includes(text))),
  ).toEqual([]);
  // Readers refuse a path with a query.
  expect(lines.filter(each => /"path":"[^"]*\?/.test(each))).toEqual([]);
});

test('a card number in the answer of a webhook receiver is in no line of a record', async () => {
  const { sandbox, number } = await withCardNumber(shown => `seen: ${shown}`);
  await sandbox.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://app.example/hooks',
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['cardholder.created'],
  });
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/deliveries/settle');
  const lines = await linesOf(sandbox);
  expect(lines.filter(each => each.startsWith('{"attempt"'))).toHaveLength(1);
  expect(lines.filter(each => each.includes(number))).toEqual([]);
});

test('neither a production key in a state nor a card number in the name of a checkpoint stands in a record', async () => {
  const { sandbox, number } = await withCardNumber();
  const name = number.replaceAll(' ', '');
  await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: 'sk_live_abc123' });
  await sandbox.control('POST', '/checkpoints/x');
  await sandbox.control('POST', `/checkpoints/${name}`);
  await sandbox.control('POST', '/checkpoints/x/restore');
  const [last] = (await sandbox.control('GET', '/history')).body;
  for (const from of ['', `?from=${last.id}`]) {
    const { text } = await send(`${sandbox.origin}/_sandbox/history/export${from}`, {
      method: 'GET',
      headers: {},
    });
    expect(text).not.toContain('sk_live_abc123');
    expect(text.split('\n').slice(1).join()).not.toMatch(new RegExp(`"checkpoints":\\[[^\\]]*${name}`));
  }
});
