import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Transport } from '../core/world/transport.ts';
import { OptionError, type ResolvedOptions } from './options.ts';
import type { Redirection } from './transport/destination.ts';
import { httpTransports } from './transport/http-transport.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The address at which a sandbox is served. */
interface Served {
  readonly origin: string;
  /** Null if it does not listen. */
  readonly host: string | null;
}

/**
 * Returns a function that creates the HTTP transport of a world. No transport sends to the address at which the server
 * is served. The redirection is read for each send, so it can change. Throws an OptionError if the certificate file
 * cannot be used.
 */
export function webhookTransports(
  options: ResolvedOptions,
  served: () => Served | null,
): (redirection: () => Redirection) => Transport {
  return httpTransports({
    egress: options.egress,
    ca: options.webhookCa === undefined ? undefined : readCertificates(options.webhookCa),
    insecureTls: options.insecureWebhookTls,
    ownAddress() {
      const { host = null, origin = '' } = served() ?? {};
      // A URL omits the default port.
      if (host === null) return null;
      const { port, protocol } = new URL(origin);
      return { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
    },
  });
}

/** Reads the certificates in a PEM file. Throws an OptionError for `webhookCa` if there are none. */
export function readCertificates(file: string): string {
  const refuse = (message: string) => new OptionError('webhookCa', `must be a PEM file; ${message}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(`it cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw refuse('it does not contain a certificate (-----BEGIN CERTIFICATE-----)');
  }
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw refuse('a certificate in it is invalid');
  }
  return certificates.join('\n');
}
