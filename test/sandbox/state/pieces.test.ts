import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
  ['cut off', (text: string) => text.slice(0, -200), /^body: is not valid JSON \(at character \d+\)$/],
  [
    'not JSON in its middle',
    (text: string) => text.replace('{"id":"ch_700"', '{"id":ch_700'),
    /^body: is not valid JSON/,
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
