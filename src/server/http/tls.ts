import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { OptionError } from '../../sandbox/options.ts';

/** The certificate and the key of a server, as PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the PEM files of a certificate and its key. Returns undefined when both are undefined. Throws an OptionError when
 * one is missing or unreadable, or when they do not belong together.
 */
export function readTls(tlsCert: string | undefined, tlsKey: string | undefined): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined)
    throw new OptionError('tlsCert', 'must be given with tlsKey: the PEM file of the certificate');
  if (tlsKey === undefined)
    throw new OptionError('tlsKey', 'must be given with tlsCert: the PEM file of its private key');
  const tls = { cert: readPem('tlsCert', tlsCert), key: readPem('tlsKey', tlsKey) };
  try {
    createSecureContext(tls);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OptionError(
      'tlsCert',
      `must be a PEM certificate that belongs to the key in tlsKey (${reason})`,
    );
  }
  return tls;
}

function readPem(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OptionError(option, `must be a PEM file; it cannot be read: ${reason}`);
  }
}
