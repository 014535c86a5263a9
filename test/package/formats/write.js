// Writes every kind of file as this release writes and reads it, for the tests of later releases. Run once for each
// minor version, after `npm run build`: `node test/package/formats/write.js 0.1`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const [version = ''] = process.argv.slice(2);
const folder = join(import.meta.dirname, version);
const { CARD_SANDBOX_URL, SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;

if (!/^\d+\.\d+$/.test(version)) throw new Error('usage: node test/package/formats/write.js MAJOR.MINOR');
if (CARD_SANDBOX_URL === undefined) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeInputs();
  const sandbox = ['--fixtures', 'empty', '--seed', '7', '--clock', '2026-03-15T10:00:00Z', '--freeze'];
  const artifacts = ['--artifacts', join(folder, 'bundle'), '--artifacts-always'];
  const command = [process.execPath, import.meta.filename, version];
  const args = [join(ROOT, 'bin/card-sandbox.js'), 'exec', ...sandbox, ...artifacts, '--', ...command];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  // What `run` reads nothing of, and names the folder.
  for (const file of ['requests.json', 'sandbox.log', 'summary.md']) {
    rmSync(join(folder, 'bundle', file));
  }
} else {
  await writeOutputs();
}

/** Writes the files that people write: a fixture, a scenario and a configuration. */
function writeInputs() {
  copyFileSync(join(ROOT, 'fixtures/starter.yaml'), join(folder, 'fixture.yaml'));
  copyFileSync(join(ROOT, 'fixtures/scenarios/card-lifecycle.yaml'), join(folder, 'scenario.yaml'));
  const config = {
    fixtures: ['./fixture.yaml'], seed: 11, clock: '2026-05-01T00:00:00Z', freeze: true,
    'kyc-delay': '90s', 'id-length': 30, 'rate-limit': 500, 'allow-http-webhooks': true,
    'retry-speed': 10,
      'forward-to': 'http://127.0.0.1:9/hooks',
      map: ['https://a.test=http://127.0.0.1:9'],
    egress: 'any', 'documented-only': true, 'max-worlds': 5, 'world-ttl': '2h',
    names: { service: 'acme' }, assume: { 'list-order': 'oldest' },
    port: 0, host: '127.0.0.1', 'log-format': 'json',
  };
  writeFileSync(join(folder, 'card-sandbox.config.yaml'), stringify(config));
}

/** Writes the files that the sandbox writes: state, history, profile and, when this ends, the bundle. */
async function writeOutputs() {
  const call = async (url, method = 'GET', body = undefined) => {
    const headers = { 'x-service-api-key': SERVICE_API_KEY, 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return text;
  };
  const api = async (...args) => JSON.parse(await call(SERVICE_BASE_URL + args[0], ...args.slice(1)));
  const control = (path, ...args) => call(`${CARD_SANDBOX_URL}/_sandbox${path}`, ...args);

  await api('/partner/webhooks/config', 'PATCH', {
    subscribedEvents: ['card.issued', 'cardholder.approved'],
  });
  const [program] = (await api('/partner/card-programs')).data;
  const { id } = await api('/partner/cardholders', 'POST', {
    externalUserId: 'user-1', email: 'ada@example.com', phoneNumber: '+4915123456789',
    kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_1',
  });
  await api(`/partner/cardholders/${id}/kyc`, 'POST', { cardProgramId: program.id });
  await control('/clock/advance', 'POST', { duration: '2s' });
  const card = await api('/partner/cards', 'POST', { cardholderId: id, cardProgramId: program.id });
  await api(`/partner/cards/${card.id}/activate`, 'POST');
  await control('/transactions', 'POST', { cardId: card.id, amount: 12.5, merchant: 'hotel' });
  await control('/partners/partner_acme/settings', 'PATCH', { lowThreshold: 100 });

  writeFileSync(join(folder, 'state.json'), await control('/state'));
  writeFileSync(join(folder, 'history.yaml'), await control('/history/export'));
  const settings = JSON.parse(await control('/assumptions')).flatMap(({ setting }) => setting ?? []);
  const assume = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  writeFileSync(join(folder, 'profile.yaml'), stringify({ names: { service: 'acme' }, assume }));
}
