import { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TextDecoder } from 'node:util';
import { maskCutNumber } from '../../core/redaction/card-numbers.ts';
import { MAX_TIMER_MS } from '../../core/time/realtime.ts';
import { CANCELLED, CONNECTION_REFUSED, timedOutAfter } from '../../core/values/attempt-causes.ts';
import { clearTimeout, setTimeout } from '../../core/values/builtins.ts';
import { errorCode, isError } from '../../core/values/is-error.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import type { AttemptOutcome, OutgoingWebhook } from '../../core/world/transport.ts';
import type { WebhookAgent } from './agent.ts';
import type { Target } from './destination.ts';
import { DeliveryError } from './egress.ts';

/** What ends a send early: a timeout, or any of the signals. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
}

export const ATTEMPT_TIMEOUT_MS = 10_000;

/** What is kept of the body of a response. */
export const MAX_RESPONSE_BYTES = 64 * 1_024;
const DECODING = { ignoreBOM: true };
const decoder = new TextDecoder('utf-8', DECODING);

type Result = Omit<AttemptOutcome, 'durationMs' | 'url'>;

/** Sends one request and resolves with its result, within the limits. Never rejects. Calls `onWritten` once all is sent. */
export function sendRequest(
  agent: WebhookAgent,
  target: Target,
  { headers, body }: OutgoingWebhook,
  limits: Limits,
  onWritten?: () => void,
): Promise<Result> {
  return new Promise(resolve => {
    const request = agent.post(target, { ...headers, 'content-length': Buffer.byteLength(body) });
    const response = new ResponseReader(request, result => {
      unwatch();
      resolve(result);
    });
    const unwatch = watchLimits(limits, cause => response.end(cause));
    request.end(body, onWritten);
  });
}

/** Calls `stop` with the cause when one of the limits ends a send. Returns a function that cancels this. */
export function watchLimits({ timeoutMs, signals }: Limits, stop: (cause: string) => void): () => void {
  const timer = setTimeout(stop, Math.min(timeoutMs, MAX_TIMER_MS), timedOutAfter(timeoutMs));
  const cancel = onAbort(signals, () => stop(CANCELLED));
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** The beginning of a response that is kept in case the rest of its head is missing or cannot be read. */
const KEPT_HEAD_BYTES = 1_024;
/** The status line of a final response, after any interim ones. */
const STATUS_LINE = /^(?:HTTP\/1\.\d 1\d\d[\s\S]*?\n\r?\n)*HTTP\/1\.\d (\d{3})(?: [^\r\n]*)?\r?\n/;

/**
 * Reads the response to a request. It reports one result, and then closes the connection if there is more to read. The
 * status decides (interface section 6.4): it stands once it is read, whatever is wrong with the rest of the response.
 */
class ResponseReader {
  readonly #request: ClientRequest;
  readonly #onResult: (result: Result) => void;
  readonly #chunks: Buffer[] = [];
  #bytesLeft = MAX_RESPONSE_BYTES;
  #head = '';
  #status: number | null = null;
  #hasResult = false;

  constructor(request: ClientRequest, onResult: (result: Result) => void) {
    this.#request = request;
    this.#onResult = onResult;
    const keepHead = (chunk: Buffer) => {
      this.#head += chunk.toString('latin1', 0, KEPT_HEAD_BYTES - this.#head.length);
    };
    let from: Socket | null = null;
    // Before the parser reads the chunk, which may fail.
    request.once('socket', socket => {
      from = socket.prependListener('data', keepHead);
    });
    const stopKeeping = () => void from?.off('data', keepHead);
    request.once('close', stopKeeping);
    request.once('response', response => {
      stopKeeping();
      this.#read(response);
    });
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail('not an HTTP response: unexpected protocol upgrade');
    });
    request.on('error', error => this.#endByError(error));
  }

  /** Ends the send from our side, whether it is connected yet or not. */
  end(cause: string): void {
    this.#fail(cause);
    this.#request.destroy();
  }

  #read(response: IncomingMessage): void {
    const { statusCode: status = 0 } = response;
    if (status < 100) {
      this.end(`not an HTTP response: status ${String(status).padStart(3, '0')}`);
      return;
    }
    this.#status = status;
    const succeed = () => this.#succeed(status);
    // The connection may end before the body does.
    response.on('end', succeed).on('error', succeed).on('close', succeed);
    // A body that must not be there would be taken for the next response.
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = response.headers;
    if ((status === 204 || status === 304) && (length !== '0' || encoding !== undefined)) {
      const { socket } = response;
      response.once('end', () => socket.destroy());
    }
    response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk.subarray(0, this.#bytesLeft));
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft > 0) return;
      succeed();
      this.#request.destroy();
    });
  }

  #endByError(error: Error): void {
    const status = this.#status ?? Number(STATUS_LINE.exec(this.#head)?.[1] ?? 0);
    if (status >= 200) this.#succeed(status);
    else this.#fail(causeOfError(error));
  }

  #succeed(status: number): void {
    if (this.#hasResult) return;
    this.#report({ status, body: responseText(Buffer.concat(this.#chunks)), cause: causeOfStatus(status) });
  }

  #fail(cause: string): void {
    this.#report({ status: null, body: null, cause });
  }

  #report(result: Result): void {
    if (this.#hasResult) return;
    this.#hasResult = true;
    this.#onResult(result);
  }
}

/** Decodes a response body, cut at 64 KiB. A number at the cut is masked. */
export function responseText(bytes: Uint8Array): string {
  if (bytes.length < MAX_RESPONSE_BYTES) return decoder.decode(bytes);
  // In streaming mode a character that the cut splits is dropped instead of replaced.
  const kept = bytes.subarray(0, MAX_RESPONSE_BYTES);
  return maskCutNumber(new TextDecoder('utf-8', DECODING).decode(kept, { stream: true }));
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: CONNECTION_REFUSED,
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no local address or port left to connect from',
  ETIMEDOUT: 'timed out while connecting',
  HPE_HEADER_OVERFLOW: 'not an HTTP response: its headers are too large',
};

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|EPROTO)/;

/** Returns why a response with this status does not count as delivered, or null when it does. */
export function causeOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect refused' : `answered ${status}`;
}

export function causeOfError(error: unknown): string {
  if (error instanceof DeliveryError) return error.message;
  if (!isError(error)) return `could not be sent: ${error}`;
  // A host with several addresses fails with one error per address.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return causeOfError(error.errors[0]);
  }
  const code = errorCode(error);
  if (TLS.test(code)) return causeOfTls(error, code);
  if (/before secure TLS connection/.test(error.message))
    return 'TLS: connection closed during the handshake';
  if (error.message === 'socket hang up') return 'connection closed before a response';
  const cause = CAUSES[code];
  if (cause !== undefined) return cause;
  if (!/^HPE_/.test(code)) return `could not be sent: ${error.message}`;
  return `not an HTTP response: ${'reason' in error ? error.reason : error.message}`;
}

function causeOfTls(error: Error, code: string): string {
  if (UNTRUSTED.test(code)) {
    // Some versions of Node append their own advice.
    const [what] = error.message.split(';');
    return `TLS: ${what}; pass --webhook-ca or --insecure-webhook-tls`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const host = 'host' in error ? String(error.host) : 'this host';
    return `TLS: the certificate is not for ${host}`;
  }
  if (/wrong version number|packet length too long/i.test(error.message)) {
    return 'TLS: the receiver does not speak TLS; is it http://?';
  }
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return `TLS: ${reason}`;
}
