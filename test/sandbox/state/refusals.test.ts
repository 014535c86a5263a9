import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../support/at-file-end.ts';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import type { AtEnd } from '../../support/cli-process.ts';
import { fakeReceiver } from '../../support/receiver.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: these tests edit documents in every way
type Editable = any;

/** A sandbox with a bit of everything in it. */
async function busySandbox(atEnd: AtEnd) {
  const sandbox = await startSandbox({}, {}, {}, atEnd);
  const cardholderId = await createApprovedCardholder(sandbox);
  const card = await sandbox.api('POST', '/partner/cards', { cardholderId, cardProgramId: CARD_PROGRAM });
  await sandbox.api('POST', `/partner/cards/${card.body.id}/activate`);
  const pay = (amount: number) => sandbox.control('POST', '/transactions', { cardId: card.body.id, amount });
  await pay(10);
  await sandbox.control('POST', `/transactions/${(await pay(20)).body.id}/settle`, { amount: 15.5 });
  await sandbox.api('POST', `/partner/cards/${card.body.id}/reveal-html`, {});
  await createSubmittedCardholder(sandbox, newCardholder());
  await sandbox.api('POST', '/partner/kyc-sessions', {});
  return sandbox;
}

/** For imports that are refused. */
let busy: TestSandbox;
const atEnd = atFileEnd();
beforeAll(async () => {
  busy = await busySandbox(atEnd);
});

type InvalidDocument = readonly [name: string, edit: (document: Editable) => unknown, error: RegExp];

