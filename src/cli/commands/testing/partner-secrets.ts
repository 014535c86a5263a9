import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../../../client/client.ts';
import { type Incoming, readWebhook } from '../../../client/webhook-receiver.ts';
import { webhookSecretsOf } from '../../connection/forwarding.ts';

/** A webhook, and whether there was a secret to verify it with. */
export interface Verified extends Incoming {
  readonly isChecked: boolean;
}

/** Verifies webhooks with the secrets of all partners of a world, since a webhook does not name its partner. */
export class PartnerSecrets {
  readonly #client: Client;
  readonly #headerName: (header: string) => string;
  #secrets: readonly string[] = [];

  constructor(client: Client, headerName: (header: string) => string) {
    this.#client = client;
    this.#headerName = headerName;
  }

  /** Reads a webhook. When no secret fits, asks the sandbox for the current ones first. */
  async read(raw: Buffer, headers: IncomingHttpHeaders): Promise<Verified> {
    const known = this.#readWithKnown(raw, headers);
    if (known.isChecked && known.problem === null) return known;
    try {
      this.#secrets = Object.values(await webhookSecretsOf(this.#client));
    } catch {
      // A sandbox that has stopped has no newer secrets.
    }
    return this.#readWithKnown(raw, headers);
  }

  #readWithKnown(raw: Buffer, headers: IncomingHttpHeaders): Verified {
    const isChecked = this.#secrets.length > 0;
    const secrets = isChecked ? this.#secrets : [null];
    const results = secrets.map(secret => readWebhook(raw, headers, secret, this.#headerName));
    const fitting = results.find(({ problem }) => problem === null) ?? results[0];
    if (fitting === undefined) throw new Error('there is a result for each secret');
    return { ...fitting, isChecked };
  }
}
