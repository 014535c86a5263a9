import type { ControlApi } from '../../client/generated/control-api.ts';

/** What a command adds to the operation that it calls, whose schemas give its flags. */
export interface OperationCommand {
  readonly operation: keyof ControlApi;
  /** Members of query or body that are arguments, after the parameters of the path. They have flags as well. */
  readonly members?: readonly string[];
  /** Names of flags by dotted member name; the value `''` drops the member's name from the flags below it. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Reads the body from a file, or writes the response to one. */
  readonly file?: 'read' | 'write';
  /** The id of a second operation, called as well, or instead of the first when a flag of `insteadFor` is set. */
  readonly twin?: keyof ControlApi;
  readonly insteadFor?: string;
  /** The members of records to show to people. Default: all. */
  readonly columns?: readonly string[];
  /**
   * The member of the response that is false, beside a `cause`, when the operation had no effect: exit code 1. So it is for
   * a delivery that has failed before any attempt.
   */
  readonly effect?: string;
  /** The rest of the command line in the example of the help. Default: the names of the parameters. */
  readonly example?: string;
}

/** Substitutions of a shell that make something to name. */
const AUTHORIZED = '"$(card-sandbox simulate authorize card_mia_active 12.50 --print id)"';
const TRIGGERED = '"$(card-sandbox trigger card.issued --print id)"';

const DELIVERY_COLUMNS = ['id', 'createdAt', 'eventType', 'status', 'cause'];

