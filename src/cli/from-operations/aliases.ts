/** A command whose words or flags differ from those that the operation's id and schemas would give. */
export interface Alias {
  /** The operation: method, and path with `{}` for each parameter. */
  readonly call: string;
  /**
   * The command's words, then its arguments: `<name>` for a parameter of the path, `[name]` for a member of query or
   * body, which has a flag as well.
   */
  readonly words: string;
  /** Names of flags by dotted member name; the value `''` drops the member's name from the flags below it. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Reads the body from a file, or writes the response to one. */
  readonly file?: 'read' | 'write';
  /** A second operation, called as well, or instead of the first when the named member is set. */
  readonly with?: { readonly call: string; readonly insteadFor?: string };
  /** The members of records to show to people. Default: all. */
  readonly columns?: readonly string[];
  /** The rest of the command line in the example of the help. */
  readonly example: string;
}

/** Control operations that the command of another one serves, or a hand-written one, with its words. */
export const servedElsewhere: Readonly<Record<string, string>> = {
  'GET /stream': 'tail',
  'GET /history/export': 'history export',
  'POST /stop': 'stop',
  'POST /checkpoints/{}': 'checkpoint save',
  'POST /3ds/{}/verify': 'simulate 3ds-verify',
  'POST /worlds': 'worlds add',
  'GET /forwarding': 'forward',
  'PUT /forwarding': 'forward',
  'DELETE /forwarding': 'forward',
};

/** Substitutions of a shell that make something to name. */
const AUTHORIZED = '"$(card-sandbox simulate authorize card_mia_active 12.50 --print id)"';
const CHALLENGE = '"$(card-sandbox simulate 3ds card_mia_active 99 --print challengeId)"';
const TRIGGERED = '"$(card-sandbox trigger card.issued --print id)"';

const DELIVERY_COLUMNS = ['id', 'eventType', 'status', 'cause', 'createdAt'];

/**
 * Commands with other words than their operation's id. An operation without an alias has the command that its id
 * spells: `partners.rotateKey` is `partners rotate-key <id>`.
 */
