/** A planted defect: one replacement in the source of a sample app, and the misbehaviours that it is tried with, which find it. */
export interface Bug {
  readonly id: string;
  /** File of the app. */
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly tried: readonly string[];
}

/** Defects of the app in examples/integrations/node, found by what finds none of those in `../planted`. */
export const NODE_BUGS: readonly Bug[] = [
  {
    id: 'lost-connection-not-retried',
    file: 'client.js',
    find: 'failure !== undefined || response.status === 429 ||',
    replace: 'failure === undefined && (response.status === 429) ||',
    tried: ['connection-lost-before.cardholders.create'],
  },
  {
    id: 'rate-limit-not-retried',
    file: 'client.js',
    find: ' || response.status === 429 || ',
    replace: ' || ',
    tried: ['rate-limited'],
  },
  {
    id: 'second-card-on-retry',
    file: 'onboarding.js',
    find: "client.write('POST', '/partner/cards', { cardholderId, cardProgramId: programId }, find)",
    replace:
      "client.write('POST', '/partner/cards', { cardholderId, cardProgramId: programId }, async () => null)",
    tried: ['connection-lost-after.cards.issue', 'error-500-after'],
  },
  {
    id: 'share-token-sent-twice',
    file: 'onboarding.js',
    find: "client.write('POST', '/partner/cardholders', body, find)",
    replace: "client.write('POST', '/partner/cardholders', body, async () => null)",
    tried: ['connection-lost-after.cardholders.create', 'error-503-after'],
  },
  {
    id: 'signature-not-checked',
    file: 'webhooks.js',
    find: 'return isSigned && ',
    replace: 'return ',
    tried: ['signature-other-secret', 'signature-last-digit', 'body-tampered'],
  },
  {
    id: 'body-used-before-the-check',
    file: 'webhooks.js',
    find: '  // Verify before anything reads the body.\n',
    replace:
      "  const early = JSON.parse(rawBody.toString('utf8')).id;\n  if (store.hasSeen(early)) return [200, 'already seen'];\n  if (!isGenuine(rawBody, headers['x-service-signature'], secrets)) store.markSeen(early);\n",
    tried: ['signature-other-secret', 'signature-missing'],
  },
  {
    id: 'amounts-in-units',
    file: 'money.js',
    find: 'return Math.round(amount * 100);',
    replace: 'return Math.trunc(amount * 100);',
    tried: ['amounts-with-cents'],
  },
];
