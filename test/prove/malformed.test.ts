import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { namesIn } from '../support/inputs.ts';
import { measured, patience, size } from '../support/processes/size.ts';
import { Attack } from './attack.ts';
import { jsonTexts, naughtyStrings } from './collections.ts';
import { type Odd, placesIn } from './odd.ts';
import { startTarget, type Target } from './target.ts';

/** What is refused anyhow: a world that was just restored has no journal and no faults, and this sandbox no state file. */
const ALWAYS_REFUSED = ['requests.get', 'faults.remove', 'state.save'];
/** Every place of a body, or, in short, some of them. */
const EACH_PLACE = size(5, 1);
const FINDING = 'no 5xx, no stack, no trace of what is refused';

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

test('what the odd requests depart from is good, for each operation', async () => {
  const target = await startTarget();
  const attack = new Attack(target);
  for (const operation of operations) {
    for (const body of target.bodiesFor(operation)) {
      await attack.restore();
      const status = await attack.send(operation, { body: JSON.stringify(body) });
      expect([operation.id, status < 300]).toEqual([operation.id, !ALWAYS_REFUSED.includes(operation.id)]);
    }
  }
});

/** The places that any request has: path, query, key, and the body as a whole. Null for a text that cannot stand there. */
function around({ path, query }: Operation): ((text: string) => Odd | null)[] {
  return [
    ...(path.includes('{') ? [(text: string) => ({ id: encode(text) })] : []),
    ...namesIn(query).map(name => (text: string) => ({ query: `?${name}=${encode(text)}` })),
    text => ({ query: `?${encode(text)}=${encode(text)}` }),
    text => {
      // As a client sends a header beyond Latin: its bytes in UTF-8.
      const key = Buffer.from(text).toString('latin1');
      // No header has another character; raw ones are sent by the tests of surfaces.
      return /^[\t\x20-\x7e\x80-\xff]*$/.test(key) ? { key } : null;
    },
    text => ({ body: text }),
    text => ({ body: JSON.stringify(text) }),
  ];
}

/** Every text and string in every place of an operation's requests, made one after the other, place by place. */
function* oddities(
  operation: Operation,
  target: Target,
  texts: readonly string[],
  strings: readonly string[],
): Generator<Odd> {
  for (const write of around(operation)) {
    for (const text of [...texts, ...strings]) {
      const odd = write(text);
      if (odd !== null) yield odd;
    }
  }
  for (const good of target.bodiesFor(operation)) {
    const places = placesIn(operation.body, good);
    for (const write of places.filter((_, index) => index % EACH_PLACE === 0)) {
      for (const text of texts) yield { body: write(text) };
      for (const text of strings) yield { body: write(JSON.stringify(text)) };
    }
  }
}

test(
  'texts that parsers of JSON get wrong, and naughty strings, in every path, query, key, body and member of one',
  async context => {
    const target = await startTarget();
    const attack = new Attack(target);
    const [texts, strings] = [await jsonTexts(), await naughtyStrings()];
    for (const operation of operations) {
      await attack.on(operation, oddities(operation, target, texts, strings));
    }
    measured(
      context,
      `${texts.length} texts, ${strings.length} strings, ${attack.requests} requests: ${FINDING}`,
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
    const target = await startTarget();
    const attack = new Attack(target);
    const takesBody = operations.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
    for (const operation of takesBody) {
      for (const body of target.bodiesFor(operation)) {
        const good = Buffer.from(JSON.stringify(body));
        const mutated = fc
          .array(mutation, { minLength: 1, maxLength: 3 })
          .map(steps => ({ body: steps.reduce(mutate, good) }));
        await attack.on(operation, fc.sample(mutated, MUTATIONS));
      }
    }
    measured(context, `${MUTATIONS} of each of ${takesBody.length} bodies: ${FINDING}`);
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
