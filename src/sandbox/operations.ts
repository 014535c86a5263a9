import type { Operation } from '../core/operation/operation.ts';
import { controlGroups, partnerGroups } from './operation-groups.ts';

export { EVENT_MEANINGS } from '../service/webhooks/event-types.ts';
export { payloads } from '../service/webhooks/payloads.ts';

/** All operations: the API first, then the control plane. */
export const operations: readonly Operation[] = [
  ...partnerGroups.flatMap(group => group.operations()),
  ...controlGroups.flatMap(group => group.operations()),
];
