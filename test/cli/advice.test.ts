import { expect, test } from 'vitest';
import { problemsIn } from '../sandbox/fixtures/fixture-files.ts';
import { runInProcess } from '../support/cli-in-process.ts';
import { type Json, newCardholder, startSandbox, type TestSandbox } from '../support/sandbox.ts';

/** A fixture with a mistake, and what is right in it once the advice of its message is followed. */
interface Mistake {
  readonly what: string;
  readonly text: string;
  readonly advice: RegExp;
  /** Returns the text that follows the advice; `shown` is what its groups match. */
  readonly follow: (text: string, shown: string) => string;
}

const PROGRAM = (ttl: string) => `cardPrograms: [{ id: prog_x, name: X, authorizationTtl: ${ttl} }]`;
const PERSON = (members: string) => `cardholders: [{ id: ch_x, ${members} }]`;
const quoteNumber = (text: string) => text.replace(/: (\+?[\d.]+)( \}|,)/, ': "$1"$2');

const MISTAKES: readonly Mistake[] = [
  ...['7', '7 d', '"7"', 'true'].map(ttl => ({
    what: `the duration ${ttl}`,
    text: PROGRAM(ttl),
    advice: /must be a duration such as (\S+), /,
    follow: (_: string, shown: string) => PROGRAM(shown),
  })),
  {
    what: 'a number as an id',
    text: PERSON('externalUserId: 7'),
    advice: /(put it in quotes)$/,
    follow: quoteNumber,
  },
  {
    what: 'a phone number without quotes',
    text: PERSON('phoneNumber: +4915123456789'),
    advice: /(put it in quotes)$/,
    follow: quoteNumber,
  },
  {
    what: 'a phone number without quotes and plus sign',
    text: PERSON('phoneNumber: 4915123456789'),
    advice: /such as (\S+); put it in quotes$/,
    follow: (_, shown) => PERSON(`phoneNumber: "${shown}"`),
  },
  {
    what: 'a number in quotes',
    text: `cardPrograms: [{ id: prog_x, name: X, limit: "5" }]`,
    advice: /(remove the quotes)$/,
    follow: text => text.replaceAll('"', ''),
  },
  {
    what: 'a boolean in quotes',
    text: 'shareTokens: [{ token: t, used: "true" }]',
    advice: /(remove the quotes)$/,
    follow: text => text.replaceAll('"', ''),
  },
  {
    what: 'a time in the basic form',
    text: PERSON('createdAt: 20260131T120000Z'),
    advice: /in the extended form of ISO 8601: (\S+)$/,
    follow: (_, shown) => PERSON(`createdAt: ${shown}`),
  },
  {
    what: 'a time without a sign',
    text: PERSON('createdAt: 40d'),
    advice: /such as (\S+), /,
    follow: (_, shown) => PERSON(`createdAt: ${shown}`),
  },
  {
    what: 'a misspelled value',
    text: PERSON('status: activ'),
    advice: /did you mean "(\w+)"\?$/,
    follow: (_, shown) => PERSON(`status: ${shown}`),
  },
  {
    what: 'a key twice',
    text: 'usage: []\ncards: []\nusage: []',
    advice: /(keep one and move the rest there)$/,
    follow: text => text.replace(/\nusage.*$/, ''),
  },
  {
    what: 'a colon in a text',
    text: 'cardholders:\n  - firstName: Mia: the first',
    advice: /(put a value that contains ": " in quotes)$/,
    follow: text => text.replace('Mia: the first', '"Mia: the first"'),
  },
];

const BASE = 'partners: [{ id: p, apiKey: sk_test_p }]\n';

test.each(MISTAKES)('the advice about $what works when it is followed', ({ text, advice, follow }) => {
  const problems = problemsIn(withProgram(text));
  expect(problems).toEqual([expect.stringMatching(advice)]);
  const shown = advice.exec(problems[0] ?? '')?.[1] ?? '';
  expect(() => problemsIn(withProgram(follow(text, shown)))).toThrow('the fixtures were accepted');
});

function withProgram(text: string): string {
  return BASE + (text.startsWith('cardPrograms') ? '' : 'cardPrograms: [{ id: prog, name: P }]\n') + text;
}

type Send = (sandbox: TestSandbox) => Promise<{ status: number; body: Json }>;
type Follow = (sandbox: TestSandbox, shown: string) => Promise<{ status: number; body: Json }>;

const transaction = async ({ control }: TestSandbox): Promise<string> =>
  (await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 1 })).body.id;

