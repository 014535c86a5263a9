import { OPERATIONS } from '../../../client/generated/operations.ts';
import type { ExamOperation, Misbehaviour } from '../misbehaviour.ts';
import { conditions } from './conditions.ts';
import { otherRecords } from './records.ts';
import { failedRequests, lostConnections } from './requests.ts';
import { forgeries, webhooks } from './webhooks.ts';

/** The operations of the API. */
export const apiOperations: readonly ExamOperation[] = OPERATIONS.filter(({ plane }) => plane === 'partner');

/** Every misbehaviour, in the order in which they are tried. */
export const catalogue: readonly Misbehaviour[] = [
  ...apiOperations.filter(({ method }) => method !== 'GET').flatMap(lostConnections),
  ...failedRequests,
  ...webhooks,
  ...otherRecords,
  ...conditions,
  ...forgeries,
];
