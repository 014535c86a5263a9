import { requestOf } from './catalogue/requests.ts';
import { countCreated, KINDS } from './doubles.ts';
import { tellingStatuses } from './judge.ts';
import type { Disturbance, Misbehaviour } from './misbehaviour.ts';
import { type FailedCall, FIRST_REFUSAL, type RunRecord } from './run-record.ts';

/** Remarks about records that were not created and operations that were not called, although the command passed. */
export function lessThanUndisturbed(undisturbed: RunRecord, record: RunRecord): string[] {
  const called = new Set(record.history.called.map(({ id }) => id));
  const missing = undisturbed.history.called.filter(({ id }) => !called.has(id)).map(requestOf);
  return [
    ...KINDS.flatMap(kind => {
      const countIn = ({ created }: RunRecord) => created.filter(each => each.kind === kind).length;
      const [before, after] = [countIn(undisturbed), countIn(record)];
      return after < before ? [countCreated(kind, after, before)] : [];
    }),
    ...(missing.length === 0 ? [] : [`not called, unlike in the undisturbed run: ${missing.join(', ')}`]),
  ];
}

/**
 * Remarks about webhooks that the receiver refused because a benign misbehaviour struck them, although the command passed.
 * What it refuses undisturbed as well says nothing.
 */
export function refusedWebhooks(
  undisturbed: RunRecord,
  record: RunRecord,
  { id, kind }: Misbehaviour,
): string[] {
  if (kind === 'forged') return [];
  const types = new Set<string>(undisturbed.history.acceptedWebhooks);
  const struck = record.webhooksOf(id, types);
  const extras = tellingStatuses(id, record, undisturbed);
  const all = struck.all + extras.length;
  const refused = struck.refused + extras.filter(status => status >= FIRST_REFUSAL).length;
  if (refused <= undisturbed.webhooksOf(null, types).refused) return [];
  const what = `${refused} of ${all} ${all === 1 ? 'webhook' : 'webhooks'}`;
  return [`the receiver refused ${what} that this struck, and accepts such webhooks undisturbed`];
}

/** Remarks about writes that were not applied and not sent again, although the command passed. */
export function lostWrites(failedCalls: readonly FailedCall[], { faults = [] }: Disturbance): string[] {
  if (faults.some(({ when }) => when === 'after')) return [];
  return failedCalls
    .filter(({ request, isFollowed }) => !isFollowed && !request.startsWith('GET '))
    .map(({ request }) => `${request} failed and was not sent again; the command passed without its effect`);
}
