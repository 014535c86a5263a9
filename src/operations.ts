import { balanceControlOperations } from './control/balance.ts';
import { clockOperations } from './control/clock.ts';
import { deliveryOperations } from './control/deliveries.ts';
import { eventOperations } from './control/events.ts';
import { faultOperations } from './control/faults.ts';
import { identityOperations } from './control/identity.ts';
import { partnerOperations } from './control/partners.ts';
import { recordOperations } from './control/records.ts';
import { requestOperations } from './control/requests.ts';
import { sandboxOperations } from './control/sandbox.ts';
import { stateOperations } from './control/state.ts';
import { streamOperations } from './control/stream.ts';
import { threeDSecureOperations } from './control/three-d-secure.ts';
import { transactionControlOperations } from './control/transactions.ts';
import { webhookConfigOperations } from './control/webhook-config.ts';
import { webhookFaultOperations } from './control/webhook-faults.ts';
import type { Operation } from './kernel/operation.ts';
import { balanceOperations } from './resources/balance/operations.ts';
import { cardholderOperations } from './resources/cardholders/operations.ts';
import { cardOperations } from './resources/cards/operations.ts';
import { kycOperations } from './resources/kyc/operations.ts';
import { programOperations } from './resources/programs/operations.ts';
import { revealOperations } from './resources/reveal/operations.ts';
import { transactionOperations } from './resources/transactions/operations.ts';
import { usageOperations } from './resources/usage/operations.ts';
import { webhookOperations } from './resources/webhooks/operations.ts';

export { EVENT_MEANINGS } from './resources/webhooks/meanings.ts';
export { payloads } from './resources/webhooks/payloads.ts';

/** The table: every operation there is, partners' first, then the control plane's. */
export const operations: readonly Operation[] = [
  ...cardholderOperations,
  ...kycOperations,
  ...programOperations,
  ...cardOperations,
  ...revealOperations,
  ...transactionOperations,
  ...balanceOperations,
  ...usageOperations,
  ...webhookOperations,
  ...sandboxOperations,
  ...stateOperations,
  ...clockOperations,
  ...partnerOperations,
  ...identityOperations,
  ...eventOperations,
  ...deliveryOperations,
  ...webhookFaultOperations,
  ...transactionControlOperations,
  ...threeDSecureOperations,
  ...balanceControlOperations,
  ...requestOperations,
  ...faultOperations,
  ...streamOperations,
  ...recordOperations,
  ...webhookConfigOperations,
];
