import { request } from 'undici';
import { expect, test } from 'vitest';
import { ACME_KEY, type Json, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { playAwkwardStory } from './support/awkward-story.ts';
import { harProblems } from './support/har-problems.ts';

const CLOCK = '2026-03-01T12:00:00.000Z';
const frozen = () => startSandbox({ fixtures: ['starter'], clock: CLOCK, freeze: true });

async function exported({ origin }: TestSandbox): Promise<Json> {
  return (await fetch(`${origin}/_sandbox/history/export?format=har`)).json();
}

const headerOf = (headers: Json, name: string) =>
  headers.find((each: Json) => each.name.toLowerCase() === name)?.value;

test('a HAR document has the members that version 1.2 requires', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await playAwkwardStory(sandbox);
  const har = await exported(sandbox);
  expect(harProblems(har)).toEqual([]);
  expect(har.log.entries).toHaveLength((await sandbox.control('GET', '/history')).body.length);
});

test('a HAR document names the package and its version', async () => {
  const { log } = await exported(await frozen());
  const { version } = (await (await frozen()).control('GET', '/info')).body;
  expect(log).toEqual({ version: '1.2', creator: { name: 'card-sandbox', version }, entries: [] });
});

test('an entry of a request without a body has its query decoded and no text that was posted', async () => {
  const sandbox = await frozen();
  await sandbox.api('GET', '/partner/cardholders?limit=1&note=a%20b');
  const [entry] = (await exported(sandbox)).log.entries;
  const { headers: sent, ...request } = entry.request;
  const { headers: received, ...response } = entry.response;
  const [{ id, summary }] = (await sandbox.control('GET', '/history')).body;
  expect(request).toEqual({
    method: 'GET',
    url: `${sandbox.origin}/v1/partner/cardholders?limit=1&note=a%20b`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    queryString: [
      { name: 'limit', value: '1' },
      { name: 'note', value: 'a b' },
    ],
    headersSize: -1,
    bodySize: 0,
  });
  const bodySize = Number(headerOf(received, 'content-length'));
  expect(response).toEqual({
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    content: {
      size: bodySize,
      mimeType: 'application/json; charset=utf-8',
      text: expect.stringMatching(/^\{"data":\[.+"limit":1\}$/),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize,
  });
  expect(entry).toMatchObject({
    startedDateTime: CLOCK,
    time: 0,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${id}: ${summary}`,
  });
  expect(headerOf(sent, 'x-service-api-key')).toBe('***');
});

test('an entry of a request with a body has its text, type and size, and no question mark without a query', async () => {
  const sandbox = await frozen();
  const person = newCardholder();
  await sandbox.api('POST', '/partner/cardholders', person);
  const [{ request, response }] = (await exported(sandbox)).log.entries;
  const sent = JSON.stringify(person);
  expect(request.url).toBe(`${sandbox.origin}/v1/partner/cardholders`);
  expect(request.queryString).toEqual([]);
  expect(request.postData.mimeType).toBe('application/json');
  expect(JSON.parse(request.postData.text)).toMatchObject({ externalUserId: person.externalUserId });
  expect(request.bodySize).toBe(Buffer.byteLength(sent));
  expect([response.status, response.statusText]).toEqual([201, 'Created']);
});

test('the sizes of bodies are those in bytes', async () => {
  const sandbox = await frozen();
  const person = newCardholder({ externalUserId: 'üñï' });
  await sandbox.api('POST', '/partner/cardholders', person);
  const [{ request, response }] = (await exported(sandbox)).log.entries;
  expect(request.bodySize).toBe(Buffer.byteLength(JSON.stringify(person)));
  expect(response.bodySize).toBe(Number(headerOf(response.headers, 'content-length')));
  expect(response.content.size).toBe(response.bodySize);
});

test('a body without a type has none, and a closed connection has no status', async () => {
  const sandbox = await frozen();
  await request(`${sandbox.origin}/v1/partner/cardholders`, {
    method: 'POST',
    body: '{}',
    headers: { 'x-service-api-key': ACME_KEY },
  });
  await sandbox.control('POST', '/faults', { drop: true, times: 1 });
  await sandbox.api('GET', '/partner/balance').catch(() => undefined);
  const [untyped, , dropped] = (await exported(sandbox)).log.entries;
  expect(untyped.request.postData).toEqual({ mimeType: '', text: '{}' });
  expect([dropped.response.status, dropped.response.statusText]).toEqual([0, '']);
});

test('headers with secrets are masked, whatever they are named, and others are as they were sent', async () => {
  const sandbox = await frozen();
  const headers = {
    authorization: 'Basic YTpi',
    cookie: 'session=1',
    'x-my-token': 'abc',
    'x-note': 'shown',
  };
  await sandbox.api('GET', '/partner/balance', undefined, headers);
  const [{ request }] = (await exported(sandbox)).log.entries;
  const named = Object.keys(headers).map(name => [name, headerOf(request.headers, name)]);
  expect(named).toEqual([
    ['authorization', '***'],
    ['cookie', '***'],
    ['x-my-token', '***'],
    ['x-note', 'shown'],
  ]);
});

test('a HAR document has no header that only this package sends, unless its bodies need it', async () => {
  for (const names of [undefined, { idp1: 'veritas' }]) {
    const sandbox = await startSandbox({ ...(names && { names }) });
    await sandbox.api('GET', '/partner/balance', undefined, { 'x-sandbox-names': 'neutral' });
    const text = JSON.stringify(await exported(sandbox));
    expect(text.includes('x-sandbox-names')).toBe(names !== undefined);
  }
});
