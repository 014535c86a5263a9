import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/client/attendant.ts';
import { RunRecord } from '../../../src/tools/exam/run-record.ts';
import { DELIVERY, ISSUE } from './log-entries.ts';

const REQUEST: RequestLogEntry = { ...ISSUE, method: 'GET', operation: 'cards.list', status: 200 };

const texts = (record: RunRecord) => record.around().map(({ text }) => text);

test('a request is described by its status, why it was refused, and whether a fault of the command struck it', () => {
  const record = new RunRecord();
  const add = (changes: Partial<RequestLogEntry>, isAffected = false) =>
    record.addRequest({ ...REQUEST, ...changes }, isAffected, null);
  add({});
  add({ status: 404, refusal: 'no such card' });
  add({ dropped: true, refusal: 'a fault', status: 503 });
  add({ status: 500, fault: 'fault_1' });
  expect(texts(record)).toEqual([
    'GET /v1/partner/cards -> 200',
    'GET /v1/partner/cards -> 404 (no such card)',
    'GET /v1/partner/cards -> connection closed',
    'GET /v1/partner/cards -> 500 [a fault of the command]',
  ]);
  add({ status: 503, fault: 'fault_2' }, true);
  expect(texts(record).at(-1)).toBe('GET /v1/partner/cards -> 503');
});

test('a webhook is described by its fault and by its response, or by what kept it from having one', () => {
  const record = new RunRecord();
  record.addDelivery(DELIVERY, false);
  record.addDelivery({ ...DELIVERY, responseStatus: null, cause: 'timed out' }, false);
  record.addDelivery({ ...DELIVERY, responseStatus: null, url: null }, false);
  expect(texts(record)).toEqual([
    'webhook card.issued -> 204',
    'webhook card.issued -> timed out',
    'webhook card.issued -> no response (no URL)',
  ]);
  const struck = new RunRecord();
  struck.addDelivery({ ...DELIVERY, fault: 'duplicate' }, true);
  struck.addDelivery({ ...DELIVERY, fault: 'other_secret', isExtra: true, responseStatus: 401 }, true);
  struck.addDelivery(DELIVERY, true);
  expect(texts(struck)).toEqual([
    'webhook card.issued [duplicate] -> 204',
    'additional webhook of card.issued [other_secret] -> 401',
    'webhook card.issued [sent again] -> 204',
  ]);
  expect(struck.forged).toEqual([401]);
});

test('only webhooks that got a response tell which types the receiver gets', () => {
  const record = new RunRecord();
  record.addDelivery({ ...DELIVERY, responseStatus: null }, false);
  expect(record.history.webhooks).toEqual([]);
  record.addDelivery(DELIVERY, false);
  record.addDelivery(DELIVERY, false);
  expect(record.history).toMatchObject({ webhooks: ['card.issued'], counts: { 'card.issued': 2 } });
});

test('what happened around the first strike is the three before it and the five after it', () => {
  const record = new RunRecord();
  const add = (place: number, isAffected = false) =>
    record.addRequest({ ...REQUEST, url: `/${place}` }, isAffected, null);
  for (let place = 1; place <= 10; place += 1) add(place, place === 5);
  const expected = [2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(texts(record)).toEqual(expected.map(place => `GET /${place} -> 200`));
  add(11, true);
  expect(texts(record)).toHaveLength(expected.length);
  expect(record.around().map(({ isAffected }) => isAffected)).toEqual(expected.map(place => place === 5));
  expect(record.hits).toBe(2);
});

test('without a strike the last eight happenings are shown', () => {
  const record = new RunRecord();
  for (let place = 1; place <= 10; place += 1) {
    record.addRequest({ ...REQUEST, url: `/${place}` }, false, null);
  }
  expect(texts(record)).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map(place => `GET /${place} -> 200`));
});

test('of the first call of each operation after a strike, the place among its calls is known', () => {
  const record = new RunRecord();
  record.addRequest(REQUEST, false, null);
  expect(record.next).toEqual([]);
  record.addRequest({ ...REQUEST, operation: 'cards.issue' }, true, null);
  record.addRequest(REQUEST, false, null);
  record.addRequest(REQUEST, false, null);
  record.addRequest({ ...REQUEST, operation: 'balance.get' }, false, null);
  expect(record.next).toEqual([
    { operation: 'cards.list', place: 2 },
    { operation: 'balance.get', place: 1 },
  ]);
});

