import type { Layout } from './layout.ts';
import type { Runner } from './project.ts';

/** How a test is written for a runner that works in JavaScript. */
interface Dialect {
  readonly imports: readonly string[];
  /** What precedes `beforeEach` and `afterEach`. */
  readonly hooks: string;
  equal(actual: string, expected: string): string;
}

const expectToBe = (actual: string, expected: string) => `expect(${actual}).toBe(${expected});`;

const DIALECTS: Readonly<Record<Exclude<Runner, 'pytest'>, Dialect>> = {
  vitest: { imports: ['afterEach, beforeEach, expect, test', 'vitest'], hooks: '', equal: expectToBe },
  jest: { imports: [], hooks: '', equal: expectToBe },
  playwright: { imports: ['expect, test', '@playwright/test'], hooks: 'test.', equal: expectToBe },
  'node:test': {
    imports: ['afterEach, beforeEach, test', 'node:test'],
    hooks: '',
    equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  },
};

/** Returns the text of the first test for a runner that works in JavaScript. */
export function javaScriptTest(runner: Exclude<Runner, 'pytest'>, layout: Layout): string {
  const { imports, hooks, equal } = DIALECTS[runner];
  const isTypeScript = layout.language === 'TypeScript';
  // A compiler turns the imports of TypeScript into what the module needs.
  const load = isTypeScript || layout.isModule ? importLine : requireLine;
  const [names, runnerPackage] = imports;
  const lines = [
    ...(runner === 'node:test' ? [load('assert', 'node:assert/strict')] : []),
    ...(layout.isModule ? [load('{ fileURLToPath }', 'node:url')] : [load('{ join }', 'node:path')]),
    load(isTypeScript ? '{ createSandbox, type Sandbox }' : '{ createSandbox }', 'card-sandbox'),
    ...(names === undefined || runnerPackage === undefined ? [] : [load(`{ ${names} }`, runnerPackage)]),
  ];
  const fixture = layout.isModule
    ? `fileURLToPath(new URL('card-sandbox.yaml', import.meta.url))`
    : `join(__dirname, 'card-sandbox.yaml')`;
  return `${lines.join('\n')}

const fixture = ${fixture};

let sandbox${isTypeScript ? ': Sandbox' : ''};
${hooks}beforeEach(() => {
  // In this process, without a port. The clock is frozen until a test advances it.
  sandbox = createSandbox({ fixtures: ['empty', fixture] });
});
${hooks}afterEach(() => sandbox.close());

test('a person gets an active card once KYC is approved', async () => {
  const { token } = await sandbox.mintShareToken({ identity: { firstName: 'Mia' } });
  const { id } = await sandbox.api.cardholders.create({
    externalUserId: 'user-mia',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
  // The card provider decides after two seconds.
  await sandbox.clock.advance('2s');
  const card = await sandbox.api.cards.issue({ cardholderId: id, cardProgramId: 'prog_everyday' });
  await sandbox.api.cards.activate(card.id);
  ${equal('(await sandbox.api.cards.get(card.id)).status', `'active'`)}
});

test('a frozen card is declined', async () => {
  await sandbox.api.cards.freeze('card_zoe');
  const sale = await sandbox.simulate.authorize({ cardId: 'card_zoe', amount: 9.5 });
  ${equal('sale.declineReason', `'card_frozen'`)}
});
`;
}

function importLine(names: string, from: string): string {
  return `import ${names} from '${from}';`;
}

function requireLine(names: string, from: string): string {
  return `const ${names} = require('${from}');`;
}

/** The text of the first test for pytest. It needs no package besides pytest. */
export const PYTHON_TEST = `"""Runs against the sandbox of \`card-sandbox exec -- pytest\`, or else against one of its own."""

import json
import os
import pathlib
import shutil
import subprocess
import urllib.request

import pytest

FIXTURE = pathlib.Path(__file__).with_name("card-sandbox.yaml")


@pytest.fixture(scope="module")
def sandbox():
    if "SERVICE_API_KEY" in os.environ and "CARD_SANDBOX_URL" in os.environ:
        yield Sandbox(os.environ["CARD_SANDBOX_URL"], os.environ["SERVICE_API_KEY"])
        return
    start = [shutil.which("npx") or "npx", "--no", "card-sandbox", "start", "--port", "0", "--json"]
    process = subprocess.Popen([*start, "--fixtures", "empty", str(FIXTURE)], stdout=subprocess.PIPE, text=True)
    listening = json.loads(process.stdout.readline())
    yield Sandbox(listening["url"], listening["partners"][0]["apiKey"])
    process.terminate()
    process.wait()


class Sandbox:
    def __init__(self, url, key):
        self.url, self.key = url, key

    def api(self, method, path, body=None):
        """Calls the API, as the app does."""
        return self._call(method, "/v1" + path, body, {"x-service-api-key": self.key})

    def control(self, method, path, body=None):
        """Simulates the other parties: identity provider, card provider, shops, time."""
        return self._call(method, "/_sandbox" + path, body, {})

    def _call(self, method, path, body, headers):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", **headers}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        # Without a proxy: the sandbox is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as response:
            return json.loads(response.read() or "null")


def test_a_person_gets_an_active_card_once_kyc_is_approved(sandbox):
    program = sandbox.api("GET", "/partner/card-programs")["data"][0]["id"]
    token = sandbox.control("POST", "/share-tokens", {"identity": {"firstName": "Mia"}})["token"]
    person = sandbox.api("POST", "/partner/cardholders", {
        "externalUserId": "user-mia",
        "email": "mia@example.com",
        "phoneNumber": "+4915123456789",
        "kycSource": "idp1",
        "idp1ShareToken": token,
    })
    sandbox.api("POST", f"/partner/cardholders/{person['id']}/kyc", {"cardProgramId": program})
    # The card provider decides after two seconds.
    sandbox.control("POST", "/clock/advance", {"duration": "2s"})
    card = sandbox.api("POST", "/partner/cards", {"cardholderId": person["id"], "cardProgramId": program})
    sandbox.api("POST", f"/partner/cards/{card['id']}/activate")
    assert sandbox.api("GET", f"/partner/cards/{card['id']}")["status"] == "active"


def test_a_frozen_card_is_declined(sandbox):
    cards = [card["id"] for card in sandbox.api("GET", "/partner/cards")["data"]]
    if "card_zoe" not in cards:
        pytest.skip(f"start the sandbox with --fixtures empty {FIXTURE}")
    sandbox.api("POST", "/partner/cards/card_zoe/freeze")
    sale = sandbox.control("POST", "/transactions", {"cardId": "card_zoe", "amount": 9.5})
    assert sale["declineReason"] == "card_frozen"
`;