export const OPERATION_COMMANDS: Readonly<Record<string, OperationCommand>> = {
  reset: { operation: 'reset' },
  'assumptions list': { operation: 'assumptions.list' },
  'balance show': { operation: 'balance.show' },
  'card-programs list': { operation: 'records.programs' },
  'cardholders add': {
    operation: 'cardholders.addApproved',
    renamed: { identity: '' },
    example: '--first-name Mia',
  },
  'cardholders list': { operation: 'records.cardholders' },
  'cardholders show': { operation: 'cardholders.details', example: 'ch_mia_approved' },
  'cardholders status': {
    operation: 'cardholders.status',
    members: ['status'],
    example: 'ch_mia_approved suspended',
  },
  'cards list': { operation: 'records.cards' },
  'cards show': { operation: 'cards.details', example: 'card_mia_active' },
  'challenges list': { operation: 'threeDSecure.list', example: '--card-id card_mia_active' },
  'challenges show': {
    operation: 'threeDSecure.get',
    example: '"$(card-sandbox simulate 3ds card_mia_active 99 --print challengeId)"',
  },
  'checkpoints list': { operation: 'checkpoints.list' },
  'checkpoints restore': { operation: 'checkpoints.restore', example: 'before-import' },
  'checkpoints save': { operation: 'checkpoints.save', example: 'before-import' },
  'clock advance': { operation: 'clock.advance', members: ['duration'], example: '24h' },
  'clock freeze': { operation: 'clock.freeze', members: ['at'], example: '2026-01-31T23:59:00Z' },
  'clock now': { operation: 'clock.get', example: '--timers 5' },
  'clock resume': { operation: 'clock.resume' },
  'coverage show': {
    operation: 'coverage.get',
    // On a terminal the ids leave little room, and the count is what one looks for.
    columns: ['id', 'count', 'fidelity', 'section', 'kind', 'firstAt'],
  },
  'events list': { operation: 'deliveries.list', columns: DELIVERY_COLUMNS, example: '--status failed' },
  'events retry': { operation: 'deliveries.retry', example: 'evt_1qgr2mj8x11cjw0v' },
  'events settle': { operation: 'deliveries.settle' },
  'events show': { operation: 'deliveries.get', example: TRIGGERED },
  'events wait': {
    operation: 'deliveries.wait',
    members: ['eventType'],
    renamed: { resourceId: 'resource' },
    columns: DELIVERY_COLUMNS,
    example: 'card.issued --status delivered --timeout 10s',
  },
  'faults add': {
    operation: 'faults.arm',
    twin: 'webhookFaults.add',
    insteadFor: 'kind',
    example: '--path /partner/cards --status 503 --times 2',
  },
  'faults clear': { operation: 'faults.clear', twin: 'webhookFaults.clear' },
  'faults list': { operation: 'faults.list', twin: 'webhookFaults.list' },
  'faults remove': {
    operation: 'faults.remove',
    example: '"$(card-sandbox faults add --status 503 --print id)"',
  },
  'history list': {
    operation: 'history.list',
    columns: ['id', 'at', 'method', 'path', 'status', 'summary'],
    example: '--limit 20',
  },
  'history rewind': { operation: 'history.rewind', members: ['to'], example: '--writes 2' },
  info: { operation: 'info' },
  'kyc-sessions approve': {
    operation: 'kycSessions.approve',
    renamed: { identity: '' },
    example: 'kycs_omar_pending --first-name Omar',
  },
  'kyc-sessions list': { operation: 'records.kyc-sessions' },
  'kyc-sessions reject': {
    operation: 'kycSessions.reject',
    renamed: { identity: '' },
    example: 'kycs_omar_pending',
  },
  'partners add': { operation: 'partners.add' },
  'partners get-settings': { operation: 'partners.getSettings', example: 'partner_acme' },
  'partners list': { operation: 'partners.list' },
  'partners rotate-key': { operation: 'partners.rotateKey', example: 'partner_acme --grace-period 1h' },
  'partners update-settings': {
    operation: 'partners.updateSettings',
    example: 'partner_acme --low-threshold 500',
  },
  'requests list': {
    operation: 'requests.list',
    columns: ['id', 'at', 'status', 'method', 'path', 'refusal', 'query'],
    example: '--status 409',
  },
  'requests show': { operation: 'requests.get', example: 'req_ccfkxhs9z14667f3' },
  'share-tokens add': {
    operation: 'shareTokens.mint',
    renamed: { identity: '' },
    example: '--outcome reject --first-name Mia',
  },
  'share-tokens list': { operation: 'records.share-tokens' },
  'simulate 3ds': { operation: 'threeDSecure.start', members: ['amount'], example: 'card_mia_active 99' },
  'simulate authorize': {
    operation: 'transactions.authorize',
    members: ['cardId', 'amount'],
    example: 'card_mia_active 12.50 --merchant restaurant',
  },
  'simulate card': {
    operation: 'cards.issueActive',
    members: ['cardholderId'],
    renamed: { cardProgramId: 'program', spendControl: '' },
    example: 'ch_mia_approved --program prog_travel',
  },
  'simulate increment': {
    operation: 'transactions.increment',
    members: ['amount'],
    example: `${AUTHORIZED} 20`,
  },
  'simulate limits': {
    operation: 'cards.setLimits',
    members: ['limit'],
    renamed: { spendControl: '' },
    example: 'card_mia_active --sales-daily 500',
  },
  'simulate reverse': { operation: 'transactions.reverse', members: ['amount'], example: `${AUTHORIZED} 5` },
  'simulate settle': {
    operation: 'transactions.settle',
    members: ['amount'],
    example: `${AUTHORIZED} 11.90`,
  },
  'simulate top-up': { operation: 'balance.topUp', members: ['amount'], example: '500' },
  'state load': { operation: 'state.put', file: 'read', example: 'state.json' },
  'state save': { operation: 'state.get', file: 'write', example: 'state.json' },
  'transactions list': { operation: 'records.transactions' },
  'transactions show': { operation: 'transactions.details', example: AUTHORIZED },
  trigger: {
    operation: 'events.raise',
    members: ['eventType'],
    effect: 'delivered',
    renamed: { resourceId: 'resource' },
    example: 'card.issued --resource card_mia_active',
  },
  'webhooks change-config': {
    operation: 'webhooks.changeConfig',
    example: '--webhook-url https://partner.test/webhooks --webhook-secret a-secret-of-some-length',
  },
  'webhooks show-config': { operation: 'webhooks.showConfig' },
  'worlds list': {
    operation: 'worlds.list',
    columns: ['id', 'createdAt', 'lastUsedAt', 'dashboardUrl'],
  },
  'worlds remove': { operation: 'worlds.remove', example: 'blue' },
  'worlds show': { operation: 'worlds.get', example: 'blue' },
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
  transactions: "A partner's transactions.",
  webhooks: 'Webhook configuration of a partner.',
  worlds: 'Worlds: isolated sandboxes in the running server.',
};