test('requests without an operation, and those without a valid key, are no calls of an app', () => {
  const record = new RunRecord();
  expect(record.isUsed).toBe(false);
  record.addRequest({ ...REQUEST, operation: null, status: 404 }, false, null);
  record.addRequest({ ...REQUEST, status: 401 }, false, null);
  expect(record.isUsed).toBe(false);
  expect(record.history.called).toEqual([]);
  record.addRequest({ ...REQUEST, status: 403 }, false, null);
  expect(record.isUsed).toBe(true);
  expect(record.history.called.map(({ id }) => id)).toEqual(['cards.list']);
});

test('a failed request is followed by one of the same method and URL, and repeated by the same one', () => {
  const record = new RunRecord();
  const write = { ...REQUEST, method: 'POST', operation: 'cards.issue' };
  record.addRequest({ ...write, status: 503 }, true, 'failure_1');
  const [failed] = record.failedCalls;
  expect(failed).toMatchObject({ request: 'POST /v1/partner/cards', repeatStatus: null, isFollowed: false });
  record.addRequest(REQUEST, false, null);
  record.addRequest({ ...write, url: '/v1/partner/cards/card_1/freeze' }, false, null);
  expect(record.failedCalls[0]?.isFollowed).toBe(false);
  record.addRequest(write, false, null);
  expect(record.failedCalls).toMatchObject([{ repeatStatus: null, isFollowed: true }]);
  record.addRequest({ ...write, status: 201 }, false, 'failure_1');
  expect(record.failedCalls).toMatchObject([
    { operation: 'cards.issue', repeatStatus: 201, isFollowed: true },
  ]);
});

test('a request without an operation that failed is no failed call', () => {
  const record = new RunRecord();
  record.addRequest({ ...REQUEST, operation: null }, true, 'failure_1');
  expect(record.failedCalls).toEqual([]);
});

test('a failed request that no fault struck shows what happened before it', () => {
  const record = new RunRecord();
  record.addRequest({ ...REQUEST, url: '/before' }, false, null);
  record.addRequest(REQUEST, false, 'failure_1');
  expect(record.failedCalls[0]?.happenings.map(({ text }) => text)).toEqual(['GET /before -> 200']);
});

test('calls and pending reads of sandbox.api count beside those of the app only in the whole history', () => {
  const record = new RunRecord();
  record.addRequest(REQUEST, false, null);
  record.addRequest(REQUEST, false, null, true);
  record.addRequest({ ...REQUEST, operation: 'balance.get' }, false, null, true);
  record.addPendingRead('ch_1');
  record.addPendingRead('ch_1', true);
  expect(record.history).toMatchObject({
    usesLibrary: true,
    counts: { 'cards.list': 1 },
    waitsForKyc: false,
  });
  expect(record.history.counts).not.toHaveProperty(['balance.get']);
  expect(record.wholeHistory).toMatchObject({
    usesLibrary: false,
    counts: { 'cards.list': 2, 'balance.get': 1 },
    waitsForKyc: true,
  });
});

test('records of one id are cancelled only in the sandbox that cancelled them', () => {
  const record = new RunRecord();
  const card = {
    kind: 'card' as const,
    id: 'card_1',
    call: 'req_1',
    isAffected: false,
    owner: 'ch_1',
    ownerName: 'ada',
    content: {},
    shape: 'virtual',
  };
  record.addCreated({ ...card, scope: 'one' });
  record.addCreated({ ...card, scope: 'two' });
  record.addUndone('two', 'card_1');
  expect(record.created.map(({ isUndone }) => isUndone)).toEqual([false, true]);
});

test('a frozen clock, the options of the tests and early repeats are noted once', () => {
  const record = new RunRecord();
  expect(record.history).toMatchObject({ isFrozen: false, ownOptions: [] });
  record.addFreeze();
  for (const _ of [1, 2]) {
    record.addOwnOption('clock');
    record.addEarlyRepeat('GET', '/v1/partner/cards');
  }
  expect(record.history).toMatchObject({ isFrozen: true, ownOptions: ['clock'] });
  expect(record.earlyRepeats).toEqual(['GET /v1/partner/cards']);
});
