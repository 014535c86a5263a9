import type { DeliveryLogEntry } from '../../sandbox/delivery-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { note, paintOf, shownDuration, shownUrl } from './log-lines.ts';

/** One line for a delivery attempt, and below it why it failed and when the next follows. */
export function prettyDelivery(delivery: DeliveryLogEntry): string {
  const { id, eventType, status, url, responseStatus, cause, durationMs, nextRetryAt } = delivery;
  const answer = responseStatus === null ? colour.red('---') : paintOf(responseStatus)(responseStatus);
  const where = url === null ? '' : ` -> ${shownUrl(url)}`;
  const head = `${answer} ${colour.bold('webhook')} ${eventType} ${colour.dim(id)}${where} ${shownDuration(durationMs)}`;
  if (cause === null) return head;
  const then = nextRetryAt === null ? status : `tried again at ${nextRetryAt}`;
  return [head, ...note(`${cause}; ${then}`, '', colour.yellow)].join('\n');
}

/** The same as one line of JSON. */
export function jsonDelivery(delivery: DeliveryLogEntry): string {
  return printable(JSON.stringify({ type: 'delivery', ...delivery }));
}
