import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type RealTime, realTime } from '../../../src/core/time/realtime.ts';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { createFetch } from '../../../src/server/in-process/fetch.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

/** Cardholders of the fixture: more than a search reads in four turns. */
const MANY = 5_000;
const FIXTURES = [
  'empty',
  fileURLToPath(new URL('../../support/fixtures/many-cardholders.yaml', import.meta.url)),
];

/** Wall time in which what is due at once waits until the test runs it. */
function pausedTime() {
  const waiting: (() => void)[] = [];
  const paused: RealTime = {
    ...realTime,
    after(delayMs, task) {
      if (delayMs > 0) return realTime.after(delayMs, task);
      waiting.push(task);
      return () => undefined;
    },
  };
  return { realTime: paused, waiting };
}

/** A sandbox of many cardholders, whose searches wait after each turn until `continueSearch` is called. */
async function startWithPauses() {
  const { realTime, waiting } = pausedTime();
  const sandbox = await startSandbox({ fixtures: FIXTURES, rateLimit: 0 }, { realTime });
  /** Lets a search go on for one turn. Resolves once the next turn waits, or after a few requests. */
  const continueSearch = async () => {
    waiting.shift()?.();
    for (let tries = 0; tries < 20 && waiting.length === 0; tries += 1)
      await sandbox.control('GET', '/health');
    return waiting.length > 0;
  };
  return { ...sandbox, continueSearch };
}

const idsOf = ({ body }: { readonly body: Json }) => body.map(({ id }: Json) => id);

test('requests are answered while a search goes on', async () => {
  const { api, control, continueSearch } = await startWithPauses();
  const answers: string[] = [];
  const search = control('GET', '/cardholders?q=in-no-record').then(reply => {
    answers.push('search');
    return reply;
  });
  for (let turn = 1; turn <= 4; turn += 1) {
    expect(await continueSearch()).toBe(true);
    await api('GET', '/partner/cards');
    answers.push('request');
    if (turn < 4) continue;
    while (await continueSearch());
  }
  expect(await search).toMatchObject({ status: 200, body: [] });
  expect(answers).toEqual(['request', 'request', 'request', 'request', 'search']);
});

test('a search ends when it has found as many records as it may return', async () => {
  const { control } = await startWithPauses();
  const all = idsOf(await control('GET', '/cardholders?limit=2'));
  expect(idsOf(await control('GET', '/cardholders?q=ch_&limit=2'))).toEqual(all);
});

test('a search over HTTP ends when its client disconnects', async () => {
  const { origin, control, continueSearch } = await startWithPauses();
  const client = new AbortController();
  const search = fetch(`${origin}/_sandbox/cardholders?q=in-no-record`, { signal: client.signal });
  const failed = expect(search).rejects.toThrow(/abort/);
  expect(await continueSearch()).toBe(true);
  client.abort();
  await failed;
  // The server sees the end of the connection at some moment before it has answered these.
  for (let requests = 0; requests < 10; requests += 1) await control('GET', '/health');
  expect(await continueSearch()).toBe(false);
});

test('a search in process ends when its signal is aborted', async () => {
  const { realTime, waiting } = pausedTime();
  const core = createSandboxCore({ fixtures: FIXTURES }, { realTime });
  onTestFinished(() => core.stop());
  const fetchHere = createFetch(() => core, 'http://localhost', new AbortController().signal);
  const client = new AbortController();
  const search = fetchHere('/_sandbox/cardholders?q=in-no-record', { signal: client.signal });
  const failed = expect(search).rejects.toThrow('no longer needed');
  await expect.poll(() => waiting.length).toBe(1);
  client.abort(new Error('no longer needed'));
  await failed;
  waiting.shift()?.();
  await fetchHere('/_sandbox/health');
  expect(waiting).toEqual([]);
});

