import type { Coverage } from '../../core/journal/coverage.ts';
import type { HistoryAttempt } from '../../core/journal/history.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { World } from '../../core/world/world.ts';
import { isGenuine } from './fault-kinds.ts';
import { type DeliveryRow, deliveries } from './records.ts';

/** Adds the webhook attempts of a world to its history, each when it has ended, and counts those that are conditions. */
export function followAttempts({ feed, current, history, coverage }: World): void {
  feed.subscribe(message => {
    if (message.kind !== 'delivery' || message.step !== 'attempted') return;
    const { state } = current;
    const row = state.table(deliveries).get(message.id);
    const last = row?.attempts.at(-1);
    if (row === undefined || last === undefined) return;
    const struck = state.setup.disturbance?.afterAttempt(state, row, last) ?? [];
    history.addAttempt({ ...historyAttempt(row, last), ...(struck.length > 0 && { struck }) });
    if (!last.extra && isGenuine(last.fault)) count(row, last, coverage, state.clock);
  });
}

function historyAttempt(row: DeliveryRow, last: DeliveryRow['attempts'][number]): HistoryAttempt {
  const { at: startedAt, ...attempt } = last;
  const responseBody = last.extra ? null : row.lastResponseBody;
  return { event: row.id, eventType: row.eventType, startedAt, ...attempt, responseBody };
}

/** Counts the conditions that an attempt of a genuine delivery shows. */
function count(
  row: DeliveryRow,
  last: DeliveryRow['attempts'][number],
  coverage: Coverage,
  clock: Clock,
): void {
  const genuine = row.attempts.filter(({ extra, fault }) => !extra && isGenuine(fault));
  const arrived = genuine.filter(({ cause }) => cause === null);
  if (last.cause === null) coverage.note('', `event ${row.eventType}`, clock);
  const scheduled = genuine.filter(({ redelivery }) => redelivery === undefined);
  const isRetry = last.redelivery === undefined && (scheduled.length > 1 || row.isManual);
  if (isRetry) coverage.note('', 'event-retried', clock);
  const isRepeated = last.fault === 'duplicate' || arrived.length > 1;
  if (last.cause === null && isRepeated) coverage.note('', 'event-duplicate', clock);
}
