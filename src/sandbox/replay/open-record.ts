import type { RecordEntry } from '../../control/history/record/format.ts';
import type { WorldRecord } from '../../control/history/record/read.ts';
import type { SandboxCore } from '../sandbox.ts';
import { readCertificates } from '../transport/certificates.ts';
import { type Played, playRecord, type SendingOptions } from './player.ts';

/**
 * Opens a record: the world as it stood at its end, or before the entry `until`, on a frozen clock. It has the history, the
 * journal and the deliveries of the record, and sends nothing until its webhooks are forwarded. Rejects with an
 * OptionError for a file without certificates.
 */
export async function openRecord(
  record: WorldRecord,
  until?: RecordEntry,
  { egress, webhookCa, insecureWebhookTls }: SendingOptions = {},
): Promise<{ readonly sandbox: SandboxCore; readonly played: Played }> {
  // Otherwise the record would be to blame.
  if (webhookCa !== undefined) readCertificates(webhookCa);
  const sending = { egress, webhookCa, insecureWebhookTls };
  const { sandbox, time, transport, played } = await playRecord(record, {
    until,
    keepsHistory: true,
    sending,
  });
  const { main } = sandbox;
  await main.state.clock.freeze();
  // A rewind or a reset brings back a clock that ran.
  main.feed.subscribe(({ kind }) => {
    if (kind === 'reset') void main.state.clock.freeze();
  });
  main.forwarding.dropStart();
  transport.release();
  time.release();
  return { sandbox, played };
}
