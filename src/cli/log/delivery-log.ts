import type { DeliveryLogEntry } from '../../sandbox/delivery-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { note, shownDuration, shownUrl, statusColour, worldNote } from './log-lines.ts';

/** Formats a delivery attempt as one line, with the cause of a failure and the next retry below. */
export function prettyDelivery(delivery: DeliveryLogEntry): string {
  const { id, world, eventType, status, url, responseStatus, cause, durationMs, nextRetryAt } = delivery;
  const response = responseStatus === null ? colour.red('---') : statusColour(responseStatus)(responseStatus);
  const target = url === null ? '' : ` -> ${shownUrl(url)}`;
  const head = `${response} ${colour.bold('webhook')} ${eventType} ${colour.dim(id)}${target} ${shownDuration(durationMs)}${worldNote(world)}`;
  if (cause === null) return head;
  const next = nextRetryAt === null ? status : `next retry at ${nextRetryAt}`;
  return [head, ...note(`${cause}; ${next}`, '', colour.yellow)].join('\n');
}

/** Formats a delivery attempt as one line of JSON. */
export function jsonDelivery(delivery: DeliveryLogEntry): string {
  return printable(JSON.stringify({ type: 'delivery', ...delivery }));
}
