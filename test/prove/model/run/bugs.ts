/** A mistake that somebody could have made: a line of our code, and what stands there instead. */
export interface Bug {
  readonly name: string;
  /** Below `src`. */
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

/** Mistakes in every corner that the model looks into. The first four are cheap to find. */
export const BUGS: readonly Bug[] = [
  {
    name: 'a settlement does not release what it does not take',
    file: 'resources/transactions/rules.ts',
    right: 'moveMoney(world, row.partnerId, { available: released, held: -before.amount });',
    wrong:
      "moveMoney(world, row.partnerId, { available: row.status === 'settled' ? 0 : released, held: -before.amount });",
  },
  {
    name: 'a partner reads the records of another',
    file: 'kernel/store/store.ts',
    right: 'if (row === undefined || row.partnerId !== partnerId) throw notFound(',
    wrong: 'if (row === undefined) throw notFound(',
  },
  {
    name: 'the last retry is forgotten',
    file: 'resources/webhooks/delivery/retry-schedule.ts',
    right: '[1, 5, 30, 2 * 60, 24 * 60]',
    wrong: '[1, 5, 30, 2 * 60]',
  },
  {
    name: 'a card goes to somebody who has not passed KYC',
    file: 'resources/cards/rules.ts',
    right: "if (cardholder.kycStatus !== 'approved') {",
    wrong: "if (cardholder.kycStatus === 'rejected') {",
  },
  {
    name: 'a re-import does not use its share token up',
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
    name: 'what is reversed is given back to the day of the reversal',
    file: 'resources/transactions/rules.ts',
    right: 'time: row.createdAt,\n    amount: -released,',
    wrong: 'time: row.updatedAt,\n    amount: -released,',
  },
  {
    name: 'a checkpoint is changed by what happens after it',
    file: 'kernel/store/store.ts',
    right: 'this.#isShared = true;\n    return this.#contents;',
    wrong: 'return this.#contents;',
  },
  {
    name: 'an imported world forgets what was to come',
    file: 'kernel/world/state-reader.ts',
    right: 'timers: document.clock.timers.map(',
    wrong: 'timers: document.clock.timers.slice(1).map(',
  },
  {
    name: 'an old key works for ever',
    file: 'kernel/access/partners.ts',
    right: 'validUntil !== null && world.clock.now() >= validUntil ? validUntil : null',
    wrong: 'validUntil !== null && validUntil < 0 ? validUntil : null',
  },
  {
    name: 'the alert is raised again at every payment below the threshold',
    file: 'resources/balance/rules.ts',
    right: 'if (before.available >= alertThreshold && after.available < alertThreshold) {',
    wrong: 'if (after.available < alertThreshold) {',
  },
  {
    name: 'a retry by hand starts the ladder anew',
    file: 'resources/webhooks/delivery/sending.ts',
    right: 'cause === null || row.isManual ? null : retryDelay(attempts.length,',
    wrong: 'cause === null ? null : retryDelay(row.isManual ? 1 : attempts.length,',
  },
];
