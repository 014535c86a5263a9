import type * as z from 'zod';
import type { AttemptOutcome, OutgoingWebhook } from '../../../core/world/transport.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import type { DeliveryRow } from '../deliveries.ts';
import { CONTENT_KINDS } from '../fault-kinds.ts';
import { webhookFaultsOf } from '../faults.ts';
import type { HoldingKind } from '../held-deliveries.ts';
import { webhookConfigOf } from '../records.ts';
import type { DeliveryAttempt } from '../schema.ts';
import { type SignedRequest, signedRequest } from './signed-request.ts';

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
  state: WorldState,
  row: DeliveryRow,
  heldBy: HoldingKind | null,
): Promise<AttemptResult> {
  const faults = webhookFaultsOf(state);
  const { webhookUrl, webhookSecret } = webhookConfigOf(state, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return NOT_SENT;
  const fault = faults.take(row, ['duplicate', 'drop', ...CONTENT_KINDS]);
  const request = signedRequest(state, row, webhookSecret, fault);
  const send = () => state.transport.send(outgoing(state, webhookUrl, request), state.ended);
  const outcome = fault?.kind === 'drop' ? droppedOutcome(webhookUrl) : await send();
  if (fault?.kind === 'duplicate') {
    // The other attempts of this moment come first, however many slices they take to start.
    await state.clock.started();
    await send();
  }
  return {
    attempt: { ...attemptOf(request, outcome), fault: fault?.kind ?? heldBy },
    responseBody: outcome.body,
    webhookUrl,
  };
}

/**
 * Sends the additional request of a fault to the currently configured URL. Resolves with the attempt once it has ended,
 * and never rejects. Returns null if no fault applies.
 */
export function sendExtra(state: WorldState, row: DeliveryRow): Promise<AttemptResult['attempt']> | null {
  const faults = webhookFaultsOf(state);
  if (faults.isEmpty) return null;
  const { webhookUrl, webhookSecret } = webhookConfigOf(state, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return null;
  const fault = faults.take(row, CONTENT_KINDS, true);
  if (fault === undefined) return null;
  const request = signedRequest(state, row, webhookSecret, fault);
  const sent = state.transport.send(outgoing(state, webhookUrl, request), state.ended);
  return sent.then(outcome => ({ ...attemptOf(request, outcome), fault: fault.kind, extra: true }));
}

function outgoing({ assumptions }: WorldState, url: string, request: SignedRequest): OutgoingWebhook {
  return { url, ...request, timeoutMs: assumptions['webhook-timeout'] };
}

function attemptOf({ headers }: SignedRequest, { url, status, cause, durationMs }: AttemptOutcome) {
  return { url, requestHeaders: headers, status, cause, durationMs: Math.round(durationMs) };
}

const NOT_SENT: AttemptResult = {
  attempt: { url: null, requestHeaders: {}, status: null, cause: NOT_CONFIGURED, durationMs: 0, fault: null },
  responseBody: null,
  webhookUrl: null,
};

function droppedOutcome(url: string): AttemptOutcome {
  return { url, status: null, body: null, cause: 'dropped by a webhook fault', durationMs: 0 };
}
