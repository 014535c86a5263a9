/** What differs in the command of an operation from what its id and schemas give, and an example. */
export interface Alias {
  /** The words of the command. Default: those that the id spells, `partners rotate-key` for `partners.rotateKey`. */
  readonly words?: string;
  /** Members of query or body that are arguments, after the parameters of the path. They have flags as well. */
  readonly members?: readonly string[];
  /** Names of flags by dotted member name; the value `''` drops the member's name from the flags below it. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Reads the body from a file, or writes the response to one. */
  readonly file?: 'read' | 'write';
  /** The id of a second operation, called as well, or instead of the first when a flag of `insteadFor` is set. */
  readonly twin?: string;
  readonly insteadFor?: string;
  /** The members of records to show to people. Default: all. */
  readonly columns?: readonly string[];
  /** The member of the response that is false, beside a `cause`, when the operation had no effect: exit code 1. */
  readonly effect?: string;
  /** The rest of the command line in the example of the help. Default: the names of the parameters. */
  readonly example?: string;
}

/** Control operations that a hand-written command serves or that of another one, with its words, by their ids. */
export const SERVED_ELSEWHERE: Readonly<Record<string, string>> = {
  stream: 'tail',
  'history.export': 'history export',
  stop: 'stop',
  info: 'info',
  'checkpoints.save': 'checkpoints save',
  'threeDSecure.verify': 'simulate 3ds-verify',
  'worlds.create': 'worlds add',
  'forwarding.show': 'forward',
  'forwarding.set': 'forward',
  'forwarding.restore': 'forward',
};

/** Substitutions of a shell that make something to name. */
const AUTHORIZED = '"$(card-sandbox simulate authorize card_mia_active 12.50 --print id)"';
const TRIGGERED = '"$(card-sandbox trigger card.issued --print id)"';

const DELIVERY_COLUMNS = ['id', 'eventType', 'status', 'cause', 'createdAt'];

/** Aliases by the id of the operation. An operation without one has the command that its id spells. */
export const ALIASES: Readonly<Record<string, Alias>> = {
  'clock.get': { words: 'clock now' },
  'clock.advance': { members: ['duration'], example: '24h' },
  'clock.freeze': { members: ['at'], example: '2026-01-31T23:59:00Z' },
  'state.get': { words: 'state save', file: 'write', example: 'state.json' },
  'state.put': { words: 'state load', file: 'read', example: 'state.json' },
  'state.save': { words: 'state keep' },
  'history.list': { columns: ['id', 'at', 'method', 'path', 'status', 'summary'], example: '--limit 20' },
  'history.rewind': { members: ['to'], example: '--writes 2' },
  'checkpoints.add': { words: 'checkpoints save', members: ['name'], example: 'before-import' },
  'checkpoints.restore': { example: 'before-import' },
  'checkpoints.delete': { example: 'before-import' },
  'shareTokens.mint': {
    words: 'share-tokens add',
    renamed: { identity: '' },
    example: '--outcome reject --first-name Mia',
  },
  'kycSessions.approve': { renamed: { identity: '' }, example: 'kycs_omar_pending --first-name Omar' },
  'kycSessions.reject': { renamed: { identity: '' }, example: 'kycs_omar_pending' },
  'cardholders.details': { words: 'cardholders show', example: 'ch_mia_approved' },
  'cardholders.addApproved': {
    words: 'cardholders add',
    renamed: { identity: '' },
    example: '--first-name Mia',
  },
  'cardholders.status': { members: ['status'], example: 'ch_mia_approved suspended' },
  'balance.topUp': { words: 'simulate top-up', members: ['amount'], example: '500' },
  'transactions.authorize': {
    words: 'simulate authorize',
    members: ['cardId', 'amount'],
    example: 'card_mia_active 12.50 --merchant restaurant',
  },
  'transactions.settle': { words: 'simulate settle', members: ['amount'], example: `${AUTHORIZED} 11.90` },
  'transactions.increment': { words: 'simulate increment', members: ['amount'], example: `${AUTHORIZED} 20` },
  'transactions.reverse': { words: 'simulate reverse', members: ['amount'], example: `${AUTHORIZED} 5` },
  'threeDSecure.start': { words: 'simulate 3ds', members: ['amount'], example: 'card_mia_active 99' },
  'threeDSecure.list': { words: 'challenges list', example: '--card-id card_mia_active' },
  'threeDSecure.get': {
    words: 'challenges show',
    example: '"$(card-sandbox simulate 3ds card_mia_active 99 --print challengeId)"',
  },
  'cards.issueActive': {
    words: 'simulate card',
    members: ['cardholderId'],
    renamed: { cardProgramId: 'program', spendControl: '' },
    example: 'ch_mia_approved --program prog_travel',
  },
  'cards.setLimits': {
    words: 'simulate limits',
    members: ['limit'],
    renamed: { spendControl: '' },
    example: 'card_mia_active --sales-daily 500',
  },
  'events.raise': {
    words: 'trigger',
    members: ['eventType'],
    effect: 'delivered',
    renamed: { resourceId: 'resource' },
    example: 'card.issued --resource card_mia_active',
  },
  'deliveries.wait': {
    words: 'events wait',
    members: ['eventType'],
    renamed: { timeoutMs: 'timeout', resourceId: 'resource' },
    columns: DELIVERY_COLUMNS,
    example: 'card.issued --status delivered --timeout 10s',
  },
  'deliveries.list': { words: 'events list', columns: DELIVERY_COLUMNS, example: '--status failed' },
  'deliveries.get': { words: 'events show', example: TRIGGERED },
  'deliveries.settle': { words: 'events settle' },
  'deliveries.retry': { words: 'events retry', example: 'evt_1qgr2mj8x11cjw0v' },
  'deliveries.redeliver': { words: 'events redeliver', example: TRIGGERED },
  'requests.list': {
    columns: ['id', 'at', 'status', 'method', 'path', 'query', 'refusal'],
    example: '--status 409',
  },
  'requests.get': { words: 'requests show', example: 'req_ccfkxhs9z14667f3' },
  'coverage.get': { words: 'coverage show' },
  'coverage.example': { example: '"cards.get 404" --print scenario' },
  'faults.arm': {
    words: 'faults add',
    renamed: { delayMs: 'delay' },
    twin: 'webhookFaults.add',
    insteadFor: 'kind',
    example: '--path /partner/cards --status 503 --times 2',
  },
  'faults.list': { twin: 'webhookFaults.list' },
  'faults.clear': { twin: 'webhookFaults.clear' },
  'faults.remove': { example: '"$(card-sandbox faults add --status 503 --print id)"' },
  'webhookFaults.remove': {
    words: 'faults remove-webhook',
    example: '"$(card-sandbox faults add --kind drop --print id)"',
  },
  'worlds.list': { columns: ['id', 'createdAt', 'lastUsedAt', 'dashboardUrl'] },
  'worlds.get': { words: 'worlds show', example: 'blue' },
  'worlds.remove': { example: 'blue' },
  'stories.get': { example: 'card-lifecycle' },
  'stories.play': { example: 'card-lifecycle --to 2' },
  'partners.getSettings': { example: 'partner_acme' },
  'partners.updateSettings': { example: 'partner_acme --low-threshold 500' },
  'partners.rotateKey': { example: 'partner_acme --grace-period 1h' },
  'kycSessions.details': { words: 'kyc-sessions show', example: 'kycs_omar_pending' },
  'cardholders.kyc.approve': { example: 'ch_nora_in_flight' },
  'cardholders.kyc.reject': { example: 'ch_nora_in_flight' },
  'records.cardholders': { words: 'cardholders list' },
  'records.cards': { words: 'cards list' },
  'records.transactions': { words: 'transactions list' },
  'records.programs': { words: 'card-programs list' },
  'records.kyc-sessions': { words: 'kyc-sessions list' },
  'records.share-tokens': { words: 'share-tokens list' },
  'cards.details': { words: 'cards show', example: 'card_mia_active' },
  'transactions.details': { words: 'transactions show', example: AUTHORIZED },
  'programs.details': { words: 'card-programs show', example: 'prog_travel' },
  'shareTokens.details': { words: 'share-tokens show', example: 'tok_ana_approve' },
  'webhooks.changeConfig': {
    example: '--webhook-url https://partner.test/webhooks --webhook-secret a-secret-of-some-length',
  },
};

