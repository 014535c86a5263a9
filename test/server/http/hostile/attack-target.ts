import { expect } from 'vitest';
import { createCard } from '../../../support/cardholders.ts';
import type { AtEnd } from '../../../support/cli-process.ts';
import { startSandbox, type TestSandbox } from '../../../support/sandbox.ts';

const READS = [
  '/partner/cardholders',
  '/partner/cards',
  '/partner/card-programs',
  '/partner/usage/records',
  '/partner/webhooks/config',
];

/** A sandbox with records that a hostile request could change. */
export interface AttackTarget extends TestSandbox {
  /** Fails unless all records are readable and unchanged and no bug was reported. */
  expectUnharmed(): Promise<void>;
}

/** Starts a sandbox with a card and remembers its records. */
export async function startAttackTarget(atEnd?: AtEnd): Promise<AttackTarget> {
  const bugs: unknown[] = [];
  const sandbox = await startSandbox({ rateLimit: 0 }, { onBug: error => bugs.push(error) }, {}, atEnd);
  await createCard(sandbox);
  const config = { webhookUrl: 'https://hooks.example/', webhookSecret: 'a-secret-of-16-characters' };
  await sandbox.api('PATCH', '/partner/webhooks/config', config);
  const state = async () => {
    const replies = await Promise.all(READS.map(path => sandbox.api('GET', path)));
    const settings = await sandbox.control('GET', '/partners/partner_acme/settings');
    return [...replies, settings].map(({ status, body }) => ({ status, body }));
  };
  const before = await state();
  return {
    ...sandbox,
    async expectUnharmed() {
      expect(bugs).toEqual([]);
      expect(await state()).toEqual(before);
    },
  };
}

/** Fails unless a response is the simple error body with a status, and reveals no internals. */
export function expectSimpleError(response: { status: number; text: string }, status: number): void {
  expect({ status: response.status, body: parsed(response.text) }).toEqual({
    status,
    body: { success: false, error: expect.stringMatching(/./) },
  });
  expect(response.text).not.toMatch(/node_modules|node:internal|\.[tj]s:\d|\bat \w+ \(/);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 200)}`;
  }
}
