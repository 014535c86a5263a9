/** A plausible bug: a line of the source and its replacement. */
export interface Bug {
  readonly name: string;
  /** The path below `src`. */
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
  /** Whether only sequences of nothing but money find it soon. */
  readonly needsMoneySequences?: true;
}

/** Bugs in every area that the model covers. The first four are found quickly. */
export const BUGS: readonly Bug[] = [
  {
    name: 'a settlement does not release the unsettled amount',
    file: 'service/transactions/rules.ts',
    right: 'moveMoney(state, row.partnerId, { available: released, held });',
    wrong: "moveMoney(state, row.partnerId, { available: row.status === 'settled' ? 0 : released, held });",
  },
  {
    name: 'a partner can read the records of another',
    file: 'core/store/table.ts',
    right: 'if (row?.partnerId === partnerId) return row;',
    wrong: 'if (row !== undefined) return row;',
  },
  {
    name: 'the last retry is missing',
    file: 'service/webhooks/sending.ts',
    right: '[1, 5, 30, 2 * 60, 24 * 60]',
    wrong: '[1, 5, 30, 2 * 60]',
  },
  {
    name: 'a card is issued without approved KYC',
    file: 'service/cards/rules.ts',
    right: "if (cardholder.kycStatus !== 'approved') {",
    wrong: "if (cardholder.kycStatus === 'rejected') {",
  },
  {
    name: 'a re-import does not consume its share token',
    file: 'service/cardholders/rules.ts',
    right: 'consume(existing.id);',
    wrong: 'void consume;',
  },
  {
    name: 'a limit cannot be used to the last cent',
    file: 'service/transactions/declines.ts',
    right: 'filter(({ limit, spent }) => spent + amount > limit)',
    wrong: 'filter(({ limit, spent }) => spent + amount >= limit)',
  },
  {
    name: 'a reversal counts for its own day instead of the day of the payment',
    file: 'service/transactions/rules.ts',
    right: 'time: row.createdAt,\n    amount: -released,',
    wrong: 'time: row.updatedAt,\n    amount: -released,',
  },
  {
    name: 'a checkpoint changes with later writes',
    file: 'core/store/persistent/indexed-rows.ts',
    right: 'this.#present = this.#present.endWith(sequence, before, this);',
    wrong: '',
  },
  {
    name: 'an imported world loses a timer',
    file: 'sandbox/state/document/state-reader.ts',
    right: 'of document.clock.timers)',
    wrong: 'of document.clock.timers.slice(1))',
  },
  {
    name: 'a rotated key never expires',
    file: 'core/access/authenticate.ts',
    right: 'validUntil !== null && state.clock.now() >= validUntil ? validUntil : null',
    wrong: 'validUntil !== null && validUntil < 0 ? validUntil : null',
  },
  {
    name: 'the balance alert repeats with every payment below the threshold',
    file: 'service/balance/rules.ts',
    right: 'if (before.available >= alertThreshold && after.available < alertThreshold) {',
    wrong: 'if (after.available < alertThreshold) {',
  },
  {
    name: 'a manual retry restarts the retry schedule',
    file: 'service/webhooks/sending.ts',
    right: 'cause === null || row.isManual ? null : retryDelay(scheduledAttempts(made),',
    wrong: 'cause === null ? null : retryDelay(row.isManual ? 1 : scheduledAttempts(made),',
  },
  {
    name: 'the limit per transaction ignores what an increment adds to',
    file: 'service/transactions/declines.ts',
    right: 'perTransaction: authorized };',
    wrong: 'perTransaction: 0 * authorized };',
  },
  {
    name: 'an increment is checked in the windows of its own day',
    file: 'service/transactions/rules.ts',
    right: 'findDecline(state, { card, type, amount, time, authorized });',
    wrong:
      'findDecline(state, { card, type, amount, authorized, time: (void time, state.clock.timestamp()) });',
    needsMoneySequences: true,
  },
  {
    name: 'a declined increment changes the amount',
    file: 'service/transactions/rules.ts',
    right: 'return decline ?? changeAuthorization(',
    wrong:
      'if (decline !== null && decline.reason !== "card_frozen") return decline;\n  return changeAuthorization(',
  },
  {
    name: 'an increment keeps the authorization from expiring',
    file: 'service/transactions/rules.ts',
    right: "if (row.status !== 'authorized') cancel(state, expiry, row.id);",
    wrong: 'cancel(state, expiry, row.id);',
  },
  {
    name: 'a settled transaction still expires',
    file: 'service/transactions/rules.ts',
    right: "if (row.status !== 'authorized') cancel(state, expiry, row.id);",
    wrong: "if (row.status === 'reversed') cancel(state, expiry, row.id);",
  },
  {
    name: 'an authorization that expires keeps its hold',
    file: 'service/transactions/rules.ts',
    right: 'const held = heldAmount(row) - before.amount;',
    wrong: "const held = row.reversalReason === 'expired' ? 0 : heldAmount(row) - before.amount;",
  },
  {
    name: 'the lifetime of the card program is ignored',
    file: 'service/programs/rules.ts',
    right: 'authorizationTtlMs === undefined ?',
    wrong: 'authorizationTtlMs !== null ?',
  },
  {
    name: 'a reversal of everything leaves an authorization of 0',
    file: 'service/transactions/rules.ts',
    right: 'if (amount < row.amount) return',
    wrong: 'if (amount <= row.amount) return',
  },
  {
    name: 'the excess of a forced settlement is taken from nobody',
    file: 'service/transactions/rules.ts',
    right: 'const released = before.amount - spentAmount(row);',
    wrong: 'const released = Math.max(0, before.amount - spentAmount(row));',
  },
  {
    name: 'a settlement for more needs no force',
    file: 'service/transactions/rules.ts',
    right: 'if (amount > row.amount && !force) {',
    wrong: 'if (amount > 2 * row.amount && !force) {',
  },
  {
    name: 'increments and forced settlements raise no balance alert',
    file: 'service/transactions/rules.ts',
    right: '\n  emitBalanceAlert(state, moved);\n  return row;',
    wrong: '\n  void moved;\n  return row;',
  },
];
