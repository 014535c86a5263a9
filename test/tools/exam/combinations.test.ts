import { expect, test } from 'vitest';
import { chooseCombinations, parseCombination } from '../../../src/tools/exam/combinations.ts';
import type { ExamHistory } from '../../../src/tools/exam/misbehaviour.ts';

const ISSUE = { id: 'cards.issue', method: 'POST', path: '/partner/cards' };
const LOST = 'connection-lost-after.cards.issue';

const history: ExamHistory = {
  called: [ISSUE],
  webhooks: ['card.issued'],
  counts: { 'cards.issue': 3, 'card.issued': 2 },
  usesLibrary: false,
  isFrozen: false,
  ownOptions: [],
  waitsForKyc: false,
};

/** The ids of the combinations after these misbehaviours were survived. */
function chosen(...ids: readonly string[]): string[] {
  const next = [
    { operation: 'cards.list', place: 2 },
    { operation: 'cards.freeze', place: 1 },
  ];
  return chooseCombinations(
    history,
    ids.map(id => ({ id, next })),
  ).map(({ id }) => id);
}

test('combinations are chosen by what the command did, and of each kind first', () => {
  expect(chosen(LOST, 'error-503-before', 'webhooks-twice', 'webhooks-reversed')).toEqual([
    `${LOST}+error-503-before.cards.list#2`,
    `${LOST}+${LOST}`,
    `${LOST}+webhooks-twice`,
    `${LOST}#2`,
    'webhooks-twice.card.issued#2',
    'webhooks-reversed+webhooks-twice',
    `error-503-before.cards.issue+${LOST}`,
    `${LOST}+webhooks-reversed`,
    'error-503-before.cards.issue#2',
    `${LOST}#3`,
    'error-503-before.cards.issue#3',
  ]);
});

test('the second of two failures in a row, further pages and reactions to forged webhooks are tried', () => {
  expect(chosen('rate-limited-lasting', 'error-503-lasting')).toEqual([
    'rate-limited-lasting+error-503-lasting',
  ]);
  expect(chosen('kyc-slow', 'error-503-before')).toContain('kyc-slow+error-503-before.cardholders.get');
  expect(chosen('names-unusual', 'responses-in-pieces')).toEqual(['names-unusual+responses-in-pieces']);
  expect(chosen('lists-longer-than-a-page', 'response-fields-unknown')).toEqual([
    'lists-longer-than-a-page+response-fields-unknown',
  ]);
  expect(chosen('ids-long', 'webhooks-twice')).toContain('ids-long+webhooks-twice');
  // Of what is called after the forged webhook, the lists are read by nothing else.
  expect(chosen('signature-missing', 'error-503-before')).toContain(
    'signature-missing+error-503-before.cards.list',
  );
});

test('a combination with a forged webhook is malign, and the records of two fixtures are all there', () => {
  expect(parseCombination('signature-missing+error-503-before.cards.list')?.kind).toBe('malign');
  const listed = {
    ...history,
    called: [{ id: 'cardholders.list', method: 'GET', path: '/partner/cardholders' }],
  };
  const merged = parseCombination('lists-longer-than-a-page+phone-number-null')?.disturb(listed);
  // The fixture is data that the exam makes.
  const { fixture } = merged as { fixture: { cardholders: Record<string, unknown>[] } };
  expect(fixture.cardholders[0]).toMatchObject({ phoneNumber: null });
  expect(fixture.cardholders.length).toBeGreaterThan(1);
});

test('what was not survived alone is in no combination', () => {
  expect(chosen()).toEqual([]);
  expect(chosen('webhooks-twice')).toEqual(['webhooks-twice.card.issued#2']);
});

test('every combination that is chosen has an id from which it can be made again', () => {
  for (const id of chosen(
    LOST,
    'error-503-before',
    'rate-limited',
    'webhook-attempt-lost',
    'webhooks-late',
  )) {
    const combination = parseCombination(id);
    expect(combination).toMatchObject({ id, kind: 'benign', why: expect.stringMatching(/\.$/) });
    expect(combination?.disturb(history)).toEqual(expect.objectContaining({}));
  }
});

test('the faults of a combination act one after the other, those without an end last', () => {
  const { method, path } = ISSUE;
  expect(parseCombination(`response-fields-unknown+${LOST}#2`)?.disturb(history)).toEqual({
    faults: [{ method, path, drop: true, when: 'after', times: 1, after: 1 }, { unknownFields: true }],
    webhookFaults: [],
  });
  expect(parseCombination('webhooks-late+webhook-attempt-lost.card.issued#2')?.disturb(history)).toEqual({
    faults: [],
    webhookFaults: [
      { kind: 'drop', eventType: 'card.issued', times: 1, after: 1 },
      { kind: 'delay', delayMs: 2_000 },
    ],
  });
  expect(parseCombination('rate-limited-lasting+error-503-lasting')?.disturb(history)).toMatchObject({
    faults: [
      { status: 429, lastsMs: 1_000 },
      { status: 503, lastsMs: 300 },
    ],
  });
  const list = { id: 'cards.list', method: 'GET', path: '/partner/cards' };
  const failing = parseCombination('lists-longer-than-a-page+error-503-before.cards.list#2n');
  expect(failing?.disturb({ ...history, called: [list] })).toMatchObject({
    faults: [{ method: 'GET', path: list.path, status: 503, after: 1, isRepeated: true }],
  });
  const slow = { ...history, waitsForKyc: true, isFrozen: true };
  expect(parseCombination('kyc-slow+webhooks-repeated-later')?.disturb(slow)).toMatchObject({
    kycDelay: '6s',
    repeatsWebhooks: true,
  });
  expect(parseCombination('phone-number-null+webhooks-twice')?.disturb(history)).toMatch(/^none of/);
});

