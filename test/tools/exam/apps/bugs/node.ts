import type { Bug } from './bug.ts';

/** Defects of the app in examples/integrations/node. */
export const NODE_BUGS: readonly Bug[] = [
  {
    id: 'lost-connection-not-retried',
    file: 'client.js',
    find: 'failure !== undefined || response.status === 429 ||',
    replace: 'failure === undefined && (response.status === 429) ||',
  },
  {
    id: 'server-error-not-retried',
    file: 'client.js',
    find: ' || response.status >= 500;',
    replace: ';',
  },
  {
    id: 'rate-limit-not-retried',
    file: 'client.js',
    find: ' || response.status === 429 || ',
    replace: ' || ',
  },
  {
    id: 'second-card-on-retry',
    file: 'onboarding.js',
    find: "client.write('POST', '/partner/cards', { cardholderId, cardProgramId: programId }, find)",
    replace:
      "client.write('POST', '/partner/cards', { cardholderId, cardProgramId: programId }, async () => null)",
  },
  {
    id: 'share-token-sent-twice',
    file: 'onboarding.js',
    find: "client.write('POST', '/partner/cardholders', body, find)",
    replace: "client.write('POST', '/partner/cardholders', body, async () => null)",
  },
  {
    id: 'timeout-too-short',
    file: 'client.js',
    find: 'await this.#send(method, path, body);',
    replace:
      "await Promise.race([this.#send(method, path, body), sleep(1_000).then(() => { throw new Error('timed out'); })]);",
  },
  {
    id: 'strict-responses',
    file: 'client.js',
    find: 'for (const record of data) {',
    replace:
      "for (const record of data) { if ('firstName' in record && Object.keys(record).length !== 10) throw new TypeError('not a cardholder');",
  },
  {
    id: 'unknown-type-refused',
    file: 'webhooks.js',
    find: "return [200, 'ignored'];\n  const owner",
    replace: "throw new TypeError('unknown type');\n  const owner",
  },
  {
    id: 'duplicates-applied',
    file: 'store.js',
    find: 'this.#seen.add(eventId);',
    replace: '',
  },
  {
    id: 'order-assumed',
    file: 'store.js',
    find: 'if (!isNewer) return;',
    replace: '',
  },
  {
    id: 'signature-not-checked',
    file: 'webhooks.js',
    find: 'return isSigned && ',
    replace: 'return ',
  },
  {
    id: 'reserialized-body',
    file: 'webhooks.js',
    find: 'isGenuine(rawBody, headers',
    replace: "isGenuine(Buffer.from(JSON.stringify(JSON.parse(rawBody.toString('utf8')))), headers",
  },
  {
    id: 'timestamp-not-checked',
    file: 'webhooks.js',
    find: 'return isSigned && Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS;',
    replace: 'return isSigned;',
  },
  {
    id: 'body-used-before-the-check',
    file: 'webhooks.js',
    find: '  // Verify before anything reads the body.\n',
    replace:
      "  const early = JSON.parse(rawBody.toString('utf8')).id;\n  if (store.hasSeen(early)) return [200, 'already seen'];\n  if (!isGenuine(rawBody, headers['x-service-signature'], secrets)) store.markSeen(early);\n",
  },
  {
    id: 'first-page-only',
    file: 'client.js',
    find: 'if (data.length === 0 || page * PAGE_SIZE >= total) return;',
    replace: 'return;',
  },
  {
    id: 'names-in-ascii',
    file: 'reports.js',
    find: '  // Not everybody',
    replace: "  if (!/^[A-Za-z .-]+$/.test(name)) throw new TypeError('not a name');\n  // Not everybody",
  },
  {
    id: 'amounts-in-units',
    file: 'money.js',
    find: 'return Math.round(amount * 100);',
    replace: 'return Math.trunc(amount * 100);',
  },
  {
    id: 'months-of-28-days',
    file: 'reports.js',
    find: 'const end = Date.UTC(year, number, 1);',
    replace:
      'const end = Date.UTC(year, number - 1, 1 + [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][number - 1]);',
  },
  {
    id: 'ids-cut-at-32',
    file: 'store.js',
    find: 'user.cardId = cardId;',
    replace: 'user.cardId = cardId = cardId.slice(0, 32);',
  },
  {
    id: 'early-webhook-dropped',
    file: 'webhooks.js',
    find: '  const owner = await ownerOf(event, client, store);\n',
    replace:
      "  const id = event.data.cardId ?? event.data.id;\n  if (store.userOf(id) === null && !store.cards.has(id)) return [200, 'not ours'];\n  const owner = await ownerOf(event, client, store);\n",
  },
];
