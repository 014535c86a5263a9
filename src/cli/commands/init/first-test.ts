import type { Layout } from './layout.ts';
import type { Runner } from './project.ts';

/** What a test imports `test` from; Jest has it as a global. */
const TEST_PACKAGES: Readonly<Record<Exclude<Runner, 'pytest'>, string | null>> = {
  vitest: 'vitest',
  jest: null,
  playwright: '@playwright/test',
  'node:test': 'node:test',
};

/** The jsdom of Jest hides the Response of Node.js, which the receiver needs. */
const JEST_ENVIRONMENT = '/** @jest-environment node */';

/** Returns the text of the first test for a runner that works in JavaScript. The documents show the same test. */
export function javaScriptTest(
  runner: Exclude<Runner, 'pytest'>,
  { language, isModule }: Pick<Layout, 'language' | 'isModule'>,
): string {
  const isTypeScript = language === 'TypeScript';
  // A compiler turns the imports of TypeScript into what the module needs.
  const load = (names: string, from: string) =>
    isTypeScript || isModule ? `import ${names} from '${from}';` : `const ${names} = require('${from}');`;
  const type = (text: string) => (isTypeScript ? text : '');
  const testPackage = TEST_PACKAGES[runner];
  return `${[
    ...(runner === 'jest' ? [JEST_ENVIRONMENT] : []),
    load('assert', 'node:assert/strict'),
    load('{ createSandbox, verifyWebhook }', 'card-sandbox'),
    ...(testPackage === null ? [] : [load('{ test }', testPackage)]),
  ].join('\n')}

test('a person is approved, and the app is notified', async () => {
  const secret = 'a-secret-of-16-characters-or-more';
  // By id: a webhook can come twice.
  const stored = new Map${type('<string, string>')}();
  // In this process, without a port. The clock is frozen until the test advances it.
  const sandbox = createSandbox({
    // The receiver of the app. It responds once the event is stored: what was acknowledged is not sent again.
    async webhookReceiver(request) {
      const body = await request.text();
      const { valid } = verifyWebhook(body, request.headers.get('x-service-signature'), secret);
      if (!valid) return new Response(null, { status: 401 });
      const { id, eventType } = JSON.parse(body);
      stored.set(id, eventType);
      return new Response();
    },
  });
  // The client of the app, with the address and the key of the sandbox.
  const send = async (method${type(': string')}, path${type(': string')}, body${type('?: object')})${type(': Promise<any>')} => {
    const headers = { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body) };
    return (await sandbox.fetch(sandbox.baseUrl + path, init)).json();
  };

  await send('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://app.test/webhooks',
    webhookSecret: secret,
    subscribedEvents: ['cardholder.approved'],
  });
  const { id } = await send('POST', '/partner/cardholders', {
    externalUserId: 'user-mia',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_mia',
  });
  await send('POST', \`/partner/cardholders/\${id}/kyc\`, { cardProgramId: 'prog_everyday' });
  assert.equal((await send('GET', \`/partner/cardholders/\${id}\`)).kycStatus, 'pending');

  // The provider decides after two seconds. When the advance returns, the webhook has arrived.
  await sandbox.clock.advance('2s');
  assert.equal((await send('GET', \`/partner/cardholders/\${id}\`)).kycStatus, 'approved');
  assert([...stored.values()].includes('cardholder.approved'));
  await sandbox.close();
});
`;
}

/** The text of the first test for pytest: the same over HTTP. It needs no package besides pytest. */
export const PYTHON_TEST = `"""Runs under \`npx card-sandbox exec --freeze -- pytest\`, which sets the variables."""

import hashlib
import hmac
import json
import os
import re
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "a-secret-of-16-characters-or-more"
WORLD = f"{os.environ['CARD_SANDBOX_URL']}/_sandbox/worlds/{os.environ.get('CARD_SANDBOX_WORLD', 'main')}"


def send(method, url, body=None):
    headers = {"content-type": "application/json", "x-service-api-key": os.environ["SERVICE_API_KEY"]}
    data = None if body is None else json.dumps(body).encode()
    # Without a proxy: the sandbox is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, data, headers, method=method), timeout=10) as response:
        return json.loads(response.read() or "null")


def api(method, path, body=None):
    """Calls the API, as the app does."""
    return send(method, os.environ["SERVICE_BASE_URL"] + path, body)


def is_genuine(body, header):
    match = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if match is None or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(SECRET.encode(), match[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])


class Receiver(BaseHTTPRequestHandler):
    # By id: a webhook can come twice.
    stored = {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_genuine(body, self.headers["x-service-signature"]):
            self.send_response(401)
        else:
            event = json.loads(body)
            self.stored[event["id"]] = event["eventType"]
            # Only now, when the event is stored: what was acknowledged is not sent again.
            self.send_response(200)
        self.end_headers()


def test_a_person_is_approved_and_the_app_is_notified():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The configured URL is the one of production. The sandbox sends its webhooks to the receiver.
    send("PUT", f"{WORLD}/forwarding", {"url": f"http://127.0.0.1:{server.server_port}"})
    api("PATCH", "/partner/webhooks/config", {
        "webhookUrl": "https://app.test/webhooks",
        "webhookSecret": SECRET,
        "subscribedEvents": ["cardholder.approved"],
    })
    person = api("POST", "/partner/cardholders", {
        "externalUserId": "user-mia",
        "email": "mia@example.com",
        "phoneNumber": "+4915123456789",
        "kycSource": "idp1",
        "idp1ShareToken": "idp1_test_approve_mia",
    })
    api("POST", f"/partner/cardholders/{person['id']}/kyc", {"cardProgramId": "prog_everyday"})
    assert api("GET", f"/partner/cardholders/{person['id']}")["kycStatus"] == "pending"

    # The provider decides after two seconds. When the advance returns, the webhook has arrived.
    send("POST", f"{WORLD}/clock/advance", {"duration": "2s"})
    assert api("GET", f"/partner/cardholders/{person['id']}")["kycStatus"] == "approved"
    assert "cardholder.approved" in Receiver.stored.values()
    server.shutdown()
    server.server_close()
`;
