import type * as z from 'zod';
import { VERSION } from '../../../kernel/operation/version.ts';
import type { AttemptOutcome } from '../../../kernel/world/transport.ts';
import type { World } from '../../../kernel/world/world.ts';
import { signWebhook } from '../../../values/signature.ts';
import type { DeliveryRow } from '../deliveries.ts';
import { type WebhookFault, webhookFaultsOf } from '../faults.ts';
import type { HoldingKind } from '../held-deliveries.ts';
import { webhookConfigOf } from '../records.ts';
import type { DeliveryAttempt } from '../schema.ts';

/** Default age of a signature under the fault `stale_timestamp`: one hour. */
const DEFAULT_STALE_MS = 3_600_000;

/** The cause of a delivery that has no destination. */
export const NOT_CONFIGURED = 'not configured';

/** The result of an attempt: what the delivery keeps of it, the response body, and the configured URL. */
export interface AttemptResult {
  readonly attempt: Omit<z.output<typeof DeliveryAttempt>, 'at'>;
  readonly responseBody: string | null;
  readonly webhookUrl: string | null;
}

/**
 * Signs a delivery with the current wall time, and sends it to the currently configured URL (interface section
 * 6.2). Never rejects: a failure is the attempt's cause. `heldBy` is the fault that held the attempt back.
 */
export async function sendAttempt(
  world: World,
  row: DeliveryRow,
  heldBy: HoldingKind | null,
): Promise<AttemptResult> {
  const faults = webhookFaultsOf(world);
  const { webhookUrl, webhookSecret } = webhookConfigOf(world, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return NOT_SENT;
  const fault = faults.take(row, ['duplicate', 'drop', 'bad_signature', 'stale_timestamp']);
  const requestHeaders = {
    'Content-Type': 'application/json',
    [headerName(world, 'X-Service-Event')]: row.eventType,
    [headerName(world, 'X-Service-Signature')]: signature(world, row.body, webhookSecret, fault),
    'User-Agent': `card-sandbox/${VERSION}`,
  };
  const request = { url: webhookUrl, headers: requestHeaders, body: row.body };
  const send = () => world.transport.send(request, world.ended);
  const outcome = fault?.kind === 'drop' ? droppedOutcome(webhookUrl) : await send();
  if (fault?.kind === 'duplicate') {
    // The other attempts of this moment come first, however many slices they take to start.
    await world.clock.started();
    await send();
  }
  const { url, status, cause } = outcome;
  const durationMs = Math.round(outcome.durationMs);
  return {
    attempt: { url, requestHeaders, status, cause, durationMs, fault: fault?.kind ?? heldBy },
    responseBody: outcome.body,
    webhookUrl,
  };
}

function headerName({ names }: World, header: string): string {
  return names?.text(header) ?? header;
}

const NOT_SENT: AttemptResult = {
  attempt: { url: null, requestHeaders: {}, status: null, cause: NOT_CONFIGURED, durationMs: 0, fault: null },
  responseBody: null,
  webhookUrl: null,
};

function signature(world: World, body: string, secret: string, fault: WebhookFault | undefined): string {
  const age = fault?.kind === 'stale_timestamp' ? (fault.delayMs ?? DEFAULT_STALE_MS) : 0;
  const seconds = Math.floor((world.realTime.now() - age) / 1000);
  const signed = signWebhook(body, secret, seconds);
  return fault?.kind === 'bad_signature' ? corrupt(signed) : signed;
}

/** Returns the signature with its last hexadecimal digit changed. */
function corrupt(signed: string): string {
  return signed.slice(0, -1) + (signed.endsWith('0') ? '1' : '0');
}

function droppedOutcome(url: string): AttemptOutcome {
  return { url, status: null, body: null, cause: 'dropped by a webhook fault', durationMs: 0 };
}
