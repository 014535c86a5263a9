import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Client } from '../../../client/client.ts';
import { type Incoming, readWebhook } from '../../../client/webhook-receiver.ts';
import { causeOfError } from '../../../sandbox/transport/send-request.ts';
import { webhookSecretsOf } from '../../connection/forwarding.ts';

/** Headers of the connection, which the request to the target has of its own. */
const OWN_HEADERS = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/**
 * Sends a received webhook to a URL with the same headers and bytes, and answers its sender with the response. Resolves
 * with the response as log lines show it. The sender gets a 502 when there is no response. Never rejects.
 */
export function passOn(
  url: string,
  raw: Buffer,
  received: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise(resolve => {
    const fail = (cause: string) => {
      if (!response.headersSent) {
        response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${url}: ${cause}`);
      }
      resolve(`502: ${cause}`);
    };
    const request = send(url, { method: 'POST', headers: headersOf(received, raw.length), agent: false });
    request.once('response', answer => {
      const { statusCode = 502, headers } = answer;
      // The parser takes any three digits.
      if (statusCode < 200) {
        answer.destroy();
        return fail(`not an HTTP response: status ${statusCode}`);
      }
      const type = headers['content-type'];
      response.writeHead(statusCode, type === undefined ? {} : { 'Content-Type': type });
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      resolve(String(statusCode));
    });
    request.once('upgrade', (_answer, socket) => {
      socket.destroy();
      fail('not an HTTP response: unexpected protocol upgrade');
    });
    request.once('error', error => fail(causeOfError(error)));
    // The sandbox gives up after its timeout.
    response.once('close', () => {
      if (!response.writableFinished) request.destroy(new Error('the sandbox closed the connection'));
    });
    request.end(raw);
  });
}

/** The headers as they were received, names in the same case. */
function headersOf({ rawHeaders }: IncomingMessage, length: number): Record<string, string> {
  const headers = new Map([['Content-Length', String(length)]]);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OWN_HEADERS.includes(name.toLowerCase())) headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

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
