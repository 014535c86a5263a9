import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../../support/at-file-end.ts';
import { newCardholder } from '../../../support/sandbox.ts';
import { AUTHENTICATED, responseTo } from '../raw.ts';
import { type AttackTarget, expectSimpleError, startAttackTarget } from './attack-target.ts';

const LIMIT = 1024 * 1024;
const JSON_TYPE = 'application/json';

/** A POST with a body. */
function post(
  path: string,
  body: string | Buffer,
  lines: readonly string[] = [`Content-Type: ${JSON_TYPE}`],
) {
  const bytes = Buffer.from(body);
  const head = `POST ${path} HTTP/1.1\r\n${AUTHENTICATED}${lines.map(line => `${line}\r\n`).join('')}`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** A POST with a body in chunks of 64 KiB. */
function postChunked(path: string, body: string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\n${AUTHENTICATED}Content-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const parts = [head];
  for (let start = 0; start < body.length; start += 65_536) {
    const chunk = body.slice(start, start + 65_536);
    parts.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return Buffer.from(`${parts.join('')}0\r\n\r\n`);
}

const nested = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);
const DEEP = { list: nested('[', ']'), object: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` };
const person = () => JSON.stringify(newCardholder()).slice(1);

/** A body that would create a cardholder without its last member, which overrides the one before it. */
const personBut = (member: string) => `${JSON.stringify(newCardholder()).slice(0, -1)},${member}}`;

/** For requests that change nothing. */
let shared: AttackTarget;
const atEnd = atFileEnd();
beforeAll(async () => {
  shared = await startAttackTarget(atEnd);
});

test.each<[string, string | Buffer]>([
  ['an array', '[]'],
  ['an array of objects', '[{}]'],
  ['a text', '"text"'],
  ['a number', '1'],
  ['null', 'null'],
  ['true', 'true'],
  ['only a space', ' '],
  ['half an object', '{"a":'],
  ['two objects', '{}{}'],
  ['a comment', '{/* */}'],
  ['a byte order mark before it', '\ufeff{}'],
  ['a NUL', '{"a":"\u0000"}'],
  ['bytes that are not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')],
  ['an overlong encoding', Buffer.from('7b2261223a22c080227d', 'hex')],
  ['a surrogate in UTF-8', Buffer.from('7b2261223a22eda080227d', 'hex')],
  ['a lone surrogate, escaped', '{"x":"\\ud800"}'],
  ['a lone surrogate in a name', '{"\\uDC00":1}'],
  ['a nested lone surrogate', '{"x":[{"y":["\\ud83d"]}]}'],
  ['a lone surrogate below 50,000 arrays', `{"x":${'['.repeat(50_000)}"\\ud800"${']'.repeat(50_000)}}`],
  ['50,000 opening brackets', '['.repeat(50_000)],
  ['50,000 nested arrays', DEEP.list],
])('a body that is or contains %s is a 400, even where all members are optional', async (_what, body) => {
  const { origin, expectUnharmed } = shared;
  expect((await responseTo(origin, post('/v1/partner/kyc-sessions', '{}'))).status).toBe(201);
  expectSimpleError(await responseTo(origin, post('/v1/partner/kyc-sessions', body)), 400);
  expectSimpleError(await responseTo(origin, post('/_sandbox/share-tokens', body)), 400);
  await expectUnharmed();
});

test.each([
  ['50,000 arrays in a known field', `"email":${DEEP.list}`],
  ['50,000 objects in a known field', `"externalUserId":${DEEP.object}`],
  ['50,000 objects in the discriminator', `"kycSource":${DEEP.object}`],
  ['50,000 arrays in an unknown field', `"x":${DEEP.list}`],
  ['50,000 objects in an unknown field', `"x":${DEEP.object}`],
  ['a number out of range', '"externalUserId":1e999'],
  ['null', '"phoneNumber":null'],
  ['an e-mail address of a million characters', `"email":"${'a'.repeat(1_000_000)}@"`],
  ['an e-mail address of half a million dots', `"email":"a@${'a.'.repeat(500_000)}"`],
  ['a duplicate name whose last value is invalid', '"email":"nobody@example.com","email":1'],
])('a body that is valid except for %s is a 400', async (_what, member) => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, post('/v1/partner/cardholders', personBut(member))), 400);
  await expectUnharmed();
});

test('a missing body is a 400 that names the missing fields', async () => {
  const { origin, expectUnharmed } = shared;
  const answer = await responseTo(origin, post('/v1/partner/cards', ''));
  expectSimpleError(answer, 400);
  expect(answer.text).toContain('body.cardholderId: is required');
  await expectUnharmed();
});

test.each([
  ['__proto__', '{"__proto__":{"status":"closed","isAdmin":true},'],
  ['constructor', '{"constructor":{"prototype":{"isAdmin":true}},'],
  ['a number out of range in an unknown field', '{"x":1e999,'],
  ['a surrogate pair, escaped', '{"residenceCity":"\\ud83d\\ude00",'],
  ['a duplicate name whose last value counts', '{"email":1,'],
])('a body with %s changes only what it requests', async (_what, head) => {
  const { origin, api } = await startAttackTarget();
  const answer = await responseTo(origin, post('/v1/partner/cardholders', head + person()));
  expect(answer.status).toBe(201);
  const created = JSON.parse(answer.text);
  expect(Object.keys(created)).toHaveLength(10);
  expect(created).toMatchObject({ status: 'active', kycStatus: 'pending' });
  expect((await api('GET', `/partner/cardholders/${created.id}`)).body).toEqual(created);
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
});

test('a body of 1 MiB is read and one more byte is refused, with a length or in chunks', async () => {
  const { origin, expectUnharmed } = shared;
  const body = (length: number) => `{"x":"${'y'.repeat(length - 8)}"}`;
  const path = '/v1/partner/cards/card_nothing/freeze';
  for (const send of [post, postChunked]) {
    const whole = await responseTo(origin, send(path, body(LIMIT)));
    expectSimpleError(whole, 404);
    expect(whole.text).toContain('no card with id');
    const long = await responseTo(origin, send(path, body(LIMIT + 1)));
    expectSimpleError(long, 400);
    expect(long.text).toContain('body: must be at most 1048576 bytes (1 MiB)');
    expectSimpleError(await responseTo(origin, send(path, body(2 * LIMIT))), 400);
    expectSimpleError(await responseTo(origin, send('/_sandbox/clock/advance', body(2 * LIMIT))), 400);
  }
  await expectUnharmed();
});

test('a length over the limit is refused before the body arrives', async () => {
  const { origin, expectUnharmed } = shared;
  const head = `POST /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}Content-Type: ${JSON_TYPE}\r\n`;
  const announced = await responseTo(origin, `${head}Content-Length: 9007199254740991\r\n\r\n{`);
  expectSimpleError(announced, 400);
  await expectUnharmed();
});

test.each([
  ['no content type', []],
  ['text/plain', ['Content-Type: text/plain']],
  ['a form', ['Content-Type: application/x-www-form-urlencoded']],
  ['a type that only ends in json', ['Content-Type: application/notjson']],
  ['a type that only starts with json', ['Content-Type: application/jsonp']],
  ['an empty content type', ['Content-Type: ']],
  ['gzip', [`Content-Type: ${JSON_TYPE}`, 'Content-Encoding: gzip']],
])('a body sent as %s is a 400 that names the header', async (_what, lines) => {
  const { origin, expectUnharmed } = shared;
  const text = JSON.stringify(newCardholder());
  const body = lines.length === 2 ? gzipSync(text) : text;
  const answer = await responseTo(origin, post('/v1/partner/cardholders', body, lines));
  expectSimpleError(answer, 400);
  expect(answer.text).toMatch(/header Content-(Type|Encoding): /);
  await expectUnharmed();
});

test.each([
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json ;charset=UTF-8',
  'application/problem+json',
])('a body sent as %s is read', async type => {
  const { origin } = await startAttackTarget();
  const body = JSON.stringify(newCardholder());
  const answer = await responseTo(origin, post('/v1/partner/cardholders', body, [`Content-Type: ${type}`]));
  expect(answer.status).toBe(201);
});

test('a GET may have a body: an object is ignored, anything else is refused', async () => {
  const { origin, expectUnharmed } = shared;
  const send = (body: string) => {
    const bytes = post('/v1/partner/cards', body).toString().replace('POST', 'GET');
    return responseTo(origin, bytes);
  };
  expect((await send('{"status":"active"}')).status).toBe(200);
  expectSimpleError(await send('['), 400);
  await expectUnharmed();
});
