// The planted bugs. Each is a switch of one app: `PLANTED=<name>` turns it on, and without it the app is sound. Apps and
// bugs come from practice with card and payment services: they were written before their author had seen the exam. Only
// what finds each was added afterwards.

/** A bug: what is wrong, and misbehaviours that find it. */
type PlantedBug = readonly [name: string, app: string, what: string, finders: readonly string[]];

export const bugs: readonly PlantedBug[] = [
  [
    'double-issue',
    'signup',
    'repeats the issue of a card after a lost response',
    ['connection-lost-after.cards.issue'],
  ],
  [
    'lost-response-orphans',
    'signup',
    'repeats a creation instead of looking for what the lost attempt made',
    ['connection-lost-after.cardholders.create'],
  ],
  [
    'event-before-record',
    'signup',
    'ignores an event about a card that it has not stored yet',
    ['connection-lost-after.cards.issue', 'webhook-before-response'],
  ],
  [
    'older-event-wins',
    'signup',
    'takes the KYC status from whichever event comes last',
    ['webhooks-reversed', 'webhooks-twice', 'webhooks-late'],
  ],
  ['retry-after-ignored', 'wallet', 'repeats at once after a 429', ['rate-limited-lasting']],
  ['unsigned-accepted', 'wallet', 'verifies a signature only if there is one', ['signature-missing']],
  ['unknown-type-crashes', 'wallet', 'answers an unknown event type with 500', ['webhook-type-unknown']],
  [
    'last-event-id-only',
    'wallet',
    'recognises a repetition only if it comes at once',
    ['webhooks-repeated-later'],
  ],
  [
    'status-of-old-event',
    'wallet',
    'takes the status of a card from the event, so an older one overwrites "cancelled"',
    ['webhooks-reversed'],
  ],
  [
    'marked-before-processed',
    'ledger',
    'marks an event as seen before it is processed, and does not try again',
    ['error-500-before'],
  ],
  ['settled-twice', 'ledger', 'books a repeated event again', ['webhooks-twice']],
  [
    'cents-truncated',
    'ledger',
    'truncates instead of rounding when it converts to cents',
    ['amounts-with-cents'],
  ],
  ['id-column-too-short', 'ledger', 'keeps 20 characters of an id', ['ids-long']],
  ['page-two-unread', 'statements', 'reads the first page of a list only', ['lists-longer-than-a-page']],
  ['year-turn', 'statements', 'takes the month before January for month 0', ['clock-end-of-month']],
  ['next-month-overflows', 'statements', 'adds a month to the 31st and skips one', ['clock-end-of-month']],
  ['leap-day', 'statements', 'takes 29 February for a day of every year', ['clock-leap-day']],
  ['parsed-body-signed', 'otp', 'verifies the signature over the parsed body', ['webhook-fields-unknown']],
  ['timestamp-unchecked', 'otp', 'accepts a webhook of any age', ['timestamp-old']],
  ['prefix-compared', 'otp', 'compares the first 16 digits of the signature', ['signature-last-digit']],
  ['content-length-in-characters', 'legacy', 'counts characters instead of bytes', ['names-unusual']],
  [
    'timeout-too-short',
    'legacy',
    'gives up after 400 ms, although the request was processed',
    ['responses-late'],
  ],
  ['unavailable-is-final', 'legacy', 'takes a 503 for a refusal', ['error-503-before']],
  [
    'error-swallowed',
    'legacy',
    'reports success when a freeze failed',
    ['error-500-before', 'connection-lost-before.cards.freeze'],
  ],
  ['null-phone', 'backoffice', 'takes the end of a phone number that is null', ['phone-number-null']],
  [
    'unknown-members-rejected',
    'backoffice',
    'rejects a record with an unknown member',
    ['response-fields-unknown'],
  ],
  ['names-in-latin1', 'backoffice', 'stores names in Latin 1', ['names-unusual']],
  ['unknown-status-crashes', 'backoffice', 'crashes on a status that it does not know', ['status-unknown']],
  [
    'refusal-repeated',
    'treasury',
    'repeats a request that was refused',
    ['connection-lost-after.cards.activate'],
  ],
  [
    'balance-of-old-event',
    'treasury',
    'takes the balance from the event, so an older one overwrites a newer',
    ['webhooks-reversed'],
  ],
  [
    'gives-up-at-once',
    'treasury',
    'repeats a job three times within 30 ms, then gives up',
    ['error-503-lasting'],
  ],
  ['key-cached', 'treasury', 'keeps the API key of its start', ['key-rotated']],
  [
    'completed-twice',
    'hosted-kyc',
    'processes a repeated event, and its refusal replaces the result',
    ['webhooks-twice'],
  ],
  [
    'insert-conflict',
    'hosted-kyc',
    'fails when an event has stored the record before the response',
    ['webhook-before-response'],
  ],
  [
    'submitted-already',
    'hosted-kyc',
    'takes the refusal of its own repetition for a failure',
    ['connection-lost-after.cardholders.initiateKyc'],
  ],
  ['strict-event', 'hosted-kyc', 'drops an event with an unknown member', ['webhook-fields-unknown']],
  ['error-is-rejection', 'poller', 'takes a failed poll for a rejection', ['error-500-before']],
  ['partial-list-deletes', 'poller', 'takes a failed page for the end of the list', ['error-500-before']],
  ['month-in-local-time', 'poller', 'groups by month in local time', ['clock-end-of-month']],
  ['gives-up-early', 'poller', 'gives up after three polls', ['kyc-slow']],
];

/**
 * The bugs that nothing finds: tests on a frozen clock get no reordered webhooks, amounts that the tests choose stay as
 * they are, a write that failed and was not sent again is a remark if the tests pass, the old key works during its
 * grace period, and the time zone of the machine stays as it is.
 */
export const UNFOUND: readonly string[] = [
  'older-event-wins',
  'cents-truncated',
  'error-swallowed',
  'key-cached',
  'month-in-local-time',
];

/** The arguments of Node.js that run the tests of each app. */
export const apps: Readonly<Record<string, readonly string[]>> = {
  signup: ['--test', 'signup.test.js'],
  wallet: ['--test', 'wallet.test.js'],
  ledger: ['--test', 'ledger.test.js'],
  statements: ['--test', 'statements.test.js'],
  otp: ['--test', 'otp.test.js'],
  legacy: ['legacy.test.cjs'],
  backoffice: ['--test', 'backoffice.test.js'],
  treasury: ['--test', 'treasury.test.js'],
  'hosted-kyc': ['--test', 'hosted-kyc.test.js'],
  poller: ['--test', 'poller.test.js'],
};
