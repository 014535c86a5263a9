import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { fieldNamesOf } from '../support/operation-inputs.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';
import { type FuzzTarget, startFuzzTarget } from './fuzz-target.ts';
import { Fuzzer } from './fuzzer.ts';
import { jsonTexts, naughtyStrings } from './input-collections.ts';
import { type MalformedRequest, memberWriters } from './malformed-request.ts';

/**
 * Operations that are always refused: a restored world has no journal and no faults, there is no state file, `main`
 * never ends, and the process is that of the tests.
 */
const ALWAYS_REFUSED = ['requests.get', 'faults.remove', 'state.save', 'worlds.remove', 'stop'];
/** In the short run only some members of a body are tested. */
const MEMBER_STEP = size(18, 1);
/** Of a body with more members than this, each member is tested with some of the texts, and each text in some members. */
const MAX_MEMBERS = 20;
const RESULT = 'no 5xx, no stack trace, no effect of a refused request';

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

test('the valid requests that malformed ones are derived from succeed, for each operation', async () => {
  const target = await startFuzzTarget();
  const fuzzer = new Fuzzer(target);
  for (const operation of operations) {
    for (const body of target.bodiesFor(operation)) {
      await fuzzer.restore();
      const status = await fuzzer.send(operation, { body: JSON.stringify(body) });
      expect([operation.id, status < 300]).toEqual([operation.id, !ALWAYS_REFUSED.includes(operation.id)]);
    }
  }
});

/** Writers of a text into the path, the query, the key and the whole body; they return null when that is impossible. */
function requestWriters({ path, query }: Operation): ((text: string) => MalformedRequest | null)[] {
  return [
    ...(path.includes('{') ? [(text: string) => ({ id: encode(text) })] : []),
    ...fieldNamesOf(query).map(name => (text: string) => ({ query: `?${name}=${encode(text)}` })),
    text => ({ query: `?${encode(text)}=${encode(text)}` }),
    text => {
      // Clients send non-Latin header values as UTF-8 bytes.
      const key = Buffer.from(text).toString('latin1');
      // Clients cannot send other characters; tests on raw sockets do.
      return /^[\t\x20-\x7e\x80-\xff]*$/.test(key) ? { key } : null;
    },
    text => ({ body: text }),
    text => ({ body: JSON.stringify(text) }),
  ];
}

/** Requests with every text and string in every position of an operation's requests. */
function* malformedRequests(
  operation: Operation,
  target: FuzzTarget,
  texts: readonly string[],
  strings: readonly string[],
): Generator<MalformedRequest> {
  for (const write of requestWriters(operation)) {
    for (const text of [...texts, ...strings]) {
      const request = write(text);
      if (request !== null) yield request;
    }
  }
  for (const validBody of target.bodiesFor(operation)) {
    const writers = memberWriters(operation.body, validBody).filter((_, index) => index % MEMBER_STEP === 0);
    const values = [...texts, ...strings.map(text => JSON.stringify(text))];
    const step = Math.ceil(writers.length / MAX_MEMBERS);
    for (const [member, write] of writers.entries()) {
      for (const value of values.filter((_, index) => index % step === member % step))
        yield { body: write(value) };
    }
  }
}

test(
  'malformed JSON texts and naughty strings in every path, query, key, body and body member are handled',
  async context => {
    const target = await startFuzzTarget();
    const fuzzer = new Fuzzer(target);
    const [texts, strings] = [await jsonTexts(), await naughtyStrings()];
    for (const operation of operations) {
      await fuzzer.run(operation, malformedRequests(operation, target, texts, strings));
    }
    recordResult(
      context,
      `${texts.length} texts, ${strings.length} strings, ${fuzzer.requests} requests: ${RESULT}`,
    );
  },
  PROOF_TIMEOUT_MS,
);

const MUTATIONS = size(3, 50);
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'insert', 'replace', 'cut', 'double', 'swap'),
  offset: fc.nat(10_000),
  byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0e-.u'))),
});

test(
  'valid bodies with a few mutated bytes are handled',
  async context => {
    const target = await startFuzzTarget();
    const fuzzer = new Fuzzer(target);
    const takesBody = operations.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
    for (const operation of takesBody) {
      for (const body of target.bodiesFor(operation)) {
        const valid = Buffer.from(JSON.stringify(body));
        const mutated = fc
          .array(mutation, { minLength: 1, maxLength: 3 })
          .map(steps => ({ body: steps.reduce(mutate, valid) }));
        await fuzzer.run(operation, fc.sample(mutated, MUTATIONS));
      }
    }
    recordResult(context, `${MUTATIONS} of each of ${takesBody.length} bodies: ${RESULT}`);
  },
  PROOF_TIMEOUT_MS,
);

function mutate(
  bytes: Buffer,
  { kind, offset, byte }: { kind: string; offset: number; byte: number },
): Buffer {
  const at = offset % Math.max(1, bytes.length);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
  const current = bytes.subarray(at, at + 1);
  const parts: Readonly<Record<string, Buffer[]>> = {
    drop: [head, tail],
    insert: [head, Buffer.of(byte), current, tail],
    replace: [head, Buffer.of(byte), tail],
    cut: [head],
    double: [head, current, bytes.subarray(at)],
    swap: [head, tail.subarray(0, 1), current, tail.subarray(1)],
  };
  return Buffer.concat(parts[kind] ?? [bytes]);
}
