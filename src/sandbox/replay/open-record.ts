import type { RecordEntry } from '../../control/history/record/format.ts';
import type { WorldRecord } from '../../control/history/record/read.ts';
import type { Transport } from '../../core/world/transport.ts';
import type { CoreOptions } from '../options.ts';
import type { SandboxCore } from '../sandbox.ts';
import { readCertificates } from '../transport/certificates.ts';
import { httpTransports } from '../transport/http-transport.ts';
import { type Played, playRecord } from './player.ts';

/** The cause of a webhook of an opened record before it is forwarded. */
const NOT_FORWARDED =
  'not sent: this is a recording, which sends nothing until card-sandbox forward URL says where to';

/** How webhooks are sent once they are forwarded. */
export type SendingOptions = Pick<CoreOptions, 'egress' | 'webhookCa' | 'insecureWebhookTls'>;

/**
 * Opens a record: the world as it stood at its end, or before the entry `until`, on a frozen clock. It has the history, the
 * journal and the deliveries of the record, and sends nothing until its webhooks are forwarded. Rejects with an
 * OptionError for a file without certificates.
 */
export async function openRecord(
  record: WorldRecord,
  until?: RecordEntry,
  { egress = 'private', webhookCa, insecureWebhookTls = false }: SendingOptions = {},
): Promise<{ readonly sandbox: SandboxCore; readonly played: Played }> {
  const ca = webhookCa === undefined ? undefined : readCertificates(webhookCa);
  const { sandbox, time, transport, played } = await playRecord(record, { until, keepsHistory: true });
  const { main } = sandbox;
  await main.state.clock.freeze();
  // A rewind or a reset brings back a clock that ran.
  main.feed.subscribe(({ kind }) => {
    if (kind === 'reset') void main.state.clock.freeze();
  });
  main.changeForwarding({ url: null, map: {} });
  const send = httpTransports({
    egress,
    ca,
    insecureTls: insecureWebhookTls,
    ownAddress: () => null,
  })(() => main.forwarding.redirection);
  transport.release(whenForwarded(send, () => main.forwarding.current.url !== null));
  time.release();
  return { sandbox, played };
}

/** Sends webhooks while they are forwarded. */
function whenForwarded(transport: Transport, isForwarded: () => boolean): Transport {
  return {
    async send(webhook, signal) {
      if (isForwarded()) return transport.send(webhook, signal);
      return { url: webhook.url, status: null, body: null, cause: NOT_FORWARDED, durationMs: 0 };
    },
    close: () => transport.close(),
  };
}
