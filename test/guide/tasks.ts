/** A task that somebody has, and its shortest path: a page of the guide, and the sections to paste, in order. */
export interface Task {
  readonly task: string;
  readonly page: string;
  readonly sections: readonly string[];
  /** What the output shows when the task is solved, in this order. */
  readonly shows: readonly RegExp[];
}

/** The tasks that the guide solves. */
export const TASKS: readonly Task[] = [
  {
    task: 'start a sandbox and send a first call',
    page: 'start',
    sections: ['First call', 'Stop'],
    shows: [/"id":"prog_everyday"/, /ch_mia_approved/, /card_mia_active/, /stopped the sandbox/],
  },
  {
    task: 'write a first test',
    page: 'start',
    sections: ['First test'],
    shows: [/card-sandbox\.test/, /pass 1|pass 2/],
  },
  {
    task: 'use records of my own: a fixture',
    page: 'start',
    sections: ['Records of your own'],
    shows: [/valid/, /card_zoe/, /authorized/],
  },
  {
    task: 'write a webhook receiver that verifies',
    page: 'webhooks',
    sections: ['A receiver that verifies'],
    shows: [/refused with 401/, /Grade A: 16 of 16 passed/],
  },
  {
    task: 'wait for a webhook',
    page: 'webhooks',
    sections: ['A receiver that verifies', 'Receive webhooks', 'Wait for a webhook'],
    shows: [/"webhookUrl":"https:\/\/app.test\/webhooks"/, /card\.issued\s[\s\S]*status +delivered/],
  },
  {
    task: 'receive webhooks twice and out of order',
    page: 'webhooks',
    sections: ['A receiver that verifies', 'Receive webhooks', 'Twice, and out of order'],
    // The first top-up is handled once; the second comes after the sale that followed it.
    shows: [/pending +0/, /\nbalance\.top_up evt_\w+\ncard\.transaction evt_\w+\nbalance\.top_up evt_\w+\n$/],
  },
  {
    task: 'onboard a person to an active card',
    page: 'kyc',
    sections: ['From a person to an active card'],
    shows: [/"status":"pending"/, /"status":"active","nameOnCard":"Ida Wong"/],
  },
  {
    task: 're-import a person with a corrected name',
    page: 'kyc',
    sections: ['Re-import'],
    shows: [/"firstName":"Bne"/, /firstName +Ben/],
  },
  {
    task: 'decide KYC by hand',
    page: 'kyc',
    sections: ['Decision by hand, and after a rejection'],
    shows: [/"status":"pending"/, /kycStatus +rejected/],
  },
  {
    task: 'get a person approved who was rejected',
    page: 'kyc',
    sections: ['Decision by hand, and after a rejection'],
    shows: [
      /kycStatus +rejected/,
      /CARDHOLDER_KYC_LOCKED.*its KYC can be submitted again/,
      /kycStatus +approved/,
      /"externalUserId":"eva-2"/,
    ],
  },
  {
    task: 'let a person identify on the KYC page',
    page: 'kyc',
    sections: ['KYC page'],
    shows: [/status +approved/, /"firstName":"Tom".*"kycSource":"web"/],
  },
  {
    task: 'spend with a card and settle',
    page: 'cards',
    sections: ['Spend'],
    shows: [/settledAmount +20/, /"data":\[\{"id":"txn_\w+".*"status":"settled"/],
  },
  {
    task: 'charge a card as a hotel does',
    page: 'cards',
    sections: ['A hotel stay'],
    shows: [/amount +150/, /status +settled/, /settledAmount +120/],
  },
  {
    task: 'get a decline from a spend limit',
    page: 'cards',
    sections: ['Spend', 'Declined by a limit'],
    shows: [/declineReason +spend_limit_exceeded/, /declineDetail.window +daily/, /status +authorized/],
  },
  {
    task: 'pass 3-D Secure',
    page: 'cards',
    sections: ['3-D Secure'],
    shows: [/otp +\d{6}/, /status +approved/],
  },
  {
    task: 'reveal a card in an iframe',
    page: 'cards',
    sections: ['Reveal a card in an iframe'],
    shows: [/<title>Card details<\/title>/, /410/],
  },
  {
    task: 'lose a response and retry safely',
    page: 'faults',
    sections: ['A lost response and a safe retry'],
    shows: [/no response/, /"externalUserId":"user-lia"/, /"total":1\b/],
  },
  {
    task: 'survive an outage',
    page: 'faults',
    sections: ['An outage'],
    shows: [/503 Service Unavailable/, /"data":\[\{"id":"card_/],
  },
  {
    task: 'repeat a write that failed, idempotently',
    page: 'faults',
    sections: ['Retry after a failed write'],
    shows: [/500 Internal Server Error/, /"id":"card_wendy_created".*"status":"active"/],
  },
  {
    task: 'wait as long as a rate limit says',
    page: 'faults',
    sections: ['Rate limit'],
    shows: [/429 Too Many Requests/, /Retry-After: 1/],
  },
  {
    task: 'rotate a key',
    page: 'faults',
    sections: ['Key rotation'],
    shows: [/"data":\[/, /grace period ended/, /"data":\[/],
  },
  {
    task: 'test the retries of 24 hours',
    page: 'time',
    sections: ['The retry schedule in a test'],
    shows: [/the receiver answers after 24 hours/, /pass 1/],
  },
  {
    task: 'run at a date of my choice',
    page: 'time',
    sections: ['A date of your choice'],
    shows: [/2028-03-01T00:00:30\.000Z/],
  },
  {
    task: 'save and load the state',
    page: 'time',
    sections: ['Save and load'],
    shows: [/saved to world\.json/, /status +closed/],
  },
  {
    task: 'undo what was done',
    page: 'time',
    sections: ['Undo'],
    shows: [/available +5500/, /"available":5500/, /undone +2/, /available +5000/],
  },
  {
    task: 'run tests in parallel files',
    page: 'parallel',
    sections: ['A sandbox in each test file'],
    shows: [/pass 2/],
  },
  {
    task: 'give each parallel worker a world',
    page: 'parallel',
    sections: ['A world for each worker of any language'],
    shows: [/frozen/, /frozen/, /frozen/, /main/],
  },
  {
    task: 'give each test a world in code',
    page: 'parallel',
    sections: ['A world for each test in code'],
    shows: [/pass 1/],
  },
  {
    task: 'set up CI',
    page: 'ci',
    sections: ['A recipe'],
    shows: [/pass 1/],
  },
  {
    task: 'find out what the integration survives: the exam',
    page: 'ci',
    sections: ['A recipe', 'What does the integration survive'],
    shows: [/baseline passed/, /2 survived, 0 broke, 0 applied twice, 0 accepted/],
  },
  {
    task: 'prove that the app needs only documented behaviour',
    page: 'ci',
    sections: ['A recipe', 'Documented behaviour only'],
    shows: [/pass 1/, /pass 1/],
  },
  {
    task: 'find out why a request was refused',
    page: 'debug',
    sections: ['Why was this refused'],
    shows: [/card_theo_cancelled is cancelled/, /Decided by/, /Would have been accepted/],
  },
  {
    task: 'find out why a webhook was not delivered',
    page: 'debug',
    sections: ['Why was this webhook not delivered'],
    shows: [/cause +connection refused/],
  },
  {
    task: 'see what a failed job did',
    page: 'debug',
    sections: ['A failed job'],
    shows: [/saved 3 files to artifacts/, /404 GET \S+card_none .*\n +no card with id/],
  },
  {
    task: 'tell a story of my own in a demo',
    page: 'scenarios',
    sections: ['A story of your own'],
    shows: [/Mia pays for dinner/, /All 3 steps passed/],
  },
  {
    task: 'present a story of my own in the dashboard',
    page: 'scenarios',
    sections: ['A story of your own', 'In the presenter'],
    shows: [/"title":"A lost card"/, /stopped the sandbox/],
  },
  {
    task: 'compare a server with a story',
    page: 'scenarios',
    sections: ['A story of your own', 'Against any server'],
    shows: [/All 3 steps passed/, /All 3 steps passed/],
  },
  {
    task: 'test with Vitest, without a port',
    page: 'embed',
    sections: ['Vitest'],
    shows: [/1 passed/],
  },
  {
    task: 'test with Jest, and records of my own',
    page: 'embed',
    sections: ['Jest, and any other runner'],
    shows: [/1 passed/],
  },
  {
    task: 'answer as my service does where the interface is silent',
    page: 'settings',
    sections: ['Set one'],
    shows: [/422/],
  },
  {
    task: 'list what is assumed',
    page: 'settings',
    sections: ['See them'],
    shows: [/amount-unit=major/, /webhook-timeout=10s/],
  },
];
