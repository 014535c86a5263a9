import { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { Agent, Dispatcher } from 'undici';
import { maskCutNumber } from '../../core/redaction/card-numbers.ts';
import { clearTimeout, setTimeout } from '../../core/values/builtins.ts';
import { isError } from '../../core/values/is-error.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import type { AttemptOutcome, OutgoingWebhook } from '../../core/world/transport.ts';
import type { Target } from './destination.ts';
import { DeliveryError } from './egress.ts';

/** What ends a send early: a timeout, or any of the signals. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
}

/** The cause of an attempt that the sandbox itself ended. */
export const CANCELLED = 'cancelled: the sandbox was reset or stopped';

/** The timeout of a webhook that names none. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Cap on the part of a response body that is read. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
const DECODING = { ignoreBOM: true };
const decoder = new TextDecoder('utf-8', DECODING);

/** The outcome of an attempt without its URL and duration. */
type Result = Omit<AttemptOutcome, 'durationMs' | 'url'>;

/** Sends one request and resolves with its result, within the limits. Never rejects. */
export function sendRequest(
  agent: Agent,
  { origin, path }: Target,
  { headers, body }: OutgoingWebhook,
  limits: Limits,
): Promise<Result> {
  return new Promise(resolve => {
    const handler = new ResponseHandler(result => {
      unwatch();
      resolve(result);
    });
    const unwatch = watchLimits(limits, cause => handler.end(cause));
    agent.dispatch({ origin, path, method: 'POST', headers, body }, handler);
  });
}

/** Calls `stop` with the cause when one of the limits ends a send. Returns a function that cancels this. */
export function watchLimits({ timeoutMs, signals }: Limits, stop: (cause: string) => void): () => void {
  const timer = setTimeout(stop, timeoutMs, `timed out after ${timeoutMs / 1_000} s`);
  const cancel = onAbort(signals, () => stop(CANCELLED));
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** Collects a response from undici. It reports one result, then closes the connection if there is more to read. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #onResult: (result: Result) => void;
  readonly #chunks: Buffer[] = [];
  #bytesLeft = MAX_RESPONSE_BYTES;
  #status: number | null = null;
  #hasResult = false;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(onResult: (result: Result) => void) {
    this.#onResult = onResult;
  }

  /** Ends the send from our side, whether it is connected yet or not. */
  end(cause: string): void {
    this.#fail(new DeliveryError(cause));
    this.#controller?.abort(new DeliveryError(cause));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasResult) controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // A 1xx status precedes the final response.
    if (status >= 200) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, this.#bytesLeft));
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft > 0) return;
    this.#succeed();
    controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #succeed(): void {
    const status = this.#status ?? 0;
    this.#report({ status, body: responseText(Buffer.concat(this.#chunks)), cause: causeOfStatus(status) });
  }

  #fail(error: Error): void {
    this.#report({ status: null, body: null, cause: causeOfError(error, this.#status !== null) });
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

/** Causes by error code. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no local address or port left to connect from',
  ETIMEDOUT: 'timed out while connecting',
  UND_ERR_CONNECT_TIMEOUT: 'timed out while connecting',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not an HTTP response: its body does not match Content-Length',
  UND_ERR_HEADERS_OVERFLOW: 'not an HTTP response: its headers are too large',
};

/** Codes of certificates from an unknown issuer. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;
/** Codes of all other TLS errors. */
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|EPROTO)/;

/** Returns why a response with this status does not count as delivered, or null when it does. */
export function causeOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect refused' : `answered ${status}`;
}

/** Describes an error of a send. `hasResponse` says whether the response had started when it occurred. */
export function causeOfError(error: unknown, hasResponse: boolean): string {
  if (error instanceof DeliveryError) return error.message;
  if (!isError(error)) return `could not be sent: ${error}`;
  // A host with several addresses fails with one error per address.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return causeOfError(error.errors[0], hasResponse);
  }
  const code = 'code' in error ? String(error.code) : '';
  if (TLS.test(code)) return causeOfTls(error, code);
  if (/before secure TLS connection/.test(error.message))
    return 'TLS: connection closed during the handshake';
  if (code === 'UND_ERR_SOCKET') return causeOfClose(error.message, hasResponse);
  if (error.name === 'HTTPParserError') return causeOfParser(error.message);
  return CAUSES[code] ?? `could not be sent: ${error.message}`;
}

const INCOMPLETE = 'connection closed before the response was complete';

function causeOfClose(message: string, hasResponse: boolean): string {
  if (message === 'bad response') return 'not an HTTP response: unexpected 100 Continue';
  if (message === 'bad upgrade') return 'not an HTTP response: unexpected protocol upgrade';
  return hasResponse ? INCOMPLETE : 'connection closed before a response';
}

function causeOfParser(message: string): string {
  const what = /\((.*)\)$/.exec(message)?.[1] ?? message;
  return /^Invalid EOF state/.test(what) ? INCOMPLETE : `not an HTTP response: ${what}`;
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
