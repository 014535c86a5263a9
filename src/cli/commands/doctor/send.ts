import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { createHttpTransport } from '../../../sandbox/transport/http-transport.ts';
import type { ProbeResponse } from '../../../tools/doctor/doctor.ts';

/** Sends deliveries to one receiver as the service would, at any address. */
export interface Sender {
  send(headers: Readonly<Record<string, string>>, body: string, slowly: boolean): Promise<ProbeResponse>;
  close(): void;
}

/** Where a receiver is and how to connect to it. */
export interface Target {
  readonly url: string;
  readonly timeoutMs: number;
  /** Certificates in PEM to trust in addition to the well-known ones. */
  readonly ca: string | undefined;
  readonly insecureTls: boolean;
}

const CHUNKS = 5;
const PAUSE_MS = 250;

/** Creates a sender to one receiver. */
export function createSender(target: Target): Sender {
  const { url, timeoutMs, ca, insecureTls } = target;
  const transport = createHttpTransport({
    ...{ forwardTo: null, map: [], egress: 'any', ownAddress: () => null },
    ...{ ca, insecureTls, timeoutMs },
  });
  const never = new AbortController().signal;
  return {
    send: (headers, body, slowly) =>
      slowly ? sendSlowly(target, headers, body) : transport.send({ url, headers, body }, never),
    close: () => transport.close(),
  };
}

/** Sends a body in chunks with pauses between them. Never rejects. */
function sendSlowly(
  { url, timeoutMs, ca, insecureTls }: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<ProbeResponse> {
  return new Promise(resolve => {
    let sentAt = performance.now();
    const done = (status: number | null, cause: string | null) => {
      clearInterval(timer);
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
      signal: AbortSignal.timeout(timeoutMs + CHUNKS * PAUSE_MS),
      ...tls,
    });
    const bytes = Buffer.from(body);
    const size = Math.ceil(bytes.length / CHUNKS);
    let sent = 0;
    const timer = setInterval(() => {
      const chunk = bytes.subarray(sent, sent + size);
      sent += chunk.length;
      sentAt = performance.now();
      if (sent < bytes.length) outgoing.write(chunk);
      else {
        clearInterval(timer);
        outgoing.end(chunk);
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
