import fc from 'fast-check';
import { expect, test } from 'vitest';
import { destinationOf, forwardProblem, parseMapping } from '../../../src/sandbox/transport/destination.ts';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const mapping = (text: string) => {
  const parsed = parseMapping(text);
  if (parsed === null) throw new Error(`${text} is not a mapping`);
  return parsed;
};
const mapped = (url: string, ...texts: string[]) =>
  destinationOf(new URL(url), { forwardTo: null, map: texts.map(mapping) }).href;

test.each([
  ['https://h.test=http://127.0.0.1:3000', 'https://h.test/', 'http://127.0.0.1:3000/'],
  ['https://h.test=http://127.0.0.1:3000', 'https://h.test/a/b?c=d', 'http://127.0.0.1:3000/a/b?c=d'],
  ['https://h.test/=http://127.0.0.1:3000/', 'https://h.test/a', 'http://127.0.0.1:3000/a'],
  ['https://h.test=http://127.0.0.1:3000/in', 'https://h.test', 'http://127.0.0.1:3000/in'],
  ['https://h.test=http://127.0.0.1:3000/in', 'https://h.test/a', 'http://127.0.0.1:3000/in/a'],
  ['https://h.test=http://127.0.0.1:3000/in/', 'https://h.test/a', 'http://127.0.0.1:3000/in/a'],
  ['https://h.test/a=http://[::1]:3000/in', 'https://h.test/a', 'http://[::1]:3000/in'],
  ['https://h.test/a=http://[::1]:3000/in', 'https://h.test/a/', 'http://[::1]:3000/in/'],
  ['https://h.test/a=http://[::1]:3000/in', 'https://h.test/a?x=1', 'http://[::1]:3000/in?x=1'],
  ['https://h.test/a=b=http://[::1]:3000', 'https://h.test/a=b/c', 'http://[::1]:3000/c'],
  ['https://h.test:443=http://[::1]:3000', 'https://H.TEST/c', 'http://[::1]:3000/c'],
  [
    'https://h.test=http://[::1]:3000',
    'https://h.test//elsewhere.test/x',
    'http://[::1]:3000//elsewhere.test/x',
  ],
])('with --map %s a delivery to %s goes to %s', (map, url, expected) => {
  expect(mapped(url, map)).toBe(expected);
});

test.each([
  ['another scheme', 'http://h.test/a/b'],
  ['another port', 'https://h.test:8443/a/b'],
  ['another host', 'https://x.h.test/a/b'],
  ['a host that only begins alike', 'https://h.test.evil.test/a/b'],
  ['a path that only begins alike', 'https://h.test/ab'],
  ['a path above', 'https://h.test/'],
  ['a path that leaves again', 'https://h.test/a/../b'],
])('a mapping leaves %s alone', (_, url) => {
  expect(mapped(url, 'https://h.test/a=http://127.0.0.1:3000')).toBe(new URL(url).href);
});

test('the first mapping that matches applies', () => {
  const maps = ['https://h.test/a=http://127.0.0.1:1', 'https://h.test=http://127.0.0.1:2'];
  expect(mapped('https://h.test/a/x', ...maps)).toBe('http://127.0.0.1:1/x');
  expect(mapped('https://h.test/b/x', ...maps)).toBe('http://127.0.0.1:2/b/x');
});

/** None is a name that begins with a dot: after one, Node.js 20 does not resolve `.` and `..` in a URL. */
const segment = fc
  .string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'ab/.%=?é ') })
  .filter(text => !/^\.+[^.]/.test(text));
const path = fc.array(segment.map(encodeURIComponent), { maxLength: 4 }).map(parts => `/${parts.join('/')}`);
const query = fc.option(
  segment.map(text => `?q=${encodeURIComponent(text)}`),
  { nil: '' },
);

test('for any paths, what is below the left side lands at the same place below the right side', () => {
  fc.assert(
    fc.property(path, path, path, query, (left, right, below, search) => {
      const from = new URL(`https://h.test${left}`).href;
      const to = new URL(`http://127.0.0.1:3000${right}`).href;
      const base = from.replace(/\/$/, '');
      const url = new URL(base + below + search);
      fc.pre(url.href.startsWith(`${base}/`));
      const moved = mapped(url.href, `${from}=${to}`);
      const rest = url.href.slice(base.length);
      const isBase = url.pathname === new URL(from).pathname;
      expect(moved).toBe(isBase ? to + search : to.replace(/\/$/, '') + rest);
    }),
  );
});

test.each([
  '',
  'https://h.test',
  '=http://127.0.0.1',
  'https://h.test=',
  'https://h.test=127.0.0.1:3000',
  'h.test=http://127.0.0.1:3000',
  'https://h.test=ftp://127.0.0.1',
  'https://h.test=http://user@127.0.0.1',
  'https://u:p@h.test=http://127.0.0.1',
  'https://h.test?a=b=http://127.0.0.1',
  'https://h.test=http://127.0.0.1?a=b',
  'https://h.test#a=http://127.0.0.1',
  'https://h.test = http://127.0.0.1',
])('%j is not a mapping', text => {
  expect(parseMapping(text)).toBeNull();
});

test('forwardTo takes precedence over mappings, and the outcome names it', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const forwardTo = `${receiver.url}?from=sandbox`;
  const map = [mapping('https://h.test=http://127.0.0.1:9')];
  const transport = transportWith({ forwardTo, map });
  for (const url of ['https://h.test/a', 'https://elsewhere.test/b?c']) {
    expect(await post(transport, url)).toMatchObject({ url: forwardTo, status: 200, cause: null });
  }
  expect(receiver.requests.map(text => text.split('\r\n')[0])).toEqual(
    Array(2).fill('POST /hook?from=sandbox HTTP/1.1'),
  );
});

test('a mapped delivery keeps its body and headers, and the outcome names its URL', async () => {
  const receiver = await receive(socket => socket.write(answerOf(202, 'thanks')));
  const transport = transportWith({ map: [mapping(`https://h.test=http://127.0.0.1:${receiver.port}`)] });
  const outcome = await post(transport, 'https://h.test/in?a=b');
  const url = `http://127.0.0.1:${receiver.port}/in?a=b`;
  expect(outcome).toMatchObject({ url, status: 202, body: 'thanks', cause: null });
  const [head = '', body = ''] = receiver.requests[0]?.split('\r\n\r\n') ?? [];
  expect(head).toContain('POST /in?a=b HTTP/1.1');
  expect(head).toContain('content-type: application/json');
  expect(head).toContain('content-length: 10');
  expect(Buffer.from(body, 'latin1').toString()).toBe('{"a":"ü"}');
});

test.each([
  ['ftp://127.0.0.1/', 'must be an absolute http:// or https:// URL'],
  ['127.0.0.1:3000', 'must be an absolute http:// or https:// URL'],
  ['http://u:p@127.0.0.1:3000', 'must not hold a user name or password'],
  ['http://127.0.0.1:3000/hooks?a=b', null],
])('as a URL to forward to, %s has the problem %j', (url, problem) => {
  expect(forwardProblem(url)).toBe(problem);
});
