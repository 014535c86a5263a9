import { VALID_INPUTS } from '../../src/sandbox/valid-inputs.ts';
import type { TestSandbox } from './sandbox.ts';
import { newCardholder } from './sandbox.ts';

/** The program of partner Acme in the fixture `empty`. */
export const CARD_PROGRAM = VALID_INPUTS['cards.issue'][0].body.cardProgramId;

/** Creates a cardholder and returns its ID. */
export async function createCardholder(
  sandbox: TestSandbox,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder(fields));
  return body.id;
}

/** Creates a cardholder, submits its KYC, and returns its ID. */
export async function createSubmittedCardholder(
  sandbox: TestSandbox,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = await createCardholder(sandbox, fields);
  await sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  return id;
}

/** Creates a cardholder with approved KYC and returns its ID. */
export async function createApprovedCardholder(
  sandbox: TestSandbox,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = await createSubmittedCardholder(sandbox, fields);
  await sandbox.control('POST', `/cardholders/${id}/kyc/approve`);
  return id;
}

/** Issues a card to a new, approved cardholder and returns the card. */
export async function createCard(sandbox: TestSandbox, fields: Record<string, unknown> = {}) {
  const cardholderId = await createApprovedCardholder(sandbox);
  const { body } = await sandbox.api('POST', '/partner/cards', {
    cardholderId,
    cardProgramId: CARD_PROGRAM,
    ...fields,
  });
  return body;
}
