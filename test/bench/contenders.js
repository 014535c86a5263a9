import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, nodeProgramIn } from '../support/proof/install-packages.js';
import { here, startServer } from './processes.js';

const CACHE = here('../../node_modules/.cache/bench-peers');
/** The Node.js versions on which starts are compared; the newest of the peers requires the last. */
const NODE_VERSIONS = ['22', '24'];
const DOCUMENT = here('../../docs/openapi.json');
const KEY = { 'X-Service-Api-Key': 'sk_test_acme_0123456789abcdef' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The folder for files that servers read and write. */
const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Returns the program of each Node.js version that is installed with the peers. */
export function nodePrograms() {
  return new Map(NODE_VERSIONS.map(version => [version, nodeProgramIn(CACHE, version)]));
}

/** Creates a folder for temporary files, in which Node.js keeps what it has compiled. */
export function temporaryFolder() {
  return mkdtempSync(join(folder, 'temporary-'));
}

/** Writes a file for a server and returns its path. */
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
const GET_CARDHOLDER = { path: '/v1/partner/cardholders/ch_liam_pending', headers: KEY };

/** Creates a cardholder over the API, from a new magic token each time. */
export const CREATE_CARDHOLDER = {
  method: 'POST',
  path: '/v1/partner/cardholders',
  headers: { ...KEY, ...JSON_TYPE },
  body: BODY,
};

/** The sandbox as users start it, with more flags, and a rate limit that is counted but never reached. */
export function sandbox(...flags) {
  const program = here('../../bin/card-sandbox.js');
  return {
    name: 'card-sandbox',
    command: port => [program, 'start', '--port', port, '--rate-limit', '1000000', ...flags],
    // As with the other servers, the first response is one of the API.
    ready: { path: '/v1/partner/cardholders', headers: KEY },
    get: GET_CARDHOLDER,
    post: CREATE_CARDHOLDER,
  };
}

/** Starts the sandbox with generated cardholders alone. `cardholder` is the id of one of them. */
export async function startWithPeople(count, ...flags) {
  const file = fileFor(`${count}.yaml`, `cardholders: [{ generate: ${count} }]\n`);
  const server = await startServer(sandbox('--fixtures', 'empty', file, ...flags));
  const { path, headers } = CREATE_CARDHOLDER;
  const url = `http://127.0.0.1:${server.port}${path}?limit=1&page=${count / 2}`;
  const { data } = await (await fetch(url, { headers })).json();
  return { ...server, cardholder: data[0].id };
}

const BARE_REQUESTS = {
  ready: { path: '/cardholders/ch_1' },
  get: { path: '/cardholders/ch_1' },
  post: { method: 'POST', path: '/cardholders', headers: JSON_TYPE, body: BODY },
};

/** The upper limit: node:http and a Map. */
export const BARE_HTTP = {
  name: 'bare node:http',
  command: port => [here('servers/bare-http.js'), String(port)],
  ...BARE_REQUESTS,
};

/** A typical Express app. */
export const BARE_EXPRESS = {
  name: 'bare Express 5',
  command: port => [here('servers/bare-express.js'), String(port)],
  ...BARE_REQUESTS,
};

/** Other mock servers, each started as its documentation says. Prints why and returns none when they cannot be installed. */
export function peers() {
  try {
    installPackages(here('peers/package.json'), CACHE, NODE_VERSIONS);
  } catch (error) {
    console.log(`skipped all peers, which cannot be installed: ${error.message.split('\n')[0]}`);
    return [];
  }
  const installed = path => join(CACHE, 'node_modules', path);
  const requestsBelow = prefix => ({
    ready: { ...GET_CARDHOLDER, path: `${prefix}/partner/cardholders/ch_liam_pending` },
    get: { ...GET_CARDHOLDER, path: `${prefix}/partner/cardholders/ch_liam_pending` },
    post: { ...CREATE_CARDHOLDER, path: `${prefix}/partner/cardholders` },
  });
  // It allows 5,000 requests per token and hour, so each request uses a new token.
  const bearer = { Authorization: 'Bearer sk_test_{n}' };
  return [
    {
      name: 'emulate 0.12.2 (Stripe)',
      program: nodePrograms().get('24'),
      command: port => [installed('emulate/dist/index.js'), 'start', '--service', 'stripe', '--port', port],
      ready: { path: '/v1/customers', headers: bearer },
      // Its IDs are not known in advance.
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
      ...BARE_REQUESTS,
    },
    {
      name: '@mockoon/cli 9.9.0',
      cwd: folder,
      command: port => [
        installed('@mockoon/cli/bin/run.js'),
        ...['start', '--disable-log-to-file', '--data', DOCUMENT, '--port', port],
      ],
      ...requestsBelow('/v1'),
    },
    {
      name: '@stoplight/prism-cli 5.12',
      command: port => [installed('@stoplight/prism-cli/dist/index.js'), 'mock', DOCUMENT, '--port', port],
      ...requestsBelow(''),
    },
  ];
}
