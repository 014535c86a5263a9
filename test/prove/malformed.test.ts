import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/kernel/operation.ts';
import { operations } from '../../src/operations.ts';
import { FITTING, impatient, isStream, namesIn } from '../support/inputs.ts';
import { issued } from '../support/people.ts';
import { fakeReceiver } from '../support/receiver.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../support/sandbox.ts';
import { measured, patience, size } from '../support/size.ts';
import { jsonTexts, naughtyStrings } from './collections.ts';

/** One odd request for an operation: where it departs from a good one. */
interface Odd {
  readonly path?: string;
  readonly query?: string;
  readonly key?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const AT_ONCE = 8;
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const INSIDE = /node_modules|node:internal|\.[tj]s:\d|\bat \w+ \(/;

/** A sandbox with something of everything to harm, and the way to hold all of it against what it was. */
async function attacked() {
  const bugs: unknown[] = [];
  const sandbox = await startSandbox(
    { rateLimit: 0 },
    { onBug: error => bugs.push(error), realTime: impatient, transport: fakeReceiver().transport },
  );
  const card = await issued(sandbox);
  await sandbox.control('POST', '/transactions', { cardId: card.id, amount: 1 });
  await sandbox.control('POST', '/checkpoints/before');
  const tables = async () => {
    const response = await fetch(`${sandbox.origin}/_sandbox/state`);
    return JSON.parse(await response.text()).tables;
  };
  return { sandbox, bugs, tables, ids: { cardholderId: 'ch_none', cardId: card.id, id: card.id } };
}

/** Sends a request and looks at the answer: ours, of the right shape, and telling nothing of the inside. */
async function send(sandbox: TestSandbox, operation: Operation, odd: Odd): Promise<number> {
  const prefix = operation.plane === 'partner' ? '/v1' : '/_sandbox';
  const path = odd.path ?? operation.path.replace(/\{\w+\}/, 'some_id');
  const response = await fetch(`${sandbox.origin}${prefix}${path}${odd.query ?? ''}`, {
    method: operation.method,
    headers: { 'x-service-api-key': odd.key ?? ACME_KEY, 'content-type': 'application/json' },
    ...(odd.body === undefined || operation.method === 'GET' ? {} : { body: odd.body }),
  });
  if (isStream(response)) {
    await response.body?.cancel();
    return response.status;
  }
  const text = await response.text();
  if (response.status < 400) return response.status;
  const body = JSON.parse(text);
  const message = typeof body.error === 'string' ? body.error : body.error?.message;
  const isFine =
    response.status < 500 && body.success === false && typeof message === 'string' && !INSIDE.test(text);
  if (!isFine)
    throw new Error(`${operation.id} answered ${response.status} ${text} to ${JSON.stringify(odd)}`);
  return response.status;
}

/** Sends many; what is refused must leave no trace. Whatever is accepted is undone, and the rest is sent again. */
async function attack(
  given: Awaited<ReturnType<typeof attacked>>,
  operation: Operation,
  odds: readonly Odd[],
) {
  const { sandbox, bugs, tables } = given;
  const restore = () => fetch(`${sandbox.origin}/_sandbox/checkpoints/before/restore`, { method: 'POST' });
  let left = odds;
  for (let isClean = false; !isClean && left.length > 0; ) {
    await restore();
    const before = await tables();
    const refused: Odd[] = [];
    for (let start = 0; start < left.length; start += AT_ONCE) {
      const some = left.slice(start, start + AT_ONCE);
      const statuses = await Promise.all(some.map(odd => send(sandbox, operation, odd)));
      refused.push(...some.filter((_, index) => (statuses[index] ?? 0) >= 400));
    }
    isClean = refused.length === left.length || operation.method === 'GET';
    if (isClean) expect(await tables()).toEqual(before);
    left = refused;
  }
  expect(bugs).toEqual([]);
}

/** A body that the operation takes, as text, with one member replaced. */
function bodyWith({ body }: Operation, ids: object, name?: string, raw?: string): string {
  const given: Readonly<Record<string, unknown>> = { ...FITTING, ...ids };
  const members = namesIn(body)
    .filter(each => given[each] !== undefined && each !== name)
    .map(each => `${JSON.stringify(each)}:${JSON.stringify(given[each])}`);
  if (name !== undefined && raw !== undefined) members.push(`${JSON.stringify(name)}:${raw}`);
  return `{${members.join(',')}}`;
}

const takesBody = operations.filter(({ method }) => method !== 'GET' && method !== 'DELETE');

test(
  'texts that parsers of JSON get wrong, as the body and as every member of it',
  async context => {
    const given = await attacked();
    const texts = await jsonTexts();
    let requests = 0;
    for (const operation of takesBody) {
      const odds = texts.flatMap(text => [
        { body: text },
        ...namesIn(operation.body).map(name => ({ body: bodyWith(operation, given.ids, name, text) })),
      ]);
      requests += odds.length;
      await attack(given, operation, odds);
    }
    measured(
      context,
      `${texts.length} texts, ${requests} requests: no 5xx, no stack, no trace of what is refused`,
    );
  },
  patience(60_000),
);

test(
  'naughty strings in every path, query, key and member of a body',
  async context => {
    const given = await attacked();
    const strings = await naughtyStrings();
    let requests = 0;
    for (const operation of operations) {
      const odds = strings.flatMap((text): Odd[] => [
        // A segment of dots is taken out by the client before it is sent.
        ...(operation.path.includes('{') && !/^\.*$/.test(text)
          ? [{ path: operation.path.replace(/\{\w+\}/, encode(text)) }]
          : []),
        ...namesIn(operation.query).map(name => ({ query: `?${name}=${encode(text)}` })),
        { query: `?${encode(text)}=${encode(text)}` },
        // Headers take no other characters, and no client sends them.
        ...(/^[\t\x20-\x7e\x80-\xff]+$/.test(text) && text.trim() !== '' ? [{ key: text }] : []),
        { body: JSON.stringify(text) },
        ...namesIn(operation.body).map(name => ({
          body: bodyWith(operation, given.ids, name, JSON.stringify(text)),
        })),
      ]);
      requests += odds.length;
      await attack(given, operation, odds);
    }
    measured(
      context,
      `${strings.length} strings, ${requests} requests: no 5xx, no stack, no trace of what is refused`,
    );
  },
  patience(60_000),
);

const MUTATIONS = size(5, 500);
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'insert', 'replace', 'cut', 'double', 'swap'),
  place: fc.nat(10_000),
  byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0e-.u'))),
});

