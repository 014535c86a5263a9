import type { Json } from '../../support/sandbox.ts';
import { PARTNERS } from './state.ts';

/** What the sandbox has accepted since the start. */
interface Accepted {
  readonly tokens: number;
  readonly toppedUp: readonly number[];
}

/** The violations of invariants in a state document. The invariants hold after any actions in any order. */
export function violatedInvariants({ tables, clock }: Json, { tokens, toppedUp }: Accepted): string[] {
  const violations: string[] = [];
  const holds = (isTrue: boolean, message: string) => {
    if (!isTrue) violations.push(message);
  };
  const byId = new Map<string, Json>(
    [...tables.cardholders, ...tables.cards, ...tables.transactions].map((row: Json) => [row.id, row]),
  );

  PARTNERS.forEach(({ id, opening }, partner) => {
    const sum = (status: string, field: string) =>
      tables.transactions
        .filter((row: Json) => row.partnerId === id && row.status === status)
        .reduce((total: number, row: Json) => total + row[field], 0);
    const { available } = tables.balances.find((row: Json) => row.id === id);
    const [held, settled] = [sum('authorized', 'amount'), sum('settled', 'settledAmount')];
    const paidIn = opening + (toppedUp[partner] ?? 0);
    holds(
      available + held + settled === paidIn,
      `${id}: ${available} + ${held} + ${settled} is not ${paidIn}`,
    );
    const excess = tables.transactions
      .filter((row: Json) => row.partnerId === id && row.settledAmount > row.amount)
      .reduce((total: number, row: Json) => total + row.settledAmount - row.amount, 0);
    holds(available >= -excess, `${id} has ${available} available, and ${excess} was settled beyond holds`);
  });

  for (const { id, cardholderId, partnerId } of tables.cards) {
    const holder = byId.get(cardholderId);
    holds(holder?.kycStatus === 'approved', `${id} is a card of ${cardholderId}, who is not approved`);
    holds(holder?.partnerId === partnerId, `${id} and its cardholder have different partners`);
  }
  for (const { id, cardId, partnerId } of tables.transactions) {
    holds(byId.get(cardId)?.partnerId === partnerId, `${id} and its card have different partners`);
  }

  const used = tables.shareTokens.filter(({ usedBy }: Json) => usedBy !== null);
  holds(used.length === tokens, `${used.length} tokens are used, and ${tokens} were accepted`);
  isUnique(tables.shareTokens, ({ partnerId, token }) => `${partnerId} ${token}`, holds);
  isUnique(tables.cardholders, ({ partnerId, email }) => `${partnerId} ${email.toLowerCase()}`, holds);
  isUnique(tables.cardholders, ({ partnerId, externalUserId }) => `${partnerId} ${externalUserId}`, holds);

  const scheduled = new Set(clock.timers.map(({ ref }: Json) => ref));
  for (const { id, status } of tables.transactions) {
    holds(
      (status === 'authorized') === scheduled.has(id),
      `${id} is ${status}, and its expiry does not match`,
    );
  }
  for (const { id, status, attempts, isManual } of tables.deliveries) {
    const isDelivered = attempts.length > 0 && attempts.at(-1).cause === null;
    holds((status === 'delivered') === isDelivered, `${id} is ${status} after ${attempts.length} attempts`);
    holds(status !== 'failed' || attempts.length >= 6, `${id} is failed after ${attempts.length} attempts`);
    holds(attempts.length <= 6 || isManual, `${id} was attempted ${attempts.length} times`);
    holds(status !== 'pending' || scheduled.has(id), `${id} is pending, and nothing is scheduled for it`);
  }
  return violations;
}

function isUnique(
  rows: Json[],
  keyOf: (row: Json) => string,
  holds: (isTrue: boolean, message: string) => void,
): void {
  const keys = rows.map(keyOf);
  holds(new Set(keys).size === keys.length, `duplicate among ${keys.join(', ')}`);
}
