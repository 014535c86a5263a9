import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { operations } from '../../../src/sandbox/operations.ts';
import { HOST, open } from '../../server/http/raw.ts';
import { CLI_PROGRAM, type ListeningLine, startProcess } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

const timeout = PROOF_TIMEOUT_MS;
const FILES = 200;

/** What a client that holds a connection has sent on it. */
const HELD: Readonly<Record<string, string>> = {
  nothing: '',
  'a part of a method': 'PO',
  'half of the headers': `POST /v1/partner/cardholders HTTP/1.1\r\n${HOST}`,
  'half of a body': `POST /_sandbox/worlds HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 500\r\n\r\n{"fixtures":[`,
  'half of a state': `PUT /_sandbox/state HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"for\r\n`,
  'a request for the stream': `GET /_sandbox/stream HTTP/1.1\r\n${HOST}\r\n`,
  'a wait for a webhook': `POST /_sandbox/wait HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 51\r\n\r\n{"eventType":"balance.top_up","timeoutMs":  600000}`,
  'a page that is not read': `GET /dashboard HTTP/1.1\r\n${HOST}\r\n`.repeat(50),
};

/** Calls every operation without a body. Resolves with the statuses of the responses. */
async function statuses(origin: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const { id, plane, method, path } of operations) {
    if (['stream', 'stop', 'reset'].includes(id)) continue;
    const url = (plane === 'partner' ? '/v1' : '/_sandbox') + path.replace(/\{\w+\}/g, 'x');
    const response = await fetch(origin + url, { method, headers: { 'x-service-api-key': ACME_KEY } });
    await response.text();
    found[id] = response.status;
  }
  return found;
}

test.skipIf(process.platform !== 'linux')(
  'sockets: a sandbox whose connections are all held answers as before once they are gone, whatever was sent on them',
  { timeout },
  async context => {
    const expected = await startLimited(4_096).then(sandbox => statuses(sandbox.origin));
    const kinds = Object.entries(HELD).filter((_, index) => index % size(3, 1) === 0);
    for (const [kind, text] of kinds) {
      const sandbox = await startLimited(FILES);
      const sockets: Socket[] = [];
      for (let count = 0; count < FILES + 50; count++) {
        const socket = await open(sandbox.origin);
        socket.on('error', () => undefined);
        socket.pause();
        if (text !== '') socket.write(text);
        sockets.push(socket);
      }
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => fetch(sandbox.origin).catch(() => null)).not.toBeNull();
      expect([kind, await statuses(sandbox.origin)]).toEqual([kind, expected]);
      expect([kind, sandbox.stderr()]).toEqual([kind, '']);
    }
    recordResult(
      context,
      `${kinds.length} kinds of connections, each ${FILES + 50} times on ${FILES} files: 0 operations differ afterwards`,
    );
  },
);

/** Starts a sandbox whose process may have so many files open. */
async function startLimited(files: number) {
  const command = `ulimit -n ${files}; exec "$0" "$1" start --port 0 --json --rate-limit 0`;
  const running = startProcess('/bin/sh', ['-c', command, process.execPath, CLI_PROGRAM]);
  const [line] = await running.printed(/^.*\n/);
  const { url }: ListeningLine = JSON.parse(line);
  return { ...running, origin: url };
}

const people = (...counts: unknown[]) => ({ cardholders: counts.map(generate => ({ generate })) });

/** Fixtures that generate more than a request may, written so that a count may miss it. */
const TOO_MANY: readonly object[][] = [
  [people(100_001)],
  [people(1e9)],
  [people(50_000, 50_001)],
  [people(60_000), people(60_000)],
  ...[[people(99_999), 'starter', people(2)] as unknown as object[]],
  [{ cardholders: [{ generate: 50_001, card: {} }] }],
  [{ cardholders: [{ generate: 300, card: { transactions: [{ generate: 400, amount: 1 }] } }] }],
  [{ cardholders: [{ card: { transactions: [{ generate: 100_001, amount: 1 }] } }] }],
  [{ cards: [{ generate: 100_001 }] }],
  [{ usage: [{ generate: 1e12 }] }],
  [{ shareTokens: [{ generate: 1e7 }] }],
  [{ partners: [{ generate: 1e7 }] }],
  [{ unknownKind: [{ generate: 1e7 }] }],
];

/** Counts that are no numbers of records. */
const NO_COUNTS = [-1, 0, 0.5, '100001', '1e9', [1e9], { valueOf: 1e9 }, null, true, 1e308, '0x7fffffff'];

test('worlds: no request makes more records than it may, none is half made, and others are served meanwhile', {
  timeout,
}, async context => {
  const { control, origin } = await startSandbox({ fixtures: ['starter'], rateLimit: 0, maxWorlds: 8 });
  const count = async () => (await control('GET', '/worlds')).body.length;
  expect(await count()).toBe(1);
  const refused = [...TOO_MANY, ...NO_COUNTS.map(each => [people(each)])];
  for (const fixtures of refused) {
    const { status, body } = await control('POST', '/worlds', { fixtures: ['empty', ...fixtures] });
    expect([fixtures, status, body.error]).toEqual([
      fixtures,
      400,
      expect.stringContaining('body.fixtures['),
    ]);
  }
  expect(await count()).toBe(1);
  const large = size(3_000, 20_000);
  let asked = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const response = await fetch(`${origin}/v1/partner/balance`, {
        headers: { 'x-service-api-key': ACME_KEY },
      });
      expect(response.status).toBe(200);
      asked += 1;
    }
  })();
  // More than there may be, with the same id twice, and some that end while they are made.
  const ids = ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const created = await Promise.all(
    ids.map(id => control('POST', '/worlds', { id, fixtures: ['empty', people(large)] })),
  );
  isOver = true;
  await others;
  expect(created.filter(({ status }) => status !== 201).map(({ body }) => body.error)).toEqual(
    Array(3).fill(expect.stringMatching(/there is a world "a" already|8 worlds/)),
  );
  const made = created.filter(({ status }) => status === 201);
  expect([made.length, await count()]).toEqual([8, 9]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(8);
  expect(asked).toBeGreaterThan(20);
  for (const { body } of made) {
    const people = await control('GET', `/worlds/${body.id}/info`);
    expect(people.status).toBe(200);
    expect((await control('DELETE', `/worlds/${body.id}`)).status).toBe(204);
  }
  expect(await count()).toBe(1);
  recordResult(
    context,
    `${refused.length} fixtures refused, ${ids.length} large worlds at once: 8 made, and every other request answered`,
  );
});
