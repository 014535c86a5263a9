import { join } from 'node:path';
import { installPackages } from '../../../support/proof/install-packages.js';
import { isInstalled } from '../../support/installed.ts';

/** A job with one test, which fails because the sandbox refuses a card. */
export interface Job {
  /** Texts by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** The folder of its packages; null if it has none. */
  readonly modules: string | null;
  /** The command that runs its tests in a folder. */
  command(folder: string): readonly string[];
  /** What the tool prints of the test that fails. */
  readonly complaint: string;
}

const ROOT = join(import.meta.dirname, '../../../..');
const CACHE = join(ROOT, 'node_modules/.cache/jest');
const CARD = { cardholderId: 'ch_own', cardProgramId: 'prog_own' };
const PERSON = {
  kycSource: 'idp1',
  idp1ShareToken: 'idp1_test_approve_own',
  externalUserId: 'new',
  email: 'new@example.com',
  phoneNumber: '+4915123456789',
};

/**
 * A test in JavaScript. The KYC of a cardholder is approved as time passes, and is waited for: on a frozen clock by an
 * advance. Only then the card of another one is refused.
 */
const TEST = `
  const { SERVICE_BASE_URL, SERVICE_API_KEY, CARD_SANDBOX_URL, CARD_SANDBOX_WORLD } = process.env;
  const control = CARD_SANDBOX_URL + '/_sandbox/worlds/' + CARD_SANDBOX_WORLD;
  const send = (method, url, body) => fetch(url, {
    method,
    headers: { 'x-service-api-key': SERVICE_API_KEY, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  test('issues a card', async () => {
    const { mode } = await (await send('GET', control + '/clock')).json();
    const { id } = await (await send('POST', SERVICE_BASE_URL + '/partner/cardholders', ${JSON.stringify(PERSON)})).json();
    await send('POST', SERVICE_BASE_URL + '/partner/cardholders/' + id + '/kyc', { cardProgramId: 'prog_own' });
    for (let status = 'pending'; status === 'pending'; ) {
      if (mode === 'frozen') await send('POST', control + '/clock/advance', { duration: '1h' });
      else await new Promise(resolve => setTimeout(resolve, 100));
      await send('POST', control + '/deliveries/settle');
      status = (await (await send('GET', SERVICE_BASE_URL + '/partner/cardholders/' + id)).json()).kycStatus;
    }
    expect((await send('POST', SERVICE_BASE_URL + '/partner/cards', { ...${JSON.stringify(CARD)}, cardholderId: id })).status).toBe(201);
    const issued = await send('POST', SERVICE_BASE_URL + '/partner/cards', ${JSON.stringify(CARD)});
    expect(issued.status).toBe(201);
  }, 60_000);`;

/** A job of Vitest. */
export async function vitestJob(): Promise<Job> {
  return {
    files: { 'issue.test.mjs': `import { expect, test } from 'vitest';${TEST}` },
    modules: join(ROOT, 'node_modules'),
    command: folder => [
      ...[process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'],
      ...['--root', folder],
    ],
    complaint: 'expected 400 to be 201',
  };
}

/** A job of Jest in CommonJS, or why there is none. */
export async function jestJob(): Promise<Job | string> {
  try {
    installPackages(join(ROOT, 'test/contract/jest/package.json'), CACHE, []);
  } catch (error) {
    if (process.env.CI) throw error;
    return `Jest is left out: npm could not install it (${error instanceof Error ? error.message : error})`;
  }
  return {
    files: { 'issue.test.cjs': TEST },
    modules: join(CACHE, 'node_modules'),
    command: folder => [
      ...[process.execPath, join(CACHE, 'node_modules/jest/bin/jest.js')],
      // Without a configuration, Jest looks for one above the working directory.
      ...['--config', JSON.stringify({ rootDir: folder, testMatch: ['**/*.test.cjs'] })],
    ],
    complaint: 'Received: 400',
  };
}

const PYTHON = `
import json, os, time, unittest, urllib.error, urllib.request

API = os.environ["SERVICE_BASE_URL"] + "/partner"
CONTROL = os.environ["CARD_SANDBOX_URL"] + "/_sandbox/worlds/" + os.environ["CARD_SANDBOX_WORLD"]

def send(method, url, body=None):
    headers = {"x-service-api-key": os.environ["SERVICE_API_KEY"], "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        response = urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method))
        text = response.read()
        return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, None

class Issue(unittest.TestCase):
    def test_issues_a_card(self):
        mode = send("GET", CONTROL + "/clock")[1]["mode"]
        person = send("POST", API + "/cardholders", ${JSON.stringify(PERSON)})[1]["id"]
        send("POST", API + "/cardholders/" + person + "/kyc", {"cardProgramId": "prog_own"})
        status = "pending"
        while status == "pending":
            if mode == "frozen":
                send("POST", CONTROL + "/clock/advance", {"duration": "1h"})
            else:
                time.sleep(0.1)
            send("POST", CONTROL + "/deliveries/settle")
            status = send("GET", API + "/cardholders/" + person)[1]["kycStatus"]
        self.assertEqual(send("POST", API + "/cards", {"cardholderId": person, "cardProgramId": "prog_own"})[0], 201)
        self.assertEqual(send("POST", API + "/cards", ${JSON.stringify(CARD)})[0], 201)
`;

/** A job of pytest, or of the unittest of Python where pytest is missing, or why there is none. */
export async function pytestJob(): Promise<Job | string> {
  if (!isInstalled('python3', '--version')) return 'pytest is left out: there is no python3';
  const hasPytest = isInstalled('python3', '-m', 'pytest', '--version');
  const tool = hasPytest ? ['pytest', '-p', 'no:cacheprovider'] : ['unittest'];
  return {
    files: { 'test_issue.py': PYTHON },
    modules: null,
    command: folder => ['python3', '-m', ...tool, join(folder, 'test_issue.py')],
    complaint: 'AssertionError: 400 != 201',
  };
}