/** The nouns of the control plane, which are commands with subcommands, with what help says about each. */
export const NOUNS: Readonly<Record<string, string>> = {
  assumptions: 'Decisions of the sandbox where the interface is silent.',
  balance: "A partner's balance.",
  'card-programs': "A partner's card programs.",
  cardholders: "Cardholders as the card provider sees them, and changes on the provider's side.",
  cards: "A partner's cards.",
  challenges: '3-D Secure challenges, as their cardholders see them.',
  checkpoints: 'In-memory snapshots of all state.',
  clock: 'The sandbox clock.',
  coverage: 'Conditions of the interface, and which the world has seen.',
  events: 'Webhook deliveries.',
  faults: 'Injected faults, for the API and for webhooks.',
  history: 'Requests to the world, and the way back.',
  'kyc-sessions': 'Sessions of the hosted KYC page.',
  partners: 'Partners, their settings and API keys.',
  requests: 'Requests to the API, and the reasons for the responses.',
  'share-tokens': 'Identities of people, as the identity provider hands them over.',
  state: 'All state, as one file.',
  stories: 'Stories of the presenter.',
  transactions: "A partner's transactions.",
  webhooks: 'Webhook configuration of a partner.',
  worlds: 'Worlds: isolated sandboxes in the running server.',
};

/**
 * Words of commands that have moved, with their present words. They work, and neither help nor completion lists them. A
 * longer one precedes its beginning.
 */
export const FORMER_WORDS: Readonly<Record<string, string>> = {
  'share-token': 'share-tokens add',
  checkpoint: 'checkpoints',
  'records cardholders': 'cardholders list',
  'records cards': 'cards list',
  'records transactions': 'transactions list',
  'records programs': 'card-programs list',
  'records kyc-sessions': 'kyc-sessions list',
  'records share-tokens': 'share-tokens list',
  'cards details': 'cards show',
  'transactions details': 'transactions show',
  'programs details': 'card-programs show',
  'kyc-sessions details': 'kyc-sessions show',
  'share-tokens details': 'share-tokens show',
};
