import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSplitter } from '../../../src/sandbox/state/document/json-splitter.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { createCard } from '../../support/cardholders.ts';
import { type Json, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** Enough for a document that is neither sent nor received at once. */
const PEOPLE = 800;
const PIECE = 128 * 1024;

/** A large state: one of this sandbox, with a person many times. */
async function largeDocument({ control }: TestSandbox, people = PEOPLE): Promise<Json> {
  const { body } = await control('GET', '/state');
  const [person] = body.tables.cardholders;
  const others = Array.from({ length: people }, (_, i) => ({
    ...person,
    id: `ch_${i}`,
    email: `many_${i}@example.com`,
    externalUserId: `many_${i}`,
    hasCard: false,
  }));
  const cardholders = [...body.tables.cardholders, ...others];
  return {
    ...body,
    counts: { ...body.counts, cardholders: cardholders.length },
    tables: { ...body.tables, cardholders },
  };
}

async function largeSandbox(options = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ rateLimit: 0, ...options });
  await createCard(sandbox);
  await sandbox.control('PUT', '/state', await largeDocument(sandbox));
  return sandbox;
}

/** The document as JSON.stringify would write it, with one row per line. */
function expectedText({ tables, ...head }: Json): string {
  const lists = Object.entries<unknown[]>(tables).map(([name, rows]) => {
    const lines = rows.map(row => `\n    ${JSON.stringify(row)}`).join(',');
    return `\n  ${JSON.stringify(name)}: [${lines}${rows.length === 0 ? '' : '\n  '}]`;
  });
  return `${JSON.stringify(head).slice(0, -1)},"tables":{${lists.join(',')}\n}}\n`;
}

test('a document is the same bytes whether it is small or written in pieces, over HTTP and in the file', async () => {
  const file = await temporaryFile('world.json');
  const sandbox = await startSandbox({ state: file, rateLimit: 0 });
  const read = async () => {
    const response = await fetch(`${sandbox.origin}/_sandbox/state`);
    return { text: await response.text(), length: response.headers.get('content-length') };
  };
  const small = await read();
  expect(small.text).toBe(expectedText(JSON.parse(small.text)));
  expect(small.length).toBe(String(Buffer.byteLength(small.text)));
  await createCard(sandbox, {});
  await sandbox.api('POST', '/partner/cardholders', newCardholder({ email: 'größe@example.com' }));
  await sandbox.control('PUT', '/state', await largeDocument(sandbox));
  const large = await read();
  expect(large.text).toBe(expectedText(JSON.parse(large.text)));
  expect(large.length).toBeNull();
  const saved = await sandbox.control('POST', '/state/save');
  expect(saved.body).toEqual({ file, bytes: Buffer.byteLength(large.text) });
  expect(readFileSync(file, 'utf8')).toBe(large.text);
});

test('requests are answered while a state is exported, and the document has none of their changes', async () => {
  const sandbox = await largeSandbox();
  const before = (await sandbox.control('GET', '/state')).body;
  const response = await fetch(`${sandbox.origin}/_sandbox/state`);
  const { body: created } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/reset');
  expect(await response.json()).toEqual(before);
  expect(before.tables.cardholders.map(({ id }: Json) => id)).not.toContain(created.id);
});

