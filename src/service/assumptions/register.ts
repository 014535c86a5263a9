import { cardholderAssumptions } from './cardholders.ts';
import { cardAssumptions } from './cards.ts';
import { controlPlaneAssumptions } from './control-plane.ts';
import { requestAssumptions } from './requests.ts';
import { transactionAssumptions } from './transactions.ts';
import { webhookAssumptions } from './webhooks.ts';

declare module '../../core/operation/errors.ts' {
  interface AssumptionRegister extends Record<(typeof assumptions)[number]['id'], true> {}
}

/**
 * The register: every decision that the sandbox makes where the interface is silent. `section` is the section of the
 * interface that the decision fills. Operations and refusals name the assumption that they rest on by its id.
 */
export const assumptions = [
  ...requestAssumptions,
  ...cardholderAssumptions,
  ...cardAssumptions,
  ...transactionAssumptions,
  ...webhookAssumptions,
  ...controlPlaneAssumptions,
] as const;
