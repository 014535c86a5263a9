import { expect, test } from 'vitest';
import { findCauses, type Symptoms } from '../../../src/tools/exam/causes.ts';
import type { Disturbance } from '../../../src/tools/exam/misbehaviour.ts';
import type { FailedCall } from '../../../src/tools/exam/run-record.ts';

const BEFORE: Disturbance = { faults: [{ drop: true, when: 'before' }] };
const AFTER: Disturbance = { faults: [{ drop: true, when: 'after' }] };
const TWICE: Disturbance = { webhookFaults: [{ kind: 'duplicate' }] };

/** A result that broke, unless `more` says otherwise. */
function finding(id: string, disturbance: Disturbance, more: Partial<Symptoms> = {}): Symptoms {
  const misbehaviour = { id, sound: `Sound for ${id}.` };
  const reason = 'the command failed (exit code 1)';
  return { misbehaviour, disturbance, verdict: 'broke', reason, lines: [], failedCalls: [], ...more };
}

function call(operation: string, repeatStatus: number | null): FailedCall {
  return { operation, repeatStatus, request: 'POST /', isFollowed: false, happenings: [] };
}

/** The titles of the causes, with the ids of their results. */
function groups(results: readonly Symptoms[]) {
  return findCauses(results).map(({ title, results: own }) => [
    title,
    own.map(({ misbehaviour }) => misbehaviour.id),
  ]);
}

test('writes that are sent again blindly are one cause, whatever tests they break', () => {
  const causes = findCauses([
    finding('connection-lost-after.cardholders.create', AFTER, {
      lines: ['FAIL a'],
      failedCalls: [call('cardholders.create', 400)],
    }),
    finding('connection-lost-after.cards.issue', AFTER, {
      verdict: 'applied-twice',
      failedCalls: [call('cards.issue', 201)],
    }),
    finding('error-500-after', AFTER, {
      lines: ['FAIL b'],
      failedCalls: [call('webhooks.updateConfig', 200), call('cards.list', 200), call('cards.freeze', 400)],
    }),
  ]);
  expect(causes).toMatchObject([
    {
      title:
        'A write that was applied is sent again: POST /partner/cardholders, POST /partner/cards, POST /partner/cards/{id}/freeze',
      lines: ['FAIL a'],
    },
  ]);
  expect(causes[0]?.results).toHaveLength(3);
  expect(causes[0]?.advice).toEqual([
    expect.stringMatching(/^POST \/partner\/cardholders: Look for a cardholder/),
    expect.stringMatching(/^POST \/partner\/cards: List the cards/),
    expect.stringMatching(/^POST \/partner\/cards\/\{id\}\/freeze: Read the card/),
  ]);
});

test('requests that are not sent again are one cause, before and after they were applied', () => {
  const abandoned = { failedCalls: [call('cards.list', 200), call('cards.issue', null)] };
  const [before, after] = [
    finding('error-500-before', BEFORE, abandoned),
    finding('error-500-after', AFTER, abandoned),
  ];
  const limited = finding('rate-limited', { faults: [{ status: 429 }] }, abandoned);
  const title = 'A request that failed is not sent again: POST /partner/cards';
  expect(groups([before, after, limited])).toEqual([
    [title, ['error-500-before', 'error-500-after', 'rate-limited']],
  ]);
});

test('an app that does not repeat what was applied may have looked it up, so that is no cause', () => {
  const abandoned = { failedCalls: [call('cards.issue', null)] };
  expect(groups([finding('error-500-after', AFTER, abandoned)])).toEqual([
    ['error-500-after breaks the command', ['error-500-after']],
  ]);
});

test('a repeat that was refused says nothing when the first request was not applied', () => {
  const refused = { failedCalls: [call('cards.issue', 400)] };
  expect(groups([finding('error-500-before', BEFORE, refused)])).toEqual([
    ['error-500-before breaks the command', ['error-500-before']],
  ]);
});

test('the same failure under misbehaviours of the same sort is one cause; numbers and ids may differ', () => {
  const clock = (clock: string) => ({ options: { clock } });
  const lines = (days: number, id: string) => ({
    lines: [
      'FAIL reports.test.ts > months',
      `expected ${days} to be 31 for card_${id}`,
      '❯ reports.test.ts:12:5',
    ],
  });
  expect(
    groups([
      finding('clock-end-of-month', clock('2027-01-31'), lines(30, 'abcdefgh1')),
      finding('webhooks-twice', TWICE, lines(30, 'abcdefgh1')),
      finding('clock-end-of-year', clock('2027-12-31'), lines(28, 'zyxwvuts2')),
      finding('clock-leap-day', clock('2028-02-29'), { lines: ['FAIL reports.test.ts > years'] }),
      finding('ids-long', { options: { idLength: 64 } }),
    ]),
  ).toEqual([
    ['clock-end-of-month, clock-end-of-year break the command', ['clock-end-of-month', 'clock-end-of-year']],
    ['webhooks-twice breaks the command', ['webhooks-twice']],
    ['clock-leap-day breaks the command', ['clock-leap-day']],
    ['ids-long breaks the command', ['ids-long']],
  ]);
});

test('a receiver that accepts any signature is one cause; otherwise each forgery is its own', () => {
  const accepted = (id: string) => finding(id, TWICE, { verdict: 'accepted' });
  const others = [accepted('body-tampered'), accepted('timestamp-old')];
  expect(groups([accepted('signature-other-secret'), ...others])).toEqual([
    [
      'Webhooks are accepted without a check of their signature',
      ['signature-other-secret', 'body-tampered', 'timestamp-old'],
    ],
  ]);
  expect(groups(others)).toEqual([
    ['body-tampered is accepted', ['body-tampered']],
    ['timestamp-old is accepted', ['timestamp-old']],
  ]);
});

test('a receiver that crashes in the same way is one cause', () => {
  const crashed = { reason: 'the receiver answered 500 instead of a 4xx' };
  expect(
    groups([finding('signature-missing', TWICE, crashed), finding('body-tampered', TWICE, crashed)]),
  ).toEqual([['The receiver answered 500 instead of a 4xx', ['signature-missing', 'body-tampered']]]);
});

test('what survived has no cause', () => {
  expect(groups([finding('ids-long', {}, { verdict: 'survived' })])).toEqual([]);
});

test('what is applied twice without a repeated request is a cause of its own, of all that show it', () => {
  const twice = { verdict: 'applied-twice', lines: ['FAIL 12 cards of card_abcdefgh1'] } as const;
  const other = { verdict: 'applied-twice', lines: ['FAIL 34 cards of card_zyxwvuts2'] } as const;
  expect(groups([finding('webhooks-twice', TWICE, twice), finding('webhooks-late', TWICE, other)])).toEqual([
    ['Under webhooks-twice, webhooks-late, a write is applied twice', ['webhooks-twice', 'webhooks-late']],
  ]);
});