test('records may change and be deleted during a search; they are returned as they are when it ends', async () => {
  const { api, control, continueSearch } = await startWithPauses();
  const [newest] = idsOf(await control('GET', '/cardholders?limit=1'));
  const oldest = idsOf(await control('GET', `/cardholders?limit=1&offset=${MANY - 1}`))[0];
  const search = control('GET', '/cardholders?q=%40&limit=10000');
  expect(await continueSearch()).toBe(true);
  const added = await api('POST', '/partner/cardholders', newCardholder());
  for (const id of [newest, oldest]) {
    await control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
  }
  while (await continueSearch());
  const { body } = await search;
  expect(body).toHaveLength(MANY);
  expect(idsOf({ body })).not.toContain(added.body.id);
  expect([body[0], body.at(-1)]).toMatchObject([
    { id: newest, status: 'suspended' },
    { id: oldest, status: 'suspended' },
  ]);
});

test('a search during which the world is reset is a 409', async () => {
  const { control, continueSearch } = await startWithPauses();
  const search = control('GET', '/cardholders?q=in-no-record');
  expect(await continueSearch()).toBe(true);
  await control('POST', '/reset');
  await continueSearch();
  expect(await search).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining('was reset or stopped during the search; send the request again'),
    },
  });
});

test('cardholders are found by their whole id, email or externalUserId at once, however many there are', async () => {
  const { control } = await startWithPauses();
  const [oldest] = (await control('GET', `/cardholders?limit=1&offset=${MANY - 1}`)).body;
  for (const text of [oldest.id, oldest.email, oldest.externalUserId]) {
    const query = `q=${encodeURIComponent(text)}&limit=1`;
    expect((await control('GET', `/cardholders?${query}`)).body).toEqual([oldest]);
  }
});

test('an exact match comes first, before newer records that contain the text', async () => {
  const { api, control } = await startSandbox();
  for (const externalUserId of ['zed1', 'zed12', 'zed123']) {
    await api('POST', '/partner/cardholders', newCardholder({ externalUserId }));
  }
  const found = (await control('GET', '/cardholders?q=zed1')).body;
  expect(found.map(({ externalUserId }: Json) => externalUserId)).toEqual(['zed1', 'zed123', 'zed12']);
});

test('members that a list does not show are not searched', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 10 });
  for (const path of ['transactions', 'programs']) {
    expect((await control('GET', `/${path}`)).body).not.toEqual([]);
    expect((await control('GET', `/${path}?q=partner_acme`)).body).toEqual([]);
  }
  await control('POST', '/share-tokens', { source: 'idp2' });
  expect((await control('GET', '/share-tokens?q=tok_&limit=1')).body).not.toMatchObject([{ source: 'idp2' }]);
});

test('a search finds the records that contain the text, and no others', async () => {
  const { control, origin } = await startSandbox({ fixtures: ['starter'] });
  const paths = ['cardholders', 'cards', 'transactions', 'programs', 'kyc-sessions', 'share-tokens'];
  const lists = new Map<string, Json[]>();
  for (const path of paths) lists.set(path, (await control('GET', `/${path}?limit=10000`)).body);
  const stringsOf = (value: unknown): string[] =>
    typeof value === 'string'
      ? // The origin of a link depends on who asks, and is not searched.
        [value.replace(origin, '').toLowerCase()]
      : Object.values(value ?? {}).flatMap(nested => (typeof nested === 'number' ? [] : stringsOf(nested)));
  const pieces = [...new Set([...lists.values()].flat().flatMap(stringsOf))];
  // A row shows the full name of a person, which no field has.
  const shown = (path: string, row: Json) => {
    const person = path === 'cardholders' ? row : path === 'share-tokens' ? row.identity : null;
    const name = person === null ? [] : [`${person.firstName} ${person.lastName}`.toLowerCase()];
    return [...stringsOf(row), ...name];
  };
  const text = fc
    .tuple(fc.constantFrom(...pieces), fc.nat(20), fc.integer({ min: 1, max: 20 }))
    .map(([piece, from, length]) => piece.slice(from % piece.length, (from % piece.length) + length));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), text, async (path, wanted) => {
      const query = `q=${encodeURIComponent(wanted.toUpperCase())}&limit=10000`;
      const expected = (lists.get(path) ?? []).filter(row =>
        shown(path, row).some(each => each.includes(wanted)),
      );
      expect((await control('GET', `/${path}?${query}`)).body).toEqual(expected);
    }),
    { numRuns: 150, seed: 16 },
  );
});