test(
  'bodies that are right but for a byte or two',
  async context => {
    const given = await attacked();
    for (const operation of takesBody) {
      const good = Buffer.from(bodyWith(operation, given.ids));
      const mutated = fc
        .array(mutation, { minLength: 1, maxLength: 3 })
        .map(steps => steps.reduce(mutate, good));
      const bodies = fc.sample(mutated, MUTATIONS).map(body => ({ body: new Uint8Array(body) }));
      await attack(given, operation, bodies);
    }
    measured(
      context,
      `${MUTATIONS} of each of ${takesBody.length} bodies: no 5xx, no stack, no trace of what is refused`,
    );
  },
  patience(60_000),
);

function mutate(bytes: Buffer, { kind, place, byte }: { kind: string; place: number; byte: number }): Buffer {
  const at = place % Math.max(1, bytes.length);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
  const own = bytes.subarray(at, at + 1);
  const parts: Readonly<Record<string, Buffer[]>> = {
    drop: [head, tail],
    insert: [head, Buffer.of(byte), own, tail],
    replace: [head, Buffer.of(byte), tail],
    cut: [head],
    double: [head, own, bytes.subarray(at)],
    swap: [head, tail.subarray(0, 1), own, tail.subarray(1)],
  };
  return Buffer.concat(parts[kind] ?? [bytes]);
}
