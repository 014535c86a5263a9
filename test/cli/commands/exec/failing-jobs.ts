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

/** A test in JavaScript. It waits an hour first, so that the history has a call of the control plane. */
const TEST = `
  const { SERVICE_BASE_URL, SERVICE_API_KEY, CARD_SANDBOX_URL } = process.env;
  const post = (url, body) => fetch(url, {
    method: 'POST',
    headers: { 'x-service-api-key': SERVICE_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  test('issues a card', async () => {
    await post(CARD_SANDBOX_URL + '/_sandbox/clock/advance', { duration: '1h' });
    const issued = await post(SERVICE_BASE_URL + '/partner/cards', ${JSON.stringify(CARD)});
    expect(issued.status).toBe(201);
  });`;

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
import json, os, unittest, urllib.error, urllib.request

def post(url, body):
    headers = {"x-service-api-key": os.environ["SERVICE_API_KEY"], "content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code

class Issue(unittest.TestCase):
    def test_issues_a_card(self):
        post(os.environ["CARD_SANDBOX_URL"] + "/_sandbox/clock/advance", {"duration": "1h"})
        self.assertEqual(post(os.environ["SERVICE_BASE_URL"] + "/partner/cards", ${JSON.stringify(CARD)}), 201)
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
