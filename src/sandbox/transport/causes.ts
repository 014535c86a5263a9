import { DeliveryError } from './egress.ts';

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

/** Returns the cause of an attempt that ran into its timeout. */
export function causeOfTimeout(timeoutMs: number): string {
  return `timed out after ${timeoutMs / 1_000} s`;
}

/** Describes an error of a send. `hasResponse` says whether the response had started when it occurred. */
export function causeOfError(error: unknown, hasResponse: boolean): string {
  if (error instanceof DeliveryError) return error.message;
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return causeOfError(error.errors[0], hasResponse);
  }
  if (!(error instanceof Error)) return `could not be sent: ${error}`;
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
