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
    const { available, held } = tables.balances.find((row: Json) => row.id === id);
    const [inFlight, settled] = [sum('authorized', 'amount'), sum('settled', 'settledAmount')];
    const paidIn = opening + (toppedUp[partner] ?? 0);
    holds(held === inFlight, `${id} holds ${held}, and ${inFlight} is authorized`);
    holds(
      available + held + settled === paidIn,
      `${id}: ${available} + ${held} + ${settled} is not ${paidIn}`,
    );
    const excess = tables.transactions
      .filter((row: Json) => row.partnerId === id && row.settledAmount > row.amount)
      .reduce((total: number, row: Json) => total + row.settledAmount - row.amount, 0);
    holds(available >= -excess, `${id} has ${available} available, and ${excess} was settled beyond holds`);
  });

  const spent = new Map<string, number>();
  for (const { cardId, type, status, amount, settledAmount, createdAt } of tables.transactions) {
    const charged = { authorized: amount, settled: settledAmount, declined: 0, reversed: 0 }[String(status)];
    for (const period of [createdAt.slice(0, 10), createdAt.slice(0, 7), 'always']) {
      const key = `${period} ${cardId} ${type === 'sale' ? 'sales' : 'cash'}`;
      spent.set(key, (spent.get(key) ?? 0) + charged);
    }
  }
  for (const { id, sales, cash } of tables.spendWindows) {
    holds(
      sales === (spent.get(`${id} sales`) ?? 0),
      `${id}: sales of ${sales} is not the sum of its transactions`,
    );
    holds(
      cash === (spent.get(`${id} cash`) ?? 0),
      `${id}: cash of ${cash} is not the sum of its transactions`,
    );
  }

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
