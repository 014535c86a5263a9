import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ApiRequest } from '../../../src/kernel/request/http.ts';
import { check, MAX_BODY_BYTES, parseBody, readBody, readQuery } from '../../../src/kernel/request/input.ts';

const sent = (body: string | Uint8Array, headers: ApiRequest['headers'] = {}): ApiRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(body),
  remoteAddress: '127.0.0.1',
});

test('a body is read up to the largest size, whatever length it is said to have', () => {
  expect(readBody(sent('x'.repeat(MAX_BODY_BYTES)))).toHaveLength(MAX_BODY_BYTES);
  const tooLong = 'body: must be at most 1048576 bytes (1 MiB)';
  expect(() => readBody(sent('x'.repeat(MAX_BODY_BYTES + 1)))).toThrow(tooLong);
  expect(() => readBody(sent('{}', { 'content-length': String(MAX_BODY_BYTES + 1) }))).toThrow(tooLong);
  expect(() => readBody(sent('{}', { 'content-length': '6291457' }), 6 * MAX_BODY_BYTES)).toThrow('(6 MiB)');
  expect(readBody(sent('{}', { 'content-length': String(MAX_BODY_BYTES) }))).toBe('{}');
});

test('a body is JSON by name, in UTF-8 and uncompressed; an empty one may be anything', () => {
  expect(readBody(sent('', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }))).toBe('');
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/problem+json']) {
    expect(readBody(sent('{}', { 'content-type': type }))).toBe('{}');
  }
  const isNot = (type: string) => `header Content-Type: must be application/json, is ${JSON.stringify(type)}`;
  for (const type of ['text/plain', 'application/jsonp', 'xapplication/json', 'application/+json']) {
    expect(() => readBody(sent('{}', { 'content-type': type }))).toThrow(isNot(type));
  }
  expect(() => readBody(sent('{}', { 'content-type': undefined }))).toThrow(isNot('absent'));
  expect(readBody(sent('{}', { 'content-encoding': 'identity' }))).toBe('{}');
  expect(() => readBody(sent('{}', { 'content-encoding': 'gzip' }))).toThrow(
    'header Content-Encoding: "gzip" is not supported; send the body uncompressed',
  );
  expect(() => readBody(sent(Uint8Array.of(0x22, 0xff, 0x22)))).toThrow('body: must be UTF-8');
});

test('a body stands for an object, and no text for an empty one', () => {
  expect(parseBody('')).toEqual({});
  expect(parseBody('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '1', '"{}"']) {
    expect(() => parseBody(text)).toThrow('body: must be a JSON object');
  }
});

test('broken JSON is told by its place, never by its text', () => {
  expect(() => parseBody('{"secret":1234,}')).toThrow(/^body: is not valid JSON \(at character 15\)$/);
  expect(() => parseBody('{"secret')).toThrow(/^body: is not valid JSON( \(at character \d+\))?$/);
});

test('half a surrogate pair is refused wherever it stands, and a whole one is not', () => {
  const half = 'body: contains a lone surrogate';
  const texts = [
    String.raw`{"a":"\ud800"}`,
    String.raw`{"\uDC00":1}`,
    String.raw`{"a":[0,{"b":["x\udBFFx"]}]}`,
  ];
  for (const text of texts) expect(() => parseBody(text)).toThrow(half);
  expect(parseBody(String.raw`{"a":["\ud83d\ude00",null,true,1]}`)).toEqual({ a: ['😀', null, true, 1] });
});

test('a parameter that is known is given once, others as often as anybody likes', () => {
  const schema = z.object({ page: z.string().optional() });
  expect(readQuery('', schema)).toEqual({});
  expect(readQuery('page=1&x=1&x=2', schema)).toEqual({ page: '1', x: '2' });
  expect(() => readQuery('page=1&page=1', schema)).toThrow('query.page: must be given once, is repeated');
  expect(readQuery('page=1&page=2', z.unknown())).toEqual({ page: '2' });
});

test('of many problems twenty are told, and how many more there are', () => {
  const numbers = z.object({ list: z.array(z.number()) });
  expect(check(numbers, { list: [1] }, 'body')).toEqual({ list: [1] });
  const told = (count: number) =>
    Array.from({ length: count }, (_, index) => `query.list.${index}: must be a number`).join('; ');
  const bad = (count: number) => () => check(numbers, { list: Array(count).fill('x') }, 'query');
  const only = (message: string) => expect.objectContaining({ message });
  expect(bad(1)).toThrow(only(told(1)));
  expect(bad(20)).toThrow(only(told(20)));
  expect(bad(21)).toThrow(only(`${told(20)}; and 1 more`));
  expect(bad(45)).toThrow(only(`${told(20)}; and 25 more`));
});
