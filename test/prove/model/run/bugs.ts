/** A plausible bug: a line of the source and its replacement. */
export interface Bug {
  readonly name: string;
  /** The path below `src`. */
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

/** Bugs in every area that the model covers. The first four are found quickly. */
export const BUGS: readonly Bug[] = [
  {
    name: 'a settlement does not release the unsettled amount',
    file: 'resources/transactions/rules.ts',
    right: 'moveMoney(world, row.partnerId, { available: released, held });',
    wrong: "moveMoney(world, row.partnerId, { available: row.status === 'settled' ? 0 : released, held });",
  },
  {
    name: 'a partner can read the records of another',
    file: 'kernel/store/table.ts',
    right: 'if (row?.partnerId === partnerId) return row;',
    wrong: 'if (row !== undefined) return row;',
  },
  {
    name: 'the last retry is missing',
    file: 'resources/webhooks/delivery/retry-schedule.ts',
    right: '[1, 5, 30, 2 * 60, 24 * 60]',
    wrong: '[1, 5, 30, 2 * 60]',
  },
  {
    name: 'a card is issued without approved KYC',
    file: 'resources/cards/rules.ts',
    right: "if (cardholder.kycStatus !== 'approved') {",
    wrong: "if (cardholder.kycStatus === 'rejected') {",
  },
  {
    name: 'a re-import does not consume its share token',
    file: 'resources/cardholders/rules.ts',
    right: 'consume(existing.id);',
    wrong: 'void consume;',
  },
  {
    name: 'a limit cannot be used to the last cent',
    file: 'resources/transactions/declines.ts',
    right: 'filter(({ limit, spent }) => spent + amount > limit)',
    wrong: 'filter(({ limit, spent }) => spent + amount >= limit)',
  },
  {
    name: 'a reversal counts for its own day instead of the day of the payment',
    file: 'resources/transactions/rules.ts',
    right: 'time: row.createdAt,\n    amount: -released,',
    wrong: 'time: row.updatedAt,\n    amount: -released,',
  },
  {
    name: 'a checkpoint changes with later writes',
    file: 'persistent/indexed-rows.ts',
    right: 'this.#owner = newOwner();\n    this.#snapshot = {',
    wrong: 'this.#snapshot = {',
  },
  {
    name: 'an imported world loses a timer',
    file: 'state/document/state-reader.ts',
    right: 'of document.clock.timers)',
    wrong: 'of document.clock.timers.slice(1))',
  },
  {
    name: 'a rotated key never expires',
    file: 'kernel/access/partners.ts',
    right: 'validUntil !== null && world.clock.now() >= validUntil ? validUntil : null',
    wrong: 'validUntil !== null && validUntil < 0 ? validUntil : null',
  },
  {
    name: 'the balance alert repeats with every payment below the threshold',
    file: 'resources/balance/rules.ts',
    right: 'if (before.available >= alertThreshold && after.available < alertThreshold) {',
    wrong: 'if (after.available < alertThreshold) {',
  },
  {
    name: 'a manual retry restarts the retry schedule',
    file: 'resources/webhooks/delivery/sending.ts',
    right: 'cause === null || row.isManual ? null : retryDelay(scheduled.length,',
    wrong: 'cause === null ? null : retryDelay(row.isManual ? 1 : scheduled.length,',
  },
];