test.each([
  'connection-lost-after.cards.nothing#2',
  'no-such.cards.issue',
  'signature-missing+webhooks-twice',
  `${LOST}+${LOST}+${LOST}`,
  'webhooks-twice.cards.issue',
  // No repetition would ever be answered.
  'error-503-before.cards.list#1n',
  'webhooks-twice.card.issued#2n',
  '',
])('%j is no combination', id => {
  expect(parseCombination(id)).toBeNull();
});

/** The ids of the combinations after a command with another history. */
function chosenAfter(changes: Partial<ExamHistory>, ...survived: readonly string[]): string[] {
  return chooseCombinations(
    { ...history, ...changes },
    survived.map(id => ({ id, next: [{ operation: 'cards.list', place: 1 }] })),
  ).map(({ id }) => id);
}

test('each failure that was survived alone strikes beside a lost connection', () => {
  const ids = chosenAfter({ counts: {} }, LOST, 'rate-limited');
  expect(ids).toEqual([
    `${LOST}+rate-limited.cards.list`,
    `${LOST}+${LOST}`,
    `${LOST}+rate-limited.cards.issue`,
  ]);
});

test('of further pages those of the lists fail that the command reads', () => {
  const called = [ISSUE, { id: 'cards.list', method: 'GET', path: '/partner/cards' }];
  const ids = chosenAfter({ called, counts: {} }, 'lists-longer-than-a-page', 'error-503-before');
  expect(ids).toEqual(['lists-longer-than-a-page+error-503-before.cards.list#2n']);
});

test('a command that survives nothing of a pair tries no such pair', () => {
  for (const one of ['rate-limited-lasting', 'error-503-lasting', 'names-unusual', 'responses-in-pieces']) {
    expect(chosenAfter({ counts: {} }, one), one).toEqual([]);
  }
  expect(chosenAfter({ counts: {} }, 'ids-long', 'kyc-slow', 'lists-longer-than-a-page')).toEqual([]);
});

test('later calls fail only where there were so many, and only writes do', () => {
  const called = [ISSUE, { id: 'cards.list', method: 'GET', path: '/partner/cards' }];
  const counts = { 'cards.issue': 2, 'cards.list': 3 };
  expect(chosenAfter({ called, counts }, 'error-503-before')).toEqual(['error-503-before.cards.issue#2']);
  expect(chosenAfter({ called, counts: { 'cards.issue': 1 } }, 'error-503-before')).toEqual([]);
});

test('two connections are lost in one run, each pair once', () => {
  const freeze = 'connection-lost-after.cards.freeze';
  const ids = chosenAfter({ counts: {} }, LOST, freeze);
  expect(ids).toEqual([`${LOST}+${LOST}`, `${LOST}+${freeze}`, `${freeze}+${freeze}`]);
});

test('what a pair changes is what both change', () => {
  const merged = (id: string) => parseCombination(id)?.disturb(history);
  expect(merged('names-unusual+key-rotated')).toMatchObject({
    people: [expect.objectContaining({ firstName: expect.stringContaining('Zoë') })],
    rotatesKeys: true,
  });
  expect(merged('ids-long+webhooks-repeated-later')).toEqual({
    faults: [],
    webhookFaults: [],
    options: { idLength: 64 },
    repeatsWebhooks: true,
  });
  expect(merged('ids-long+clock-leap-day')).toEqual({
    faults: [],
    webhookFaults: [],
    options: { idLength: 64, clock: '2028-02-29T12:00:00.000Z' },
    environment: { TZ: 'Pacific/Kiritimati' },
  });
  const list = { id: 'cardholders.list', method: 'GET', path: '/partner/cardholders' };
  const both = parseCombination('lists-longer-than-a-page+names-unusual')?.disturb({
    ...history,
    called: [list],
  });
  // 25 of the one, and the unusual names of the other.
  expect(both).toMatchObject({ crowd: { length: 32 }, fixture: { usage: { length: 1 } } });
});

test('why a combination happens, and what is sound, is said once', () => {
  const twice = parseCombination(`${LOST}+${LOST}`);
  const once = parseCombination(LOST);
  expect(twice).toMatchObject({ why: once?.why, sound: once?.sound });
  const pair = parseCombination(`${LOST}+webhooks-twice`);
  expect(pair?.why).toBe(`${once?.why} ${parseCombination('webhooks-twice')?.why}`);
});
