import { expect } from 'vitest';
import { issued } from '../../support/fixtures/people.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const READS = [
  '/partner/cardholders',
  '/partner/cards',
  '/partner/card-programs',
  '/partner/usage/records',
  '/partner/webhooks/config',
];

/** A sandbox with something in it that a hostile request could harm. */
export interface Attacked extends TestSandbox {
  /** Fails unless everything can still be read, is as it was, and no fault of our own was told. */
  unharmed(): Promise<void>;
}

/** Starts a sandbox with a card in it and remembers what can be read. */
export async function startAttacked(): Promise<Attacked> {
  const bugs: unknown[] = [];
  const sandbox = await startSandbox({ rateLimit: 0 }, { onBug: error => bugs.push(error) });
  await issued(sandbox);
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
    async unharmed() {
      expect(bugs).toEqual([]);
      expect(await state()).toEqual(before);
    },
  };
}

/** Fails unless an answer is the simple error body with this status, and gives nothing of the inside away. */
export function expectSimpleError(answer: { status: number; text: string }, status: number): void {
  expect({ status: answer.status, body: parsed(answer.text) }).toEqual({
    status,
    body: { success: false, error: expect.stringMatching(/./) },
  });
  expect(answer.text).not.toMatch(/node_modules|node:internal|\.[tj]s:\d|\bat \w+ \(/);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 200)}`;
  }
}
