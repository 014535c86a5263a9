"""From the first call to a verified webhook: npx card-sandbox exec -- python3 -m unittest test_onboarding.py"""

import hashlib
import hmac
import json
import os
import queue
import threading
import time
import unittest
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Step 1: `exec` starts a sandbox on a free port, and sets these variables.
API = os.environ["SERVICE_BASE_URL"]
API_KEY = os.environ["SERVICE_API_KEY"]
CONTROL = f"{os.environ['CARD_SANDBOX_URL']}/_sandbox/worlds/{os.environ.get('CARD_SANDBOX_WORLD', 'main')}"
CONTROL_TOKEN = os.environ.get("CARD_SANDBOX_CONTROL_TOKEN")
SECRET = "whsec_of_more_than_16_characters"


def request(method, url, headers, body=None):
    """Sends a request, and returns the JSON of its response. An error status raises an HTTPError."""
    data = None if body is None else json.dumps(body).encode()
    headers = {**headers, **({} if data is None else {"content-type": "application/json"})}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=10) as response:
        text = response.read()
    return json.loads(text) if text else None


def api(method, path, body=None):
    return request(method, API + path, {"x-service-api-key": API_KEY}, body)


def control(method, path, body=None):
    """Calls the control plane, which plays everybody but the partner. It needs a token beyond loopback."""
    headers = {"authorization": f"Bearer {CONTROL_TOKEN}"} if CONTROL_TOKEN else {}
    return request(method, CONTROL + path, headers, body)


def is_genuine(body, signature, secret, tolerance=300):
    """Whether a webhook was signed with the secret, at most `tolerance` seconds ago."""
    parts = dict(part.partition("=")[::2] for part in (signature or "").split(","))
    timestamp = parts.get("t", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > tolerance:
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts.get("v1", ""))


class Receiver(BaseHTTPRequestHandler):
    """Verifies the signature over the raw body before it parses it."""

    events = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if is_genuine(body, self.headers["x-service-signature"], SECRET):
            self.events.put(json.loads(body))
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_):
        pass


class Onboarding(unittest.TestCase):
    def test_from_the_first_call_to_a_verified_webhook(self):
        # Step 2: the first call.
        self.assertEqual(api("GET", "/partner/balance")["currency"], "EUR")

        # Step 3: KYC. The provider decides after two seconds of sandbox time, which the clock skips.
        user = str(uuid.uuid4())
        cardholder = api("POST", "/partner/cardholders", {
            "externalUserId": user,
            "email": f"{user}@example.com",
            "phoneNumber": "+4915123456789",
            "kycSource": "idp1",
            "idp1ShareToken": f"idp1_test_approve_{user}",
        })
        program = api("GET", "/partner/card-programs")["data"][0]["id"]
        api("POST", f"/partner/cardholders/{cardholder['id']}/kyc", {"cardProgramId": program})
        control("POST", "/clock/advance", {"duration": "2s"})
        cardholder = api("GET", f"/partner/cardholders/{cardholder['id']}")
        self.assertEqual(cardholder["kycStatus"], "approved")

        # Step 5 begins: a receiver, to which the sandbox forwards the webhooks for the configured URL.
        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        control("PUT", "/forwarding", {"url": f"http://127.0.0.1:{server.server_port}"})
        self.addCleanup(control, "DELETE", "/forwarding")
        api("PATCH", "/partner/webhooks/config", {
            "webhookUrl": "https://app.example.com/webhooks",
            "webhookSecret": SECRET,
            "subscribedEvents": ["card.issued"],
        })

        # Step 4: a card.
        card = api("POST", "/partner/cards", {"cardholderId": cardholder["id"], "cardProgramId": program})
        self.assertEqual(api("POST", f"/partner/cards/{card['id']}/activate")["status"], "active")

        # Step 5 ends: the webhook has arrived, and its signature is right.
        event = Receiver.events.get(timeout=10)
        self.assertEqual((event["eventType"], event["data"]["id"]), ("card.issued", card["id"]))
        self.assertFalse(is_genuine(b"{}", "t=1,v1=0", SECRET))


if __name__ == "__main__":
    unittest.main()
