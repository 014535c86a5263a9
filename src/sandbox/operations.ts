import { balanceControlOperations } from '../control/network/balance.ts';
import { cardControlOperations } from '../control/network/cards.ts';
import { threeDSecureOperations } from '../control/network/three-d-secure.ts';
import { transactionControlOperations } from '../control/network/transactions.ts';
import { identityOperations } from '../control/people/identity.ts';
import { partnerOperations } from '../control/people/partners.ts';
import { recordOperations } from '../control/people/records.ts';
import { deliveryOperations } from '../control/webhooks/deliveries.ts';
import { eventOperations } from '../control/webhooks/events.ts';
import { forwardingOperations } from '../control/webhooks/forwarding.ts';
import { webhookConfigOperations } from '../control/webhooks/webhook-config.ts';
import { webhookFaultOperations } from '../control/webhooks/webhook-faults.ts';
import { clockOperations } from '../control/world/clock.ts';
import { faultOperations } from '../control/world/faults.ts';
import { processOperations } from '../control/world/process.ts';
import { requestOperations } from '../control/world/requests.ts';
import { sandboxOperations } from '../control/world/sandbox.ts';
import { stateOperations } from '../control/world/state.ts';
import { storyOperations } from '../control/world/stories.ts';
import { streamOperations } from '../control/world/stream.ts';
import { worldOperations } from '../control/world/worlds.ts';
import { historyOperations } from '../history/operations.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { balanceOperations } from '../resources/balance/operations.ts';
import { cardholderOperations } from '../resources/cardholders/operations.ts';
import { cardOperations } from '../resources/cards/operations.ts';
import { kycOperations } from '../resources/kyc/operations.ts';
import { programOperations } from '../resources/programs/operations.ts';
import { revealOperations } from '../resources/reveal/operations.ts';
import { transactionOperations } from '../resources/transactions/operations.ts';
import { usageOperations } from '../resources/usage/operations.ts';
import { webhookOperations } from '../resources/webhooks/operations.ts';

export { payloads } from '../resources/webhooks/delivery/payloads.ts';
export { EVENT_MEANINGS } from '../resources/webhooks/event-types.ts';

/** The table of operations: those of the API, then those of the control plane. */
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
  ...worldOperations,
  ...processOperations,
  ...stateOperations,
  ...historyOperations,
  ...storyOperations,
  ...clockOperations,
  ...partnerOperations,
  ...identityOperations,
  ...eventOperations,
  ...deliveryOperations,
  ...forwardingOperations,
  ...webhookFaultOperations,
  ...transactionControlOperations,
  ...cardControlOperations,
  ...threeDSecureOperations,
  ...balanceControlOperations,
  ...requestOperations,
  ...faultOperations,
  ...streamOperations,
  ...recordOperations,
  ...webhookConfigOperations,
];
