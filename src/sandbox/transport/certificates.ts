import { X509Certificate } from 'node:crypto';
import { messageOf } from '../../core/values/read-thrown.ts';
import { OptionError } from '../options.ts';
import { readTextFile } from '../text-file.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates in a PEM file. Throws an OptionError for `webhookCa` if there are none. */
export function readCertificates(file: string): string {
  const refuse = (message: string) => new OptionError('webhookCa', `must be a PEM file; ${message}`);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw refuse(`it cannot be read: ${messageOf(error)}`);
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