const REQUESTS: readonly (readonly [what: string, refused: Send, advice: RegExp, follow: Follow])[] = [
  [
    'a key after Bearer',
    ({ api }) =>
      api('GET', '/partner/cards', undefined, {
        'x-service-api-key': 'Bearer sk_test_acme_0123456789abcdef',
      }),
    /send the key alone, without ("Bearer ") before it/,
    ({ api }) => api('GET', '/partner/cards'),
  ],
  [
    'an unknown part of a fault',
    ({ api }) => api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': 'deley=1s' }),
    /use (status=503; delay=250ms), with/,
    async ({ api }, fault) => {
      const reply = await api('GET', '/partner/cards', undefined, { 'x-sandbox-fault': fault });
      return { ...reply, status: reply.status === 503 ? 200 : reply.status };
    },
  ],
  [
    'a webhook URL with http',
    ({ api }) => api('PATCH', '/partner/webhooks/config', { webhookUrl: 'http://127.0.0.1:9/' }),
    /(PUT) \/_sandbox\/forwarding with allowHttp/,
    async ({ api, control }) => {
      await control('PUT', '/forwarding', { allowHttp: true });
      return api('PATCH', '/partner/webhooks/config', {
        webhookUrl: 'http://127.0.0.1:9/',
        webhookSecret: 'a-secret-of-more-than-16',
      });
    },
  ],
  [
    'an unknown share token',
    ({ api }) => api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: 'unheard-of' })),
    /use a magic token such as (\S+)$/,
    ({ api }, token) => api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: token })),
  ],
  [
    'an unknown share token, minted then',
    ({ api }) => api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: 'unheard-of' })),
    /issue one with (POST) \/_sandbox\/share-tokens/,
    async ({ api, control }) => {
      const { body } = await control('POST', '/share-tokens', {});
      return api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: body.token }));
    },
  ],
  [
    'null for an optional member',
    ({ api }) => api('POST', '/partner/kyc-sessions', { externalUserId: null }),
    /(leave it out) instead of null$/,
    ({ api }) => api('POST', '/partner/kyc-sessions', {}),
  ],
  [
    'a settlement of more',
    async sandbox =>
      sandbox.control('POST', `/transactions/${await transaction(sandbox)}/settle`, { amount: 2 }),
    /cannot be settled for more without (force)$/,
    async sandbox =>
      sandbox.control('POST', `/transactions/${await transaction(sandbox)}/settle`, {
        amount: 2,
        force: true,
      }),
  ],
  [
    'a plus that became a space',
    ({ api }) => api('GET', '/partner/transactions?from=2026-03-15T10:00:00+01:00'),
    /encode \+ as (%2B) in a query$/,
    ({ api }, plus) => api('GET', `/partner/transactions?from=2026-03-15T10:00:00${plus}01:00`),
  ],
  [
    'the end of time',
    ({ control }) => control('POST', '/clock/advance', { duration: '36525d' }),
    /(POST \/_sandbox\/reset) takes it back$/,
    ({ control }) => control('POST', '/reset'),
  ],
  [
    'an unknown operation',
    ({ api }) => api('GET', '/partner/cardz'),
    /did you mean GET (\S+)\?$/,
    ({ api }, path) => api('GET', path),
  ],
  [
    'a duration without a unit',
    ({ control }) => control('POST', '/clock/advance', { duration: '90' }),
    /must be a duration such as (\w+),/,
    ({ control }, duration) => control('POST', '/clock/advance', { duration }),
  ],
];

test.each(REQUESTS)(
  'the advice about %s works when it is followed',
  async (what, refused, advice, follow) => {
    const options = what === 'the end of time' ? { clock: '9899-01-01' } : {};
    const sandbox = await startSandbox({ fixtures: ['starter'], ...options });
    const { status, body } = await refused(sandbox);
    expect([status >= 400 && status < 500, body.error]).toEqual([true, expect.stringMatching(advice)]);
    const followed = await follow(sandbox, advice.exec(body.error)?.[1] ?? '');
    expect(followed.status).toBeLessThan(300);
  },
);

/** Splits a command line as a shell does, single quotes included. */
const shellWords = (line: string) => (line.match(/'[^']*'|\S+/g) ?? []).map(word => word.replaceAll("'", ''));

test.each([['node --version'], ['node --version && node --version'], ['  node   --version  ']])(
  'exec and exam refuse the command line %j as one word, and name the form that runs it',
  async text => {
    for (const name of ['exec', 'exam']) {
      const { code, stderr } = await runInProcess([name, '--', text]);
      const [, form = ''] = /use card-sandbox (.*)$/m.exec(stderr) ?? [];
      expect([code, shellWords(form).slice(0, 2)]).toEqual([2, [name, '--']]);
      if (name === 'exec') expect(await runInProcess(shellWords(form))).toMatchObject({ code: 0 });
    }
  },
);

test.each([
  ['127.0.0.1:4242', /pass the port with (--port) 4242/],
  ['localhost:0', /pass the port with (--port) 0/],
  ['[::1]:80', /pass the port with (--port) 80/],
  ['http://localhost', /for example (127\.0\.0\.1)/],
])('--host %s is wrong usage that names what to pass', async (host, advice) => {
  for (const command of ['start', 'listen']) {
    const { code, stderr } = await runInProcess([command, '--port', '0', '--host', host]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(advice)]);
  }
});
