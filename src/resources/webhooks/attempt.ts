import type * as z from 'zod';
import { VERSION } from '../../kernel/operation/version.ts';
import { signWebhook } from '../../kernel/values/signature.ts';
import type { AttemptOutcome } from '../../kernel/world/transport.ts';
import type { World } from '../../kernel/world/world.ts';
import type { DeliveryRow } from './deliveries.ts';
import { type WebhookFault, webhookFaultsOf } from './faults.ts';
import { webhookConfigOf } from './records.ts';
import type { DeliveryAttempt } from './schema.ts';

/** How old the fault `stale_timestamp` makes a signature, unless it says how old: an hour. */
const STALE_MS = 3_600_000;

/** Why a delivery without a destination is not sent. */
export const NOT_CONFIGURED = 'not configured';

/** An attempt that was made: what the record keeps of it, the answer's body, and the URL that was configured. */
export interface Attempted {
  readonly made: Omit<z.output<typeof DeliveryAttempt>, 'at'>;
  readonly body: string | null;
  readonly webhookUrl: string | null;
}

/**
 * Signs a delivery at this moment, by wall time, and sends it to the URL configured now (interface section
 * 6.2). Never rejects: what goes wrong is the attempt's cause.
 */
export async function attempt(world: World, row: DeliveryRow): Promise<Attempted> {
  const faults = webhookFaultsOf(world);
  const late = faults.whyLate(row);
  const { webhookUrl, webhookSecret } = webhookConfigOf(world, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return NOTHING_SENT;
  const fault = faults.take(row.eventType, ['duplicate', 'drop', 'bad_signature', 'stale_timestamp']);
  const requestHeaders = {
    'Content-Type': 'application/json',
    [named(world, 'X-Service-Event')]: row.eventType,
    [named(world, 'X-Service-Signature')]: signature(world, row.body, webhookSecret, fault),
    'User-Agent': `card-sandbox/${VERSION}`,
  };
  const request = { url: webhookUrl, headers: requestHeaders, body: row.body };
  const send = () => world.transport.send(request, world.ended);
  const outcome = fault?.kind === 'drop' ? dropped(webhookUrl) : await send();
  if (fault?.kind === 'duplicate') await send();
  const { url, status, body, cause } = outcome;
  const durationMs = Math.round(outcome.durationMs);
  const bent = fault?.kind ?? late;
  return { made: { url, requestHeaders, status, cause, durationMs, fault: bent }, body, webhookUrl };
}

function named({ names }: World, header: string): string {
  return names?.text(header) ?? header;
}

const NOTHING_SENT: Attempted = {
  made: { url: null, requestHeaders: {}, status: null, cause: NOT_CONFIGURED, durationMs: 0, fault: null },
  body: null,
  webhookUrl: null,
};

function signature(world: World, body: string, secret: string, fault: WebhookFault | undefined): string {
  const age = fault?.kind === 'stale_timestamp' ? (fault.delayMs ?? STALE_MS) : 0;
  const seconds = Math.floor((world.realTime.now() - age) / 1000);
  const signed = signWebhook(body, secret, seconds);
  return fault?.kind === 'bad_signature' ? spoiled(signed) : signed;
}

/** The same signature with its last hexadecimal digit changed. */
function spoiled(signed: string): string {
  return signed.slice(0, -1) + (signed.endsWith('0') ? '1' : '0');
}

function dropped(url: string): AttemptOutcome {
  return { url, status: null, body: null, cause: 'dropped by a webhook fault', durationMs: 0 };
}
