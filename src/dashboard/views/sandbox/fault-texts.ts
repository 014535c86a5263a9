import type { Fault, WebhookFault } from '../../data/response-types.ts';
import { count, duration, readable } from '../../ui/format.ts';

/** Returns what an API fault does, where, when and how often. */
export function describeFault({
  status,
  drop,
  body,
  delayMs,
  method,
  path,
  when,
  after,
  ...fault
}: Fault): string {
  return joined(
    status !== undefined && `status ${status}`,
    drop && 'connection dropped',
    body !== undefined && 'custom body',
    delayMs !== undefined && `${duration(delayMs)} late`,
    (method || path) && `on ${[method, path].filter(Boolean).join(' ')}`,
    when === 'after' && 'after the request is processed',
    after > 0 && `skips ${count(after, 'request')}`,
    frequency(fault),
  );
}

/** Returns what a webhook fault does, to which events and how often. */
export function describeWebhookFault({ kind, delayMs, eventType, ...fault }: WebhookFault): string {
  return joined(
    readable(kind),
    delayMs !== null && `${duration(delayMs)} late`,
    eventType !== null && `on ${eventType}`,
    frequency(fault),
  );
}

function frequency({ times, hits }: { readonly times?: number | null; readonly hits: number }): string {
  return times ? `${count(times, 'time')}, ${hits} so far` : `until removed, ${hits} so far`;
}

function joined(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