/** Each a way in which a document can be wrong, and what the refusal says. */
const INVALID: readonly InvalidDocument[] = [
  ['no format', d => delete d.format, /^body: format: must be "card-sandbox-state"/],
  ['another format', d => (d.format = 'else'), /^body: format: must be/],
  ['another version', d => (d.version = 2), /version: is 2, and this release reads version 1; use/],
  ['no version', d => (d.version = undefined), /version: is missing/],
  ['an unknown member', d => (d.extra = 1), /^body: has unknown members: extra/],
  [
    'a share token without characters',
    d => (d.tables.shareTokens[0].token = ''),
    /tables\.shareTokens\[0\].*token: must have at least 1 character/,
  ],
  ['no clock', d => (d.clock = undefined), /clock: is required/],
  ['a clock past its end', d => (d.clock.now = '9999-01-01T00:00:00.000Z'), /clock\.now: must not be after/],
  ['a time that is none', d => (d.clock.now = 'noon'), /clock\.now: must be a timestamp such as/],
  [
    'the time of a timer in words',
    d => (d.clock.timers[1].at = 'noon'),
    /^body: clock\.timers\[1\]\.at: must be a timestamp/,
  ],
  [
    'a timer without its kind',
    d => delete d.clock.timers[1].kind,
    /^body: clock\.timers\[1\]\.kind: is required/,
  ],
  [
    'a timer with a member too many',
    d => (d.clock.timers[0].note = 'x'),
    /^body: clock\.timers\[0\]: has unknown members: note/,
  ],
  ['a timer that is no object', d => (d.clock.timers[1] = 7), /^body: clock\.timers\[1\]: must be an object/],
  [
    'a timer without its record',
    d => (d.clock.timers[0].ref = 'ch_none'),
    /clock\.timers\[0\]: ref: there is no cardholder "ch_none"/,
  ],
  [
    'a timer twice',
    d => d.clock.timers.push(d.clock.timers[0]),
    /clock\.timers\[2\]: there is already a timer kyc\.decide for "ch_\w+"/,
  ],
  [
    'a KYC decision that would never come',
    d => d.clock.timers.shift(),
    /^body: tables\.cardholders\[1\] \((ch_\w+)\): waits for a timer that clock\.timers lacks; add {"kind": "kyc\.decide", "ref": "\1", "at": …}$/,
  ],
  [
    'a timer for a decision that was made',
    d => (d.clock.timers[0].ref = d.tables.cardholders[0].id),
    /clock\.timers\[0\]: ref: cardholder "ch_\w+" does not wait for kyc\.decide; remove the timer; tables/,
  ],
  [
    'a timer for a decision that people make',
    d => (d.tables.cardholders[1].outcome = 'manual'),
    /clock\.timers\[0\]: ref: cardholder "ch_\w+" does not wait for kyc\.decide; remove the timer$/,
  ],
  [
    'a low balance without its daily check',
    d => (d.tables.partners[0].settings.lowThreshold = 1e9),
    /tables\.partners\[0\] \(partner_acme\): waits for .* add {"kind": "balance\.checkLow", "ref": "partner_acme"/,
  ],
  ['a stream of chance cut short', d => d.random.ch.pop(), /random\.ch/],
  [
    'far more counts than there are tables',
    d => {
      for (let index = 0; index < 1_000; index++) d.counts[`table_${index}`] = 0;
    },
    /^body: counts: must have at most \d+ members, has 10\d\d$/,
  ],
  ['a count that is wrong', d => (d.counts.cards = 2), /counts\.cards: says 2, and tables\.cards has 1/],
  [
    'a table without its count',
    d => delete d.counts.cards,
    /counts\.cards: says nothing, and tables\.cards has 1/,
  ],
  [
    'a count without its table',
    d => delete d.tables.cards,
    /counts\.cards: says 1, and tables\.cards is missing/,
  ],
  ['a table that is not a list', d => (d.tables.cards = {}), /tables\.cards: must be a list/],
  ['a row that is not an object', d => (d.tables.cards[0] = 7), /tables\.cards\[0\]: row: must be an object/],
  [
    'a row without a member',
    d => delete d.tables.cards[0].status,
    /tables\.cards\[0\] \(card_\w+\): status: is required/,
  ],
  [
    'a row with a member too many',
    d => (d.tables.cards[0].colour = 'red'),
    /tables\.cards\[0\] \(card_\w+\): row: has unknown members: colour/,
  ],
  [
    'an unknown status',
    d => (d.tables.cards[0].status = 'lost'),
    /\(card_\w+\): status: must be one of "created"/,
  ],
  [
    'an amount that is not a whole number of hundredths',
    d => (d.tables.cards[0].limits.limit = 1.5),
    /limits\.limit: must be a whole number/,
  ],
  [
    'an amount below zero',
    d => (d.tables.cards[0].limits.sales.daily = -1),
    /limits\.sales\.daily: must be at least 0/,
  ],
  [
    'no partner',
    d => {
      d.tables.partners = [];
      d.counts.partners = 0;
    },
    /tables\.partners: a world needs at least one partner/,
  ],
  [
    'a partner missing',
    d => {
      d.tables.partners.pop();
      d.counts.partners -= 1;
    },
    /tables\.apiKeys\[1\] \(\*\*\*\): partnerId: there is no partner "partner_globex"/,
  ],
  [
    'a partner that is another one',
    d => (d.tables.partners[0].partnerId = 'partner_globex'),
    /tables\.partners\[0\] \(partner_acme\): partnerId: must be the partner's own id/,
  ],
  [
    'a fault for the requests of another partner',
    d => {
      const order = { status: 500, when: 'before', partnerId: 'partner_globex', after: 0 };
      d.tables.faults.push({ id: 'flt_1', partnerId: 'partner_acme', order, passed: 0, hits: 0 });
      d.counts.faults += 1;
    },
    /tables\.faults\[0\] \(flt_1\): order\.partnerId: must be missing or the row's partnerId/,
  ],
  [
    'a partner without a key',
    d => {
      d.tables.apiKeys.shift();
      d.counts.apiKeys -= 1;
    },
    /tables\.partners\[0\] \(partner_acme\): id: exactly the last of its API keys/,
  ],
  [
    'a key that has ended, and no other',
    d => (d.tables.apiKeys[0].validUntil = 1),
    /\(partner_acme\): id: exactly the last of its API keys/,
  ],
  [
    'a live key',
    d => (d.tables.apiKeys[0].id = 'sk_live_0123456789abcdef'),
    /tables\.apiKeys\[0\] \(\*\*\*\): id: must be .*live keys are never stored/,
  ],
  [
    'an id twice',
    d => {
      d.tables.cards.push(d.tables.cards[0]);
      d.counts.cards += 1;
    },
    /tables\.cards\[1\] \(card_\w+\): id: is taken by another card/,
  ],
  [
    'two cardholders with one e-mail',
    d => (d.tables.cardholders[1].email = d.tables.cardholders[0].email.toUpperCase()),
    /tables\.cardholders\[1\] \(ch_\w+\): email: is taken by another cardholder/,
  ],
  [
    'two cardholders with one external id',
    d => (d.tables.cardholders[1].externalUserId = d.tables.cardholders[0].externalUserId),
    /tables\.cardholders\[1\] \(ch_\w+\): externalUserId: is taken/,
  ],
  [
    'a card of no cardholder',
    d => (d.tables.cards[0].cardholderId = 'ch_none'),
    /tables\.cards\[0\] \(card_\w+\): cardholderId: there is no cardholder "ch_none" of partner_acme/,
  ],
  [
    "a card in another partner's program",
    d => (d.tables.cards[0].programId = 'prog_globex'),
    /programId: there is no card program "prog_globex" of partner_acme/,
  ],
  [
    'a card of a cardholder who has not passed KYC',
    d => {
      d.tables.cards[0].cardholderId = d.tables.cardholders[1].id;
    },
    /must have kycStatus approved/,
  ],
  [
    'a card without a number',
    d => {
      d.tables.cardNumbers = [];
      d.counts.cardNumbers = 0;
    },
    /tables\.cards\[0\] \(card_\w+\): id: has no vault entry/,
  ],
  [
    'a card with the end of another number',
    d => (d.tables.cards[0].last4 = d.tables.cards[0].last4 === '0000' ? '1111' : '0000'),
    /last4: must be the last four digits of its number/,
  ],
  [
    'a number that is none',
    d => (d.tables.cardNumbers[0].number = '4242420000000001'),
    /tables\.cardNumbers\[0\] .*number: must be a card number of a known scheme with a valid check digit/,
  ],
  [
    'a number of no card',
    d => {
      d.tables.cardNumbers.push({ ...d.tables.cardNumbers[0], id: 'card_none', number: '4242424242424242' });
      d.counts.cardNumbers += 1;
    },
    /tables\.cardNumbers\[1\] \(card_none\): id: there is no card "card_none"/,
  ],
  [
    'a cardholder who has no card and says so',
    d => (d.tables.cardholders[1].hasCard = true),
    /hasCard: must be false, to match the cards/,
  ],
  [
    'a decision without a submission',
    d => (d.tables.cardholders[0].submission = null),
    /kycStatus: must be approved or rejected after the decision on its submission/,
  ],
  [
    'reasons for which a submission in flight was rejected',
    d => (d.tables.cardholders[1].submission.reasons = ['other']),
    /submission\.reasons: only a rejected submission has reasons/,
  ],
  [
    'a token used by an unknown cardholder',
    d => (d.tables.shareTokens[0].usedBy = 'ch_none'),
    /tables\.shareTokens\[0\] .*usedBy: there is no cardholder "ch_none"/,
  ],
  [
    'a pending session with an identity',
    d => (d.tables.kycSessions[0].identity = { firstName: 'A', lastName: 'B' }),
    /identity: must be set in an approved session/,
  ],
  [
    'reasons for which a pending session was rejected',
    d => (d.tables.kycSessions[0].reasons = ['other']),
    /reasons: only a rejected session has reasons/,
  ],
  [
    'a cardholder of a pending session',
    d => (d.tables.kycSessions[0].usedBy = d.tables.cardholders[0].id),
    /usedBy: only an approved session can be used/,
  ],
  [
    'a spent window that does not add up',
    d => (d.tables.spendWindows[0].sales += 1),
    /tables\.spendWindows\[0\] .*sales: must be 2550, the sum of the card's transactions/,
  ],
  [
    'cash without a transaction',
    d => (d.tables.spendWindows[2].cash = 100),
    /tables\.spendWindows\[2\] .*cash: must be 0/,
  ],
  [
    'a spent window missing',
    d => {
      d.tables.spendWindows.pop();
      d.counts.spendWindows -= 1;
    },
    /tables\.transactions\[0\] .*is not counted in the spend window "always card_\w+"/,
  ],
  [
    'money held for nothing',
    d => (d.tables.balances[0].held = 2_000),
    /\(partner_acme\): held: must be 1000/,
  ],
  [
    'a balance under another id than its partner',
    d => (d.tables.balances[0].id = 'partner_none'),
    /\(partner_none\): id: must be the partner's id/,
  ],
  [
    'a partner without a balance',
    d => {
      d.tables.balances.pop();
      d.counts.balances -= 1;
    },
    /\(partner_globex\): id: has no balance/,
  ],
  [
    'a transaction on no card',
    d => (d.tables.transactions[0].cardId = 'card_none'),
    /tables\.transactions\[0\] .*cardId: there is no card "card_none" of partner_acme/,
  ],
  [
    'a reason why a transaction was reversed that is not',
    d => (d.tables.transactions[1].reversalReason = 'expired'),
    /reversalReason: only a reversed transaction has one/,
  ],
  [
    'a reason why a transaction was declined that is authorized',
    d => (d.tables.transactions[0].declineReason = 'do_not_honor'),
    /declineReason: must be set when it is declined, and null otherwise/,
  ],
  [
    'a settlement of what is only authorized',
    d => (d.tables.transactions[0].settledAmount = 5),
    /settledAmount: must be set when it is settled, and null otherwise/,
  ],
  [
    'a reveal link to no card',
    d => (d.tables.revealLinks[0].cardId = 'card_none'),
    /tables\.revealLinks\[0\] .*cardId: there is no card "card_none"/,
  ],
  [
    'a bill for no card',
    d =>
      (d.tables.usageRecords.find((row: Editable) => row.type === 'card_issuance').referenceId = 'card_none'),
    /referenceId: there is no card "card_none"/,
  ],
  [
    'a webhook URL that is not allowed',
    d => {
      d.tables.webhookConfigs.push({
        id: 'partner_acme',
        partnerId: 'partner_acme',
        webhookUrl: 'ftp://x.test/',
        webhookSecret: 'a-secret-of-more-than-16',
        subscribedEvents: [],
      });
      d.counts.webhookConfigs += 1;
    },
    /webhookUrl: must be an absolute https:\/\/ URL/,
  ],
];

test.each(INVALID)(
  'a document with %s is refused as a whole and changes nothing',
  async (_name, edit, error) => {
    const { api, control } = busy;
    const before = (await control('GET', '/state')).body;
    const document = structuredClone(before);
    edit(document);
    const reply = await control('PUT', '/state', document);
    expect(reply).toMatchObject({ status: 400, body: { success: false } });
    expect(reply.body.error).toMatch(error);
    expect(reply.body.error).not.toMatch(/sk_live_0|\d{16}/);
    expect((await control('GET', '/state')).body).toEqual(before);
    expect((await control('GET', '/requests')).body).not.toEqual([]);
    expect((await api('GET', '/partner/cards')).body.total).toBe(1);
  },
);

test('a document with many problems reports the first twenty', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  const { body } = await control('GET', '/state');
  for (const row of body.tables.cardholders) row.status = 'gone';
  const { error } = (await control('PUT', '/state', body)).body;
  expect(error.match(/must be one of/g)).toHaveLength(20);
  expect(error).toMatch(/; … and more$/);
});