export const aliases: readonly Alias[] = [
  { call: 'GET /clock', words: 'clock now', example: '' },
  { call: 'POST /clock/advance', words: 'clock advance [duration]', example: '24h' },
  { call: 'POST /clock/freeze', words: 'clock freeze [at]', example: '2026-01-31T23:59:00Z' },
  { call: 'GET /state', words: 'state save [FILE]', file: 'write', example: 'state.json' },
  { call: 'PUT /state', words: 'state load <FILE>', file: 'read', example: 'state.json' },
  { call: 'POST /state/save', words: 'state keep', example: '' },
  {
    call: 'GET /history',
    words: 'history list',
    columns: ['id', 'at', 'method', 'path', 'status', 'summary'],
    example: '--limit 20',
  },
  { call: 'POST /rewind', words: 'history rewind [to]', example: '--steps 2' },
  { call: 'GET /checkpoints', words: 'checkpoint list', example: '' },
  { call: 'POST /checkpoints', words: 'checkpoint save [name]', example: 'before-import' },
  { call: 'POST /checkpoints/{}/restore', words: 'checkpoint restore <name>', example: 'before-import' },
  { call: 'DELETE /checkpoints/{}', words: 'checkpoint delete <name>', example: 'before-import' },
  {
    call: 'POST /share-tokens',
    words: 'share-token',
    renamed: { identity: '' },
    example: '--outcome reject --first-name Mia',
  },
  {
    call: 'POST /kyc-sessions/{}/approve',
    words: 'kyc-sessions approve <id>',
    renamed: { identity: '' },
    example: 'kycs_omar_pending --first-name Omar',
  },
  {
    call: 'POST /kyc-sessions/{}/reject',
    words: 'kyc-sessions reject <id>',
    renamed: { identity: '' },
    example: 'kycs_omar_pending',
  },
  { call: 'GET /cardholders/{}', words: 'cardholders show <id>', example: 'ch_mia_approved' },
  {
    call: 'POST /cardholders',
    words: 'cardholders add',
    renamed: { identity: '' },
    example: '--first-name Mia',
  },
  {
    call: 'POST /cardholders/{}/status',
    words: 'cardholders status <id> [status]',
    example: 'ch_mia_approved suspended',
  },
  { call: 'POST /balance/top-up', words: 'simulate top-up [amount]', example: '500' },
  {
    call: 'POST /transactions',
    words: 'simulate authorize [cardId] [amount]',
    example: 'card_mia_active 12.50 --merchant restaurant',
  },
  {
    call: 'POST /transactions/{}/settle',
    words: 'simulate settle <id> [amount]',
    example: `${AUTHORIZED} 11.90`,
  },
  {
    call: 'POST /transactions/{}/increment',
    words: 'simulate increment <id> [amount]',
    example: `${AUTHORIZED} 20`,
  },
  {
    call: 'POST /transactions/{}/reverse',
    words: 'simulate reverse <id> [amount]',
    example: `${AUTHORIZED} 5`,
  },
  { call: 'POST /cards/{}/3ds', words: 'simulate 3ds <id> [amount]', example: 'card_mia_active 99' },
  { call: 'GET /3ds', words: 'challenges list', example: '--card-id card_mia_active' },
  {
    call: 'GET /3ds/{}',
    words: 'challenges show <challengeId>',
    example: CHALLENGE,
  },
  {
    call: 'POST /cards/issue',
    words: 'simulate card [cardholderId]',
    renamed: { cardProgramId: 'program', spendControl: '' },
    example: 'ch_mia_approved --program prog_travel',
  },
  {
    call: 'PATCH /cards/{}/limits',
    words: 'simulate limits <id> [limit]',
    renamed: { spendControl: '' },
    example: 'card_mia_active --sales-daily 500',
  },
  {
    call: 'POST /events',
    words: 'trigger [eventType]',
    renamed: { resourceId: 'resource' },
    example: 'card.issued --resource card_mia_active',
  },
  {
    call: 'POST /wait',
    words: 'events wait [eventType]',
    renamed: { timeoutMs: 'timeout', resourceId: 'resource' },
    columns: DELIVERY_COLUMNS,
    example: 'card.issued --status delivered --timeout 10s',
  },
  { call: 'GET /deliveries', words: 'events list', columns: DELIVERY_COLUMNS, example: '--status failed' },
  {
    call: 'GET /deliveries/{}',
    words: 'events show <id>',
    example: TRIGGERED,
  },
  { call: 'POST /deliveries/settle', words: 'events settle', example: '' },
  { call: 'POST /deliveries/{}/retry', words: 'events retry <id>', example: 'evt_1qgr2mj8x11cjw0v' },
  {
    call: 'POST /deliveries/{}/redeliver',
    words: 'events redeliver <id>',
    example: TRIGGERED,
  },
  {
    call: 'GET /requests',
    words: 'requests list',
    columns: ['id', 'at', 'status', 'method', 'path', 'query', 'refusal'],
    example: '--status 409',
  },
  { call: 'GET /requests/{}', words: 'requests show <id>', example: 'req_ccfkxhs9z14667f3' },
  {
    call: 'POST /faults',
    words: 'faults add',
    renamed: { delayMs: 'delay' },
    with: { call: 'POST /webhook-faults', insteadFor: 'kind' },
    example: '--path /partner/cards --status 503 --times 2',
  },
  { call: 'GET /faults', words: 'faults list', with: { call: 'GET /webhook-faults' }, example: '' },
  { call: 'DELETE /faults', words: 'faults clear', with: { call: 'DELETE /webhook-faults' }, example: '' },
  {
    call: 'DELETE /faults/{}',
    words: 'faults remove <id>',
    example: '"$(card-sandbox faults add --status 503 --print id)"',
  },
  {
    call: 'GET /worlds',
    words: 'worlds list',
    columns: ['id', 'createdAt', 'lastUsedAt', 'dashboardUrl'],
    example: '',
  },
  { call: 'GET /worlds/{}', words: 'worlds show <id>', example: 'blue' },
  { call: 'DELETE /worlds/{}', words: 'worlds remove <id>', example: 'blue' },
];
