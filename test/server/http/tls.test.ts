import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../src/index.ts';

const file = (name: string) => join(import.meta.dirname, '../../sandbox/transport/certificates', name);
/** Made for tests; good for localhost, 127.0.0.1 and ::1 until 2120. */
const [CERT, KEY, EXPIRED_CERT] = [file('certificate.pem'), file('key.pem'), file('expired.pem')];

/** Sends a GET request that trusts the certificate of the tests. */
function request(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { ca: readFileSync(CERT), headers }, response => {
      let body = '';
      response.on('data', chunk => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

async function startSecure() {
  const sandbox = await startServer({ fixtures: ['starter'], tlsCert: CERT, tlsKey: KEY });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('with a certificate the API, the control plane and the dashboard are served over https', async () => {
  const sandbox = await startSecure();
  expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const listed = await request(`${sandbox.baseUrl}/partner/cards`, { 'x-service-api-key': sandbox.apiKey });
  expect(listed.status).toBe(200);
  const info = await request(`${sandbox.url}/_sandbox/info`);
  expect(JSON.parse(info.body)).toMatchObject({ baseUrl: sandbox.baseUrl });
  expect((await request(`${sandbox.url}/openapi.json`)).body).toContain(sandbox.baseUrl);
});

test('with TLS, only https is the origin of the sandbox itself', async () => {
  const { url } = await startSecure();
  const { host } = new URL(url);
  expect((await request(`${url}/_sandbox/clock`, { origin: `https://${host}` })).status).toBe(200);
  expect((await request(`${url}/_sandbox/clock`, { origin: `http://${host}` })).status).toBe(403);
});

test('a certificate needs its key, and both must be readable PEM files that belong together', async () => {
  await expect(startServer({ tlsCert: CERT })).rejects.toThrow(
    'tlsKey: must be given with tlsCert: the PEM file of its private key',
  );
  await expect(startServer({ tlsKey: KEY })).rejects.toThrow(
    'tlsCert: must be given with tlsKey: the PEM file of the certificate',
  );
  await expect(startServer({ tlsCert: file('missing.pem'), tlsKey: KEY })).rejects.toThrow(
    /^tlsCert: must be a PEM file; it cannot be read: ENOENT/,
  );
  await expect(startServer({ tlsCert: KEY, tlsKey: EXPIRED_CERT })).rejects.toThrow(
    /^tlsCert: must be a PEM certificate that belongs to the key in tlsKey/,
  );
});