test.each(['[1]', '"text"', '{"format": "card-sandbox-state"', 'null'])(
  'a body of %s is refused',
  async text => {
    expect((await busy.control('PUT', '/state', text)).status).toBe(400);
  },
);

test('a refused import leaves no world behind', async () => {
  const { api, control } = busy;
  const document = (await control('GET', '/state')).body;
  document.clock.mode = 'running';
  for (const timer of document.clock.timers) timer.at = document.clock.now;
  document.tables.cards[0].cardholderId = 'ch_none';
  expect((await control('PUT', '/state', document)).status).toBe(400);
  const [newest] = (await api('GET', '/partner/cardholders')).body.data;
  expect(newest.kycStatus).toBe('pending');
});

test('a pending delivery needs a timer, and a completed one must not have one', async () => {
  const { api, control } = await startSandbox({}, { transport: fakeReceiver(() => 500).transport });
  await api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.example/',
    webhookSecret: 'a-secret-of-16-characters',
    subscribedEvents: ['balance.top_up'],
  });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const { body: document } = await control('GET', '/state');
  const [{ id }] = document.tables.deliveries;
  expect(document.clock.timers).toMatchObject([{ kind: 'delivery.attempt', ref: id }]);
  const refusal = async (edited: unknown) => (await control('PUT', '/state', edited)).body?.error;
  const clock = { ...document.clock, timers: [] };
  expect(await refusal({ ...document, clock })).toBe(
    `body: tables.deliveries[0] (${id}): waits for a timer that clock.timers lacks; add {"kind": "delivery.attempt", "ref": "${id}", "at": …}`,
  );
  document.tables.deliveries[0].status = 'failed';
  expect(await refusal(document)).toBe(
    `body: clock.timers[0]: ref: delivery event "${id}" does not wait for delivery.attempt; remove the timer`,
  );
  expect(await refusal({ ...document, clock })).toBeUndefined();
});
