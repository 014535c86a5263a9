import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '../../src/options.ts';
import { type InProcess, inProcess } from './in-process.ts';

/** Fixtures with cards to spend with, and 1000 (acme) and 500 (globex) to spend. */
export const NETWORK = ['empty', fileURLToPath(new URL('./card-network.yaml', import.meta.url))];

/** A sandbox with those fixtures, and short ways to use its cards. */
export interface CardNetwork extends InProcess {
  /** Uses a card; answers with the transaction. */
  pay(cardId: string, amount: number, members?: object): ReturnType<InProcess['control']>;
  advance(duration: string): Promise<unknown>;
  /** What the card has spent, as its read shows it. */
  spent(cardId: string): Record<'sales' | 'cash', Record<string, number>>;
  /** `type status` of each event since the last call, with what is available for those of the balance. */
  heard(): string[];
}

/** Builds a sandbox whose cards can be used. */
export function cardNetwork(options: SandboxOptions = {}): CardNetwork {
  const sandbox = inProcess({ fixtures: NETWORK, ...options });
  let told = 0;
  return {
    ...sandbox,
    pay: (cardId, amount, members = {}) =>
      sandbox.control('POST', '/transactions', { cardId, amount, ...members }),
    advance: duration => sandbox.control('POST', '/clock/advance', { duration }),
    spent: cardId => sandbox.api('GET', `/partner/cards/${cardId}`).body.spendControl.spent,
    heard() {
      const fresh = sandbox.events.slice(told);
      told = sandbox.events.length;
      return fresh.map(({ type, data }) => {
        // Events carry the record that their type is about.
        const { status, available } = data as { status?: string; available?: number };
        return [type, status ?? available].join(' ').trim();
      });
    },
  };
}
