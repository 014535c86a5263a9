import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { readCertificates } from '../../../src/sandbox/transport/certificates.ts';
import { fixtureFile } from '../fixtures/fixture-files.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8').trim();

test('all certificates of a file are read, each on lines of its own, and nothing else', () => {
  const [one, two, key] = [pem('certificate.pem'), pem('expired.pem'), pem('key.pem')];
  const read = readCertificates(fixtureFile(`The first:\n${one}\n\n${key}\nThe second:\n${two}\n`, 'ca.pem'));
  expect(read).toBe(`${one}\n${two}`);
  expect(() => createSecureContext({ ca: read })).not.toThrow();
});
