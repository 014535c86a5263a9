import { historyOperations } from '../control/history/operations.ts';
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
import { coverageOperations } from '../control/world/coverage.ts';
import { faultOperations } from '../control/world/faults.ts';
import { requestOperations } from '../control/world/requests.ts';
import { sandboxOperations } from '../control/world/sandbox.ts';
import { stateOperations } from '../control/world/state.ts';
import { stop } from '../control/world/stop.ts';
import { storyOperations } from '../control/world/stories.ts';
import { streamOperations } from '../control/world/stream.ts';
import type { ControlOperation, OperationGroup, PartnerOperation } from '../core/operation/operation.ts';
import { balanceOperations } from '../service/balance/operations.ts';
import { cardholderOperations } from '../service/cardholders/operations.ts';
import { cardOperations } from '../service/cards/operations.ts';
import { kycOperations } from '../service/kyc/operations.ts';
import { transactionOperations } from '../service/network/operations.ts';
import { programOperations } from '../service/programs/operations.ts';
import { revealOperations } from '../service/reveal/operations.ts';
import { usageOperations } from '../service/usage/operations.ts';
import { webhookOperations } from '../service/webhooks/operations.ts';
import { worldOperations } from './worlds/operations.ts';

/** In the package, the modules of a group run when its operations are first read (`src/build/lazy-modules.js`). */
export const partnerGroups: readonly OperationGroup<PartnerOperation>[] = [
  { paths: ['/partner/cardholders'], operations: () => cardholderOperations },
  { paths: ['/partner/kyc-sessions'], operations: () => kycOperations },
  { paths: ['/partner/card-programs'], operations: () => programOperations },
  { paths: ['/partner/cards'], operations: () => cardOperations },
  { paths: ['/partner/cards'], operations: () => revealOperations },
  { paths: ['/partner/transactions'], operations: () => transactionOperations },
  { paths: ['/partner/balance'], operations: () => balanceOperations },
  { paths: ['/partner/usage'], operations: () => usageOperations },
  { paths: ['/partner/webhooks'], operations: () => webhookOperations },
];

/** The table of operations of the control plane. Modules run as above. */
export const controlGroups: readonly OperationGroup<ControlOperation>[] = [
  { paths: ['/health', '/info', '/reset', '/assumptions'], operations: () => sandboxOperations },
  { paths: ['/worlds'], operations: () => worldOperations },
  { paths: ['/stop'], operations: () => [stop] },
  { paths: ['/state', '/checkpoints'], operations: () => stateOperations },
  { paths: ['/history', '/rewind'], operations: () => historyOperations },
  { paths: ['/stories'], operations: () => storyOperations },
  { paths: ['/clock'], operations: () => clockOperations },
  { paths: ['/partners'], operations: () => partnerOperations },
  { paths: ['/share-tokens', '/kyc-sessions', '/cardholders'], operations: () => identityOperations },
  { paths: ['/events'], operations: () => eventOperations },
  { paths: ['/deliveries', '/wait'], operations: () => deliveryOperations },
  { paths: ['/forwarding'], operations: () => forwardingOperations },
  { paths: ['/webhook-faults'], operations: () => webhookFaultOperations },
  { paths: ['/transactions'], operations: () => transactionControlOperations },
  { paths: ['/cards'], operations: () => cardControlOperations },
  { paths: ['/cards', '/3ds'], operations: () => threeDSecureOperations },
  { paths: ['/balance'], operations: () => balanceControlOperations },
  { paths: ['/requests'], operations: () => requestOperations },
  { paths: ['/coverage'], operations: () => coverageOperations },
  { paths: ['/faults'], operations: () => faultOperations },
  { paths: ['/stream'], operations: () => streamOperations },
  {
    paths: ['/cardholders', '/cards', '/transactions', '/programs', '/kyc-sessions', '/share-tokens'],
    operations: () => recordOperations,
  },
  { paths: ['/webhooks'], operations: () => webhookConfigOperations },
];
