import type { TOPICS } from '../../src/cli/overview.ts';

/** The tasks that each page of the guide solves, with what its output shows of them, in this order. */
export const TASKS: Readonly<Record<(typeof TOPICS)[number], Readonly<Record<string, readonly RegExp[]>>>> = {
  start: {
    'start a sandbox and send a first call': [
      /"id":"prog_everyday"/,
      /ch_mia_approved/,
      /card_mia_active/,
      /stopped the sandbox/,
    ],
    'write a first test': [/card-sandbox\.test/, /pass 1|pass 2/],
    'use records of my own: a fixture': [/valid/, /card_zoe/, /authorized/],
  },
  webhooks: {
    'write a webhook receiver that verifies': [/refused with 401/, /Grade A: 16 of 16 passed/],
    'wait for a webhook': [
      /"webhookUrl":"https:\/\/app.test\/webhooks"/,
      /card\.issued\s[\s\S]*status +delivered/,
    ],
    // The first top-up is handled once; the second comes after the sale that followed it.
    'receive webhooks twice and out of order': [
      /pending +0/,
      /\nbalance\.top_up evt_\w+\ncard\.transaction evt_\w+\nbalance\.top_up evt_\w+\n$/,
    ],
  },
  kyc: {
    'onboard a person to an active card': [/"status":"pending"/, /"status":"active","nameOnCard":"Ida Wong"/],
    're-import a person with a corrected name': [/"firstName":"Bne"/, /firstName +Ben/],
    'decide KYC by hand': [/"status":"pending"/, /kycStatus +rejected/],
    'get a person approved who was rejected': [
      /kycStatus +rejected/,
      /CARDHOLDER_KYC_LOCKED.*its KYC can be submitted again/,
      /kycStatus +approved/,
      /"externalUserId":"eva-2"/,
    ],
    'let a person identify on the KYC page': [/status +approved/, /"firstName":"Tom".*"kycSource":"web"/],
  },
  cards: {
    'spend with a card and settle': [/settledAmount +20/, /"data":\[\{"id":"txn_\w+".*"status":"settled"/],
    'charge a card as a hotel does': [/amount +150/, /status +settled/, /settledAmount +120/],
    'get a decline from a spend limit': [
      /declineReason +spend_limit_exceeded/,
      /declineDetail.window +daily/,
      /status +authorized/,
    ],
    'pass 3-D Secure': [/otp +\d{6}/, /status +approved/],
    'reveal a card in an iframe': [/<title>Card details<\/title>/, /410/],
  },
  faults: {
    'lose a response and retry safely': [/no response/, /"externalUserId":"user-lia"/, /"total":1\b/],
    'survive an outage': [/503 Service Unavailable/, /"data":\[\{"id":"card_/],
    'repeat a write that failed, idempotently': [
      /500 Internal Server Error/,
      /"id":"card_wendy_created".*"status":"active"/,
    ],
    'wait as long as a rate limit says': [/429 Too Many Requests/, /Retry-After: 1/],
    'rotate a key': [/"data":\[/, /grace period ended/, /"data":\[/],
  },
  time: {
    'test the retries of 24 hours': [/the receiver answers after 24 hours/, /pass 1/],
    'run at a date of my choice': [/2028-03-01T00:00:30\.000Z/],
    'save and load the state': [/saved to world\.json/, /status +closed/],
    'undo what was done': [/available +5500/, /"available":5500/, /undone +2/, /available +5000/],
  },
  parallel: {
    'run tests in parallel files': [/pass 2/],
    'give each parallel worker a world': [/frozen/, /frozen/, /frozen/, /main/],
    'give each test a world in code': [/pass 1/],
  },
  ci: {
    'set up CI': [/pass 1/],
    'find out what the integration survives: the exam': [
      /baseline passed/,
      /2 survived, 0 broke, 0 applied twice, 0 accepted/,
    ],
    'prove that the app needs only documented behaviour': [/pass 1/, /pass 1/],
  },
  debug: {
    'find out why a request was refused': [
      /card_theo_cancelled is cancelled/,
      /Decided by/,
      /Would have been accepted/,
    ],
    'find out why a webhook was not delivered': [/cause +connection refused/],
    'see what a failed job did': [/saved 3 files to artifacts/, /404 GET \S+card_none .*\n +no card with id/],
  },
  scenarios: {
    'tell a story of my own in a demo': [/Mia pays for dinner/, /All 3 steps passed/],
    'present a story of my own in the dashboard': [/"title":"A lost card"/, /stopped the sandbox/],
    'compare a server with a story': [/All 3 steps passed/, /All 3 steps passed/],
  },
  embed: {
    'test with Vitest, without a port': [/1 passed/],
    'test with Jest, and records of my own': [/1 passed/],
  },
  settings: {
    'answer as my service does where the interface is silent': [/422/],
    'list what is assumed': [/amount-unit=major/, /webhook-timeout=10s/],
  },
};
