import { createHash } from 'node:crypto';
import { redactBody } from '../../../../src/core/redaction/redact.ts';
import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess } from '../../../support/in-process.ts';
import type { Json } from '../../../support/sandbox.ts';
import { receivers } from '../receivers.ts';

/** A history that a sandbox exported, and what it has left behind. */
export interface RecordedHistory {
  readonly scenario: string;
  readonly failurePercent: number;
  /** The digest of the traces. */
  readonly digest: string;
}

/** Opens a sandbox for a history. Its receivers refuse a share of the webhooks. */
export function openForHistory(failurePercent: number, fixtures = CARD_NETWORK): InProcess {
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => failurePercent, now, []);
  const sandbox: InProcess = openInProcess({ fixtures }, { transport });
  return sandbox;
}

/** What a history leaves behind: the state without what an export replaces, and every request with its response. */
export async function tracesOf(sandbox: InProcess): Promise<{ state: Json; requests: Json }> {
  const { body: state } = await sandbox.control('GET', '/state');
  const { cardNumbers, challenges, shareTokens, deliveries } = state.tables;
  for (const row of cardNumbers) Object.assign(row, { number: row.number.slice(-4), cvv: '' });
  for (const row of challenges) row.otp = '';
  for (const row of shareTokens) row.token = '';
  for (const row of deliveries) {
    row.body = redactBody(row.body);
    for (const { requestHeaders } of row.attempts) delete requestHeaders['X-Service-Signature'];
  }
  const { body: requests } = await sandbox.control('GET', '/requests');
  return { state, requests: requests.map(({ durationMs: _, ...request }: Json) => request) };
}

/** A digest of the traces of a sandbox: equal if and only if they are equal to the byte. */
export async function digestOf(sandbox: InProcess): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await tracesOf(sandbox)))
    .digest('hex');
}
