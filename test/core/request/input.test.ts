import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ApiRequest } from '../../../src/core/request/http.ts';
import { MAX_BODY_BYTES } from '../../../src/core/request/http.ts';
import { check, parseBody, readBody, readQuery } from '../../../src/core/request/input.ts';

const requestWith = (body: string | Uint8Array, headers: ApiRequest['headers'] = {}): ApiRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(body),
  remoteAddress: '127.0.0.1',
});

test('a body is read up to the maximum size, and its declared length is checked too', () => {
  expect(readBody(requestWith('x'.repeat(MAX_BODY_BYTES)))).toHaveLength(MAX_BODY_BYTES);
  const tooLong = 'body: must be at most 1048576 bytes (1 MiB)';
  expect(() => readBody(requestWith('x'.repeat(MAX_BODY_BYTES + 1)))).toThrow(tooLong);
  expect(() => readBody(requestWith('{}', { 'content-length': String(MAX_BODY_BYTES + 1) }))).toThrow(
    tooLong,
  );
  expect(readBody(requestWith('{}', { 'content-length': String(MAX_BODY_BYTES) }))).toBe('{}');
});

test('a body must be JSON by content type, UTF-8 and uncompressed; an empty one can be anything', () => {
  expect(readBody(requestWith('', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }))).toBe('');
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/problem+json']) {
    expect(readBody(requestWith('{}', { 'content-type': type }))).toBe('{}');
  }
  const isNot = (type: string) => `header Content-Type: must be application/json, is ${JSON.stringify(type)}`;
  for (const type of ['text/plain', 'application/jsonp', 'xapplication/json', 'application/+json']) {
    expect(() => readBody(requestWith('{}', { 'content-type': type }))).toThrow(isNot(type));
  }
  expect(() => readBody(requestWith('{}', { 'content-type': undefined }))).toThrow(
    'header Content-Type: must be application/json, is missing',
  );
  expect(readBody(requestWith('{}', { 'content-encoding': 'identity' }))).toBe('{}');
  expect(() => readBody(requestWith('{}', { 'content-encoding': 'gzip' }))).toThrow(
    'header Content-Encoding: "gzip" is not supported; send the body uncompressed',
  );
  expect(() => readBody(requestWith(Uint8Array.of(0x22, 0xff, 0x22)))).toThrow('body: must be UTF-8');
});

test('a body must be a JSON object, and an empty text is an empty object', () => {
  expect(parseBody('')).toEqual({});
  expect(parseBody('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '1', '"{}"']) {
    expect(() => parseBody(text)).toThrow('body: must be a JSON object');
  }
});

test('the message for invalid JSON has the position, never the text', () => {
  expect(() => parseBody('{"secret":1234,}')).toThrow(/^body: is not valid JSON \(at character 15\)$/);
  expect(() => parseBody('{"secret')).toThrow(/^body: is not valid JSON( \(at character \d+\))?$/);
});

test('a lone surrogate is refused in every position, a surrogate pair is accepted', () => {
  const message = 'body: contains a lone surrogate';
  const texts = [
    String.raw`{"a":"\ud800"}`,
    String.raw`{"\uDC00":1}`,
    String.raw`{"a":[0,{"b":["x\udBFFx"]}]}`,
  ];
  for (const text of texts) expect(() => parseBody(text)).toThrow(message);
  expect(parseBody(String.raw`{"a":["\ud83d\ude00",null,true,1]}`)).toEqual({ a: ['😀', null, true, 1] });
});

test('brackets in texts do not count as nested', () => {
  const text = JSON.stringify({ a: String.raw`"\"[`.repeat(200), b: '{'.repeat(200) });
  expect(parseBody(text)).toEqual(JSON.parse(text));
});

test('a known parameter must be given once, an unknown one can be repeated', () => {
  const schema = z.object({ page: z.string().optional() });
  expect(readQuery('', schema)).toEqual({});
  expect(readQuery('page=1&x=1&x=2', schema)).toEqual({ page: '1', x: '2' });
  expect(() => readQuery('page=1&page=1', schema)).toThrow('query.page: must be given once, is repeated');
  expect(readQuery('page=1&page=2', z.unknown())).toEqual({ page: '2' });
});

test('of many problems, 20 are reported and the rest are counted', () => {
  const numbers = z.object({ list: z.array(z.number()) });
  expect(check(numbers, { list: [1] }, 'body')).toEqual({ list: [1] });
  const problems = (count: number) =>
    Array.from({ length: count }, (_, index) => `query.list.${index}: must be a number`).join('; ');
  const bad = (count: number) => () => check(numbers, { list: Array(count).fill('x') }, 'query');
  const only = (message: string) => expect.objectContaining({ message });
  expect(bad(1)).toThrow(only(problems(1)));
  expect(bad(20)).toThrow(only(problems(20)));
  expect(bad(21)).toThrow(only(`${problems(20)}; … and 1 more`));
  expect(bad(45)).toThrow(only(`${problems(20)}; … and 25 more`));
});
