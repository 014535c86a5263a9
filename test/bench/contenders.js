import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, nodeProgramIn } from '../support/processes/install-packages.js';
import { here } from './processes.js';

const CACHE = here('../../node_modules/.cache/bench-peers');
/** What the youngest of the others needs. */
const NODE = '24';
const DOCUMENT = here('../../docs/openapi.json');
const KEY = { 'X-Service-Api-Key': 'sk_test_acme_0123456789abcdef' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The folder for what servers are given and write. */
const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a file for a server, and returns its path. */
export function fileFor(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const BODY = JSON.stringify({
  externalUserId: 'user-{n}',
  email: 'person-{n}@example.com',
  phoneNumber: '+351912345678',
  kycSource: 'idp1',
  idp1ShareToken: 'idp1_test_approve_{n}',
});
const GET_OVER_API = { path: '/v1/partner/cardholders/ch_liam_pending', headers: KEY };

/** How to create a cardholder over the API, from a fresh magic token each time. */
export const POST_OVER_API = {
  method: 'POST',
  path: '/v1/partner/cardholders',
  headers: { ...KEY, ...JSON_TYPE },
  body: BODY,
};

/** Our own program as users start it, with a rate limit that is counted but not reached, and the given flags. */
export function sandbox(...flags) {
  const program = here('../../bin/card-sandbox.js');
  return {
    name: 'card-sandbox',
    command: port => [program, 'start', '--port', port, '--rate-limit', '1000000', ...flags],
    ready: { path: '/_sandbox/health' },
    get: GET_OVER_API,
    post: POST_OVER_API,
  };
}

const PLAIN = {
  ready: { path: '/cardholders/ch_1' },
  get: { path: '/cardholders/ch_1' },
  post: { method: 'POST', path: '/cardholders', headers: JSON_TYPE, body: BODY },
};

/** The limit: node:http and a Map. */
export const BARE_HTTP = {
  name: 'bare node:http',
  command: port => [here('servers/bare-http.js'), String(port)],
  ...PLAIN,
};

/** Express as most people would write it. */
export const BARE_EXPRESS = {
  name: 'bare Express 5',
  command: port => [here('servers/bare-express.js'), String(port)],
  ...PLAIN,
};

/** Other mock servers, each as its documentation starts it. Empty, with a line that says why, when they cannot be had. */
export function peers() {
  try {
    installPackages(here('peers/package.json'), CACHE, [NODE]);
  } catch (error) {
    console.log(`skipped all peers, which cannot be fetched: ${error.message.split('\n')[0]}`);
    return [];
  }
  const installed = path => join(CACHE, 'node_modules', path);
  const overDocument = prefix => ({
    ready: { ...GET_OVER_API, path: `${prefix}/partner/cardholders/ch_liam_pending` },
    get: { ...GET_OVER_API, path: `${prefix}/partner/cardholders/ch_liam_pending` },
    post: { ...POST_OVER_API, path: `${prefix}/partner/cardholders` },
  });
  // It answers a token 5,000 times an hour, so each request brings another.
  const bearer = { Authorization: 'Bearer sk_test_{n}' };
  return [
    {
      name: 'emulate 0.12.2 (Stripe)',
      program: nodeProgramIn(CACHE, NODE),
      command: port => [installed('emulate/dist/index.js'), 'start', '--service', 'stripe', '--port', port],
      ready: { path: '/v1/customers', headers: bearer },
      // Its ids are not known beforehand.
      first: { path: '/v1/customers', headers: bearer, idIn: body => body.data[0].id },
      get: { path: '/v1/customers/{id}', headers: bearer },
      post: {
        method: 'POST',
        path: '/v1/customers',
        headers: { ...bearer, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'email=person-{n}%40example.com&name=Ana+Silva&description=user-{n}',
      },
    },
    {
      name: 'json-server 0.17.4',
      cwd: folder,
      command: port => [
        installed('json-server/lib/cli/bin.js'),
        '--quiet',
        '--port',
        port,
        fileFor('db.json', '{"cardholders":[{"id":"ch_1","email":"ana@example.com","firstName":"Ana"}]}'),
      ],
      ...PLAIN,
    },
    {
      name: '@mockoon/cli 9.9.0',
      cwd: folder,
      command: port => [
        installed('@mockoon/cli/bin/run.js'),
        ...['start', '--disable-log-to-file', '--data', DOCUMENT, '--port', port],
      ],
      ...overDocument('/v1'),
    },
    {
      name: '@stoplight/prism-cli 5.12',
      command: port => [installed('@stoplight/prism-cli/dist/index.js'), 'mock', DOCUMENT, '--port', port],
      ...overDocument(''),
    },
  ];
}
