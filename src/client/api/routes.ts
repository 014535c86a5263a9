// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

/** Method and path of each operation of the API. */
export const API_ROUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cardholders: {
    create: 'POST /partner/cardholders',
    initiateKyc: 'POST /partner/cardholders/{id}/kyc',
    get: 'GET /partner/cardholders/{id}',
    list: 'GET /partner/cardholders',
  },
  kycSessions: { create: 'POST /partner/kyc-sessions', get: 'GET /partner/kyc-sessions/{id}' },
  cardPrograms: { list: 'GET /partner/card-programs', get: 'GET /partner/card-programs/{id}' },
  cards: {
    list: 'GET /partner/cards',
    issue: 'POST /partner/cards',
    get: 'GET /partner/cards/{id}',
    activate: 'POST /partner/cards/{id}/activate',
    freeze: 'POST /partner/cards/{id}/freeze',
    unfreeze: 'POST /partner/cards/{id}/unfreeze',
    cancel: 'POST /partner/cards/{id}/cancel',
    reveal: 'POST /partner/cards/{id}/reveal-html',
  },
  transactions: { list: 'GET /partner/transactions', get: 'GET /partner/transactions/{id}' },
  balance: { get: 'GET /partner/balance' },
  usage: { list: 'GET /partner/usage/records' },
  webhooks: {
    getConfig: 'GET /partner/webhooks/config',
    updateConfig: 'PATCH /partner/webhooks/config',
    listEvents: 'GET /partner/webhooks/events',
    getEvent: 'GET /partner/webhooks/events/{eventId}',
    retryEvent: 'POST /partner/webhooks/events/{eventId}/retry',
  },
};

/** The operations of the control plane that mean one partner, and where they take its id. */
export const PARTNER_SCOPES: Readonly<Record<string, 'query' | 'body'>> = {
  'POST /share-tokens': 'body',
  'POST /cardholders': 'body',
  'POST /events': 'body',
  'GET /deliveries': 'query',
  'POST /deliveries/settle': 'body',
  'POST /wait': 'body',
  'GET /webhook-faults': 'query',
  'POST /webhook-faults': 'body',
  'DELETE /webhook-faults': 'query',
  'POST /cards/issue': 'body',
  'GET /3ds': 'query',
  'POST /balance/top-up': 'body',
  'GET /balance': 'query',
  'GET /requests': 'query',
  'GET /requests/count': 'query',
  'DELETE /requests': 'query',
  'GET /faults': 'query',
  'POST /faults': 'body',
  'DELETE /faults': 'query',
  'GET /cardholders': 'query',
  'GET /cards': 'query',
  'GET /transactions': 'query',
  'GET /programs': 'query',
  'GET /kyc-sessions': 'query',
  'GET /share-tokens': 'query',
  'GET /webhooks/config': 'query',
  'PATCH /webhooks/config': 'query',
};
