import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { createHttpTransport } from '../../../transport/http-transport.ts';

/** What a receiver answered. */
export interface Answered {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Why there was none, or why it does not count as accepted; null for a 2xx. */
  readonly cause: string | null;
  /** Milliseconds from the last byte that was sent slowly, or from the first otherwise, to the answer. */
  readonly durationMs: number;
}

/** Sends deliveries to one receiver as the service would, wherever it is. */
export interface Sender {
  send(headers: Readonly<Record<string, string>>, body: string, slowly: boolean): Promise<Answered>;
  close(): void;
}

/** How to reach a receiver. */
export interface Reaching {
  readonly url: string;
  readonly timeoutMs: number;
  /** Certificates in PEM that are trusted besides the well-known ones. */
  readonly ca: string | undefined;
  readonly insecureTls: boolean;
}

const PIECES = 5;
const PAUSE_MS = 250;

/** A sender to the receiver at this address. */
export function senderTo(reaching: Reaching): Sender {
  const { url, timeoutMs, ca, insecureTls } = reaching;
  const transport = createHttpTransport({
    ...{ forwardTo: null, map: [], egress: 'any', ownAddress: () => null },
    ...{ ca, insecureTls, timeoutMs },
  });
  const never = new AbortController().signal;
  return {
    send: (headers, body, slowly) =>
      slowly ? sendSlowly(reaching, headers, body) : transport.send({ url, headers, body }, never),
    close: () => transport.close(),
  };
}

/** Sends a body in pieces with pauses between them. Never rejects. */
function sendSlowly(
  { url, timeoutMs, ca, insecureTls }: Reaching,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answered> {
  return new Promise(resolve => {
    let sentAt = performance.now();
    const done = (status: number | null, cause: string | null) => {
      clearInterval(pieces);
      outgoing.destroy();
      resolve({ status, cause, durationMs: Math.max(0, Math.round(performance.now() - sentAt)) });
    };
    const tls = {
      rejectUnauthorized: !insecureTls,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    };
    const outgoing = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs + PIECES * PAUSE_MS),
      ...tls,
    });
    const bytes = Buffer.from(body);
    const size = Math.ceil(bytes.length / PIECES);
    let sent = 0;
    const pieces = setInterval(() => {
      const piece = bytes.subarray(sent, sent + size);
      sent += piece.length;
      sentAt = performance.now();
      if (sent < bytes.length) outgoing.write(piece);
      else {
        clearInterval(pieces);
        outgoing.end(piece);
      }
    }, PAUSE_MS);
    outgoing.flushHeaders();
    outgoing.on('response', ({ statusCode = 0 }) =>
      done(statusCode, statusCode >= 200 && statusCode < 300 ? null : `answered ${statusCode}`),
    );
    outgoing.on('error', error =>
      done(
        null,
        error.name === 'TimeoutError' || error.name === 'AbortError'
          ? `timed out after ${timeoutMs / 1000} s`
          : error.message,
      ),
    );
  });
}
