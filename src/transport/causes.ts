import { DeliveryError } from './egress.ts';

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no local address or port left to connect from',
  ETIMEDOUT: 'timed out while connecting',
  UND_ERR_CONNECT_TIMEOUT: 'timed out while connecting',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not an HTTP answer: its body is not as long as announced',
  UND_ERR_HEADERS_OVERFLOW: 'not an HTTP answer: its headers are too long',
};

const TRUST =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|EPROTO)/;

/** Why an answer of this status does not count as delivered; null when it does. */
export function causeOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect refused' : `answered ${status}`;
}

/** What an attempt says that was ended after this time. */
export function causeOfTimeout(timeoutMs: number): string {
  return `timed out after ${timeoutMs / 1_000} s`;
}

/** What went wrong on the way to an answer, in words. `isAnswering` is whether the answer had begun. */
export function causeOfError(error: unknown, isAnswering: boolean): string {
  if (error instanceof DeliveryError) return error.message;
  // A host with several addresses fails with what each of them failed with.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return causeOfError(error.errors[0], isAnswering);
  }
  if (!(error instanceof Error)) return `could not be sent: ${error}`;
  const code = 'code' in error ? String(error.code) : '';
  if (TLS.test(code)) return causeOfTls(error, code);
  if (/before secure TLS connection/.test(error.message))
    return 'TLS: connection closed during the handshake';
  if (code === 'UND_ERR_SOCKET') return causeOfClose(error.message, isAnswering);
  if (error.name === 'HTTPParserError') return causeOfParser(error.message);
  return CONNECTION[code] ?? `could not be sent: ${error.message}`;
}

const CUT_SHORT = 'connection closed before the whole answer came';

function causeOfClose(message: string, isAnswering: boolean): string {
  if (message === 'bad response') return 'not an HTTP answer: 100 Continue was not asked for';
  if (message === 'bad upgrade') return 'not an HTTP answer: a change of protocol was not asked for';
  return isAnswering ? CUT_SHORT : 'connection closed before an answer';
}

function causeOfParser(message: string): string {
  const what = /\((.*)\)$/.exec(message)?.[1] ?? message;
  return /^Invalid EOF state/.test(what) ? CUT_SHORT : `not an HTTP answer: ${what}`;
}

function causeOfTls(error: Error, code: string): string {
  if (TRUST.test(code)) {
    // Some versions of Node add advice of their own.
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
