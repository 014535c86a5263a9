import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CREATE_CARDHOLDER, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

const MIN_RATIO = 0.98;
const TURNS = 5;
const WARM_UP_MS = 1_500;

/** A configuration file that sets nearly everything. */
const CONFIGURATION = `assume:
  card-status-parameter: state
  usage-from-parameter: since
  usage-to-parameter: until
  usage-period-parameter: month
  usage-type-parameter: kind
  invalid-input-status: 422
  allow-list-status: 403
  copy-pan-default: true
  stylesheet-url: required
  card-initial-status: active
  kyc-after-rejection: refused
  list-order: oldest
  webhook-timeout: 30s
  webhook-envelope: data
  event-history: twelve
  email-comparison: sensitive
  patch-config: replace
  unset-config: omitted
  signature-timestamp: milliseconds
  authorization-ttl: 2h
  amount-unit: minor
`;

/** Requests per second with a setting for nearly everything, relative to a server without settings. */
export async function settings({ worker, rounds, sliceMs }) {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-'));
  const file = join(folder, 'card-sandbox.config.yaml');
  writeFileSync(file, CONFIGURATION);
  // In a minute, these two take more requests than the largest limit.
  const unlimited = (...flags) => startServer(sandbox('--rate-limit', '0', ...flags));
  const [plain, configured] = [await unlimited(), await unlimited('--config', file)];
  const { get } = sandbox();
  const requests = {
    'GET a cardholder': get,
    'GET a card': { ...get, path: '/v1/partner/cards/card_mia_active' },
    'POST a cardholder': CREATE_CARDHOLDER,
  };
  const rows = [];
  let slices = 0;
  for (const [label, request] of Object.entries(requests)) {
    const speed = async ({ port }, ms = sliceMs) =>
      (await worker.call({ job: 'drive', port, ms, from: 100_000 * slices++, ...request })).perSecond;
    for (const server of [plain, configured, plain, configured]) await speed(server, WARM_UP_MS);
    const ratios = [];
    for (let turn = 0; turn < TURNS * rounds; turn++) {
      const order = turn % 2 === 0 ? [plain, configured] : [configured, plain];
      const speeds = new Map();
      for (const server of order) speeds.set(server, await speed(server));
      ratios.push(speeds.get(configured) / speeds.get(plain));
    }
    const ratio = spread(ratios);
    rows.push({
      figure: `${label} with settings, requests/s over a server without`,
      target: `>= ${MIN_RATIO}`,
      ...ratio,
      met: ratio.median >= MIN_RATIO,
    });
  }
  await Promise.all([plain.stop(), configured.stop()]);
  rmSync(folder, { recursive: true });
  return rows;
}
