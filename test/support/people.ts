import type { TestSandbox } from './sandbox.ts';
import { newCardholder } from './sandbox.ts';

/** The program of partner Acme in the fixture `empty`. */
export const PROGRAM = 'prog_everyday';

/** Creates a cardholder and returns its id. */
export async function created(sandbox: TestSandbox, members: Record<string, unknown> = {}): Promise<string> {
  const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder(members));
  return body.id;
}

/** Creates a cardholder whose KYC is with the provider, and returns its id. */
export async function submitted(
  sandbox: TestSandbox,
  members: Record<string, unknown> = {},
): Promise<string> {
  const id = await created(sandbox, members);
  await sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: PROGRAM });
  return id;
}

/** Creates a cardholder who has passed KYC, and returns its id. */
export async function approved(sandbox: TestSandbox, members: Record<string, unknown> = {}): Promise<string> {
  const id = await submitted(sandbox, members);
  await sandbox.control('POST', `/cardholders/${id}/kyc/approve`);
  return id;
}

/** Issues a card to a new, approved cardholder and returns it. */
export async function issued(sandbox: TestSandbox, members: Record<string, unknown> = {}) {
  const cardholderId = await approved(sandbox);
  const { body } = await sandbox.api('POST', '/partner/cards', {
    cardholderId,
    cardProgramId: PROGRAM,
    ...members,
  });
  return body;
}
