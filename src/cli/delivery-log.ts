import type { LoggedDelivery } from '../logged-delivery.ts';
import { note, paintOf, shownDuration, shownUrl } from './log-lines.ts';
import { colour, printable } from './output.ts';

/** One line for a delivery attempt, and below it why it failed and when the next follows. */
export function prettyDelivery(delivery: LoggedDelivery): string {
  const { id, eventType, status, url, responseStatus, cause, durationMs, nextRetryAt } = delivery;
  const head = [
    responseStatus === null ? colour.red('---') : paintOf(responseStatus)(responseStatus),
    colour.bold('webhook'),
    eventType,
    colour.dim(id),
    ...(url === null ? [] : ['->', shownUrl(url)]),
    shownDuration(durationMs),
  ].join(' ');
  if (cause === null) return head;
  const then = nextRetryAt === null ? status : `tried again at ${nextRetryAt}`;
  return [head, ...note(`${cause}; ${then}`, '', colour.yellow)].join('\n');
}

/** The same as one line of JSON. */
export function jsonDelivery(delivery: LoggedDelivery): string {
  return printable(JSON.stringify({ type: 'delivery', ...delivery }));
}