test('a save holds one moment, and those that overlap are made one after the other', async () => {
  const file = await temporaryFile('world.json');
  const sandbox = await largeSandbox({ state: file });
  const save = () => sandbox.control('POST', '/state/save');
  const create = () => sandbox.api('POST', '/partner/cardholders', newCardholder());
  const first = save();
  const answers = await Promise.all([create(), save(), create(), save(), create()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200, 201]);
  await first;
  const { counts, tables }: Json = JSON.parse(readFileSync(file, 'utf8'));
  expect(counts.cardholders).toBe(tables.cardholders.length);
  expect((await save()).status).toBe(200);
  const text = await (await fetch(`${sandbox.origin}/_sandbox/state`)).text();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

/** Sends a state in pieces. `next` sends another piece; `end` ends the body; `answer` is the response. */
function sendState(origin: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const answer = fetch(`${origin}/_sandbox/state`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: readable,
    duplex: 'half',
  });
  const next = (text: string) => writer.write(Buffer.from(text));
  return { next, end: () => writer.close(), abort: () => writer.abort(new Error('gone')), answer };
}

test('requests are answered by the old world until the whole of a new one has arrived', async () => {
  const sandbox = await startSandbox();
  await createCard(sandbox);
  const text = JSON.stringify(await largeDocument(sandbox));
  const total = async () => (await sandbox.api('GET', '/partner/cardholders')).body.total;
  const sending = sendState(sandbox.origin);
  await sending.next(text.slice(0, PIECE));
  expect(await total()).toBe(1);
  await sending.next(text.slice(PIECE, -1));
  expect(await total()).toBe(1);
  await sending.next(text.slice(-1));
  await sending.end();
  expect((await sending.answer).status).toBe(204);
  expect(await total()).toBe(PEOPLE + 1);
});

test.each([
  ['cut off', (text: string) => text.slice(0, -200), /^body: is not valid JSON$/],
  [
    'not JSON in its middle',
    (text: string) => text.replace('{"id":"ch_700"', '{"id":ch_700'),
    /is not valid JSON \(at character \d+\)/,
  ],
  [
    'invalid in its last row',
    (text: string) => text.replace('"ch_799"', '"ch_798"'),
    /^body: tables\.cardholders\[800\] \(ch_798\): id: is taken by another cardholder$/,
  ],
  [
    'invalid in every row',
    (text: string) => text.replaceAll('"pending"', '"gone"').replaceAll('"approved"', '"gone"'),
    /^(body: |; )?.*; … and more$/,
  ],
])('a state in pieces that is %s is a 400 and changes nothing', async (_what, spoil, error) => {
  const sandbox = await startSandbox();
  await createCard(sandbox);
  const before = (await sandbox.control('GET', '/state')).body;
  const text = spoil(JSON.stringify(await largeDocument(sandbox)));
  const sending = sendState(sandbox.origin);
  for (let at = 0; at < text.length; at += PIECE) await sending.next(text.slice(at, at + PIECE));
  await sending.end();
  const response = await sending.answer;
  expect(response.status).toBe(400);
  const { error: message }: Json = await response.json();
  expect(message).toMatch(error);
  expect((await sandbox.control('GET', '/state')).body).toEqual(before);
});

test('a client that goes away in the middle of its state changes nothing, and the next state is loaded', async () => {
  const sandbox = await startSandbox();
  await createCard(sandbox);
  const { body: before } = await sandbox.control('GET', '/state');
  const text = JSON.stringify(await largeDocument(sandbox));
  const sending = sendState(sandbox.origin);
  await sending.next(text.slice(0, PIECE));
  const failed = expect(sending.answer).rejects.toThrow();
  await sending.abort().catch(() => undefined);
  await failed;
  expect((await sandbox.control('GET', '/state')).body).toEqual(before);
  expect((await sandbox.control('PUT', '/state', text)).status).toBe(204);
});

/** What a splitter passes on of a text in pieces, put together again; undefined for a text that it refuses. */
function putTogether(pieces: readonly Uint8Array[]): unknown {
  const root: { value?: Json } = {};
  const place = (path: readonly (string | number)[], value: unknown) => {
    let parent: Json = root;
    for (const [level, step] of ['value', ...path].entries()) {
      if (level === path.length) {
        Object.defineProperty(parent, step, { value, enumerable: true, configurable: true, writable: true });
      } else parent = parent[step];
    }
  };
  const splitter = new JsonSplitter({
    enters(path, isList) {
      if (path.length > 2) return false;
      place(path, isList ? [] : {});
      return true;
    },
    value: place,
  });
  try {
    for (const piece of pieces) splitter.write(piece);
    splitter.end();
    return root.value;
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Cuts bytes at these places. */
function cut(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const ends = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const spaced = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, '\t', '\n'))
  .map(([text, space]) => JSON.stringify(JSON.parse(text), null, space));

test('any JSON text is split into the values that JSON.parse sees, wherever it is cut', () => {
  fc.assert(
    fc.property(spaced, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
      expect(putTogether(cut(text, places))).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('any text with one change is accepted where JSON.parse accepts it, and refused where it does not', () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom('', ...'{}[],:"0 tn\\x'), fc.boolean());
  fc.assert(
    fc.property(
      spaced,
      change,
      fc.array(fc.nat(), { maxLength: 4 }),
      (text, [at, by, isReplaced], places) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + by + text.slice(isReplaced ? place + 1 : place);
        // A repeated member replaces the one before it in both, but may have been split.
        expect(putTogether(cut(changed, places)) === undefined).toBe(parsed(changed) === undefined);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{,}', 1],
  ['{"a":}', 5],
  ['{"a":,', 5],
  ['{"a"::', 5],
  ['{"a":1]', 6],
  ['{"a":1}x', 7],
  ['{ \t\r\n"a" : 1, b', 14],
  ['{"größe":1,b', 11],
  ['{"clock":{"timers":[1 2]}}', 22],
])('the text %j is refused with the place of what is wrong, wherever it is cut', async (text, place) => {
  const { control } = await startSandbox();
  const refused = await control('PUT', '/state', text);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: `body: is not valid JSON (at character ${place})` },
  });
  for (let at = 0; at < text.length; at++) {
    const splitter = new JsonSplitter({ enters: path => path.length < 2, value: () => undefined });
    const read = () => {
      for (const piece of cut(text, [at])) splitter.write(piece);
      splitter.end();
    };
    expect(read).toThrow(`(at character ${place})`);
  }
});

test.each([
  [Buffer.from([0x22, 0xff, 0x22]), 'must be UTF-8'],
  [Buffer.from('"\\ud800"'), 'contains a lone surrogate, which is not a character; send whole characters'],
])('a text of %j is refused in words', (bytes, message) => {
  const splitter = new JsonSplitter({ enters: () => false, value: () => undefined });
  expect(() => splitter.write(bytes)).toThrow(message);
});

test('both halves of a character may be escaped', () => {
  const values: unknown[] = [];
  const splitter = new JsonSplitter({ enters: () => false, value: (_path, value) => values.push(value) });
  splitter.write(Buffer.from('"\\ud83d\\ude00"'));
  splitter.end();
  expect(values).toEqual(['😀']);
});
