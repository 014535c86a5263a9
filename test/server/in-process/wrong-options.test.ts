import { createServer as createSecureServer } from 'node:https';
import { expect, test } from 'vitest';
import {
  connect,
  createSandbox,
  OptionError,
  type SandboxOptions,
  type ServerOptions,
  startServer,
} from '../../../src/index.ts';

/** Options that only JavaScript can pass. */
function wrong(options: unknown) {
  return options as SandboxOptions & ServerOptions;
}

test.each([
  [{ fixtures: 'starter' }, "fixtures: must be an array of fixtures, for example ['starter']"],
  [{ fixtures: [5] }, /^fixtures: must be the name of a built-in fixture/],
  [
    { webhookReceiver: 'http://127.0.0.1:3000' },
    'webhookReceiver: must be a function from a Request to a Response; to send webhooks to a URL, use forwardTo',
  ],
  [
    { webhookReceiver: { url: 'http://127.0.0.1:3000' } },
    'webhookReceiver: must be a function from a Request to a Response; to send webhooks to a URL, use forwardTo',
  ],
  [
    { webhookListener: 'http://127.0.0.1:3000' },
    /^webhookListener: must be a request listener or a server of/,
  ],
  [{ webhookListener: createSecureServer() }, /^webhookListener: must be a request listener or a server of/],
  [
    { webhookListener: () => undefined, webhookReceiver: () => new Response() },
    'webhookListener: cannot be combined with webhookReceiver; pass one of them',
  ],
  [{ webhookReciever: () => new Response() }, 'webhookReciever: is unknown, did you mean "webhookReceiver"?'],
])('%j is refused in words by createSandbox and startServer', async (options, message) => {
  expect(() => createSandbox(wrong(options))).toThrow(OptionError);
  expect(() => createSandbox(wrong(options))).toThrow(message);
  await expect(startServer(wrong(options))).rejects.toThrow(message);
});

test('an option of a server is refused by createSandbox with the function that takes it', async () => {
  expect(() => createSandbox(wrong({ port: 0 }))).toThrow('port: is an option of startServer; this sandbox');
  await expect(startServer(wrong({ prot: 0 }))).rejects.toThrow('prot: is unknown, did you mean "port"?');
});

test.each([['starter'], [['starter']], [4242], [null]])(
  'options must be an object, and %j is none',
  async options => {
    const message = "options: must be an object, for example { fixtures: ['empty'] }";
    expect(() => createSandbox(wrong(options))).toThrow(message);
    await expect(startServer(wrong(options))).rejects.toThrow(message);
  },
);

test.each([
  [{ url: 'localhost:4242' }, 'url: must be an http(s) URL; write http://localhost:4242'],
  [{ url: '127.0.0.1:4242' }, 'url: must be an http(s) URL; write http://127.0.0.1:4242'],
  [{ url: 'ftp://localhost' }, 'url: must be an http(s) URL, for example http://127.0.0.1:4242'],
  [{ url: '' }, 'url: must be an http(s) URL, for example http://127.0.0.1:4242'],
  [{ url: 4242 }, 'url: must be an http(s) URL, for example http://127.0.0.1:4242'],
  ['http://127.0.0.1:4242', "options: must be an object, for example { url: 'http://127.0.0.1:4242' }"],
  [null, "options: must be an object, for example { url: 'http://127.0.0.1:4242' }"],
  [{ url: 'http://127.0.0.1:4242/v1' }, 'url: must be the address of the sandbox, without /v1'],
  [{ wold: 'blue' }, 'wold: is unknown, did you mean "world"?'],
  [
    { controlToken: '' },
    /^controlToken: must be one or more visible ASCII characters, without spaces; leave/,
  ],
])('connect(%j) is refused in words', async (options, message) => {
  // JavaScript may pass anything.
  const refused = expect(connect(options as { url: string })).rejects;
  await refused.toThrow(message);
  await expect(connect(options as { url: string })).rejects.toBeInstanceOf(OptionError);
});

test.each([
  [{ port: '8080' }, 'port: must be a whole number from 0 to 65535; 0 picks a free port'],
  [{ port: 70_000 }, 'port: must be a whole number from 0 to 65535; 0 picks a free port'],
  [{ host: '' }, 'host: must be a name or an address, for example 127.0.0.1'],
  [{ trustProxy: 'false' }, 'trustProxy: must be true or false'],
  [{ allowHost: [5] }, "allowHost: must be an array of names, for example ['sandbox.example']"],
  [{ freeze: null }, 'freeze: must be true or false'],
])('startServer(%j) is refused in words', async (options, message) => {
  await expect(startServer(wrong(options))).rejects.toMatchObject({ name: 'OptionError', message });
});

test.each(['', ' ', 'a\nb', 5, null])(
  'startServer refuses the control token %j, which would let everybody in or fit no header',
  async controlToken => {
    await expect(startServer(wrong({ host: '0.0.0.0', controlToken }))).rejects.toThrow(
      'controlToken: must be one or more visible ASCII characters, without spaces; leave it out for a random one',
    );
  },
);

test('a busy port is refused with the port and the way out', async () => {
  await using first = await startServer();
  const port = Number(new URL(first.url).port);
  await expect(startServer({ port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `port ${port} of 127.0.0.1 is in use; stop what listens there, or pass port: 0 for a free one`,
  });
});

test.each([null, 5, { id: 'blue' }])('a world cannot be copied from %j', async from => {
  await using sandbox = createSandbox();
  await expect(sandbox.worlds.create({ from } as object)).rejects.toThrow(
    'from: must be the id of a world, or its handle',
  );
});

test('settings are copied: the object of the caller can be changed for the next sandbox', async () => {
  const assume = { 'list-order': 'oldest' as 'oldest' | 'newest' };
  await using first = createSandbox({ assume });
  assume['list-order'] = 'newest';
  await using second = createSandbox({ assume });
  const cards = await Promise.all([first, second].map(async ({ api }) => (await api.cards.list()).data));
  expect(cards[0]?.map(({ id }) => id)).toEqual(cards[1]?.map(({ id }) => id).reverse());
});
