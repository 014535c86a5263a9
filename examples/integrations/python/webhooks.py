"""The webhook receiver: verifies, ignores duplicates, accepts any order, and applies only what is ours."""

import hashlib
import hmac
import json
import re
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from client import ApiError

TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1024 * 1024
SIGNATURE = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")

# The events that the integration handles. It acknowledges all others: new types may be added at any time.
HANDLED_EVENTS = [
    "cardholder.created",
    "cardholder.kyc.updated",
    "cardholder.approved",
    "card.issued",
    "card.status.changed",
    "card.transaction",
]


def is_genuine(raw_body, header, secrets, now_seconds=None):
    """Whether a delivery is genuine and recent. The signature covers the raw bytes of the body.

    While the secret is being replaced, `secrets` has the old one and the new one.
    """
    match = SIGNATURE.fullmatch(header or "")
    if match is None:
        return False
    timestamp, signature = match.groups()
    signed = timestamp.encode() + b"." + raw_body
    expected = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    # In constant time, so that the duration does not reveal how much of a forged signature is right.
    if not any([hmac.compare_digest(each, signature) for each in expected]):
        return False
    now_seconds = time.time() if now_seconds is None else now_seconds
    return abs(now_seconds - int(timestamp)) <= TOLERANCE_SECONDS


def create_receiver(client, store, secrets, errors):
    """Creates the receiver as an HTTP server. `errors` collects what went wrong inside, as an error tracker would."""

    class Receiver(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            try:
                length = self.headers.get("Content-Length", "")
                if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
                    self.close_connection = True
                    return self.respond(413, "too large, or no Content-Length")
                raw_body = self.rfile.read(int(length))
                self.respond(*receive(raw_body, self.headers, client, store, secrets))
            except Exception as error:  # The sender retries. Until then the event does not count as seen.
                errors.append(error)
                self.respond(500, "try again later")

        def respond(self, status, text):
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    return server


def receive(raw_body, headers, client, store, secrets):
    # Verify before anything reads the body.
    if not is_genuine(raw_body, headers.get("X-Service-Signature"), secrets):
        return 401, "invalid signature"
    event = json.loads(raw_body, parse_float=Decimal)
    if store.has_seen(event["id"]):
        return 200, "already seen"
    if event["eventType"] not in HANDLED_EVENTS:
        return 200, "ignored"
    owner = owner_of(event, client, store)
    if owner == "another partner":
        return 404, "no such record"
    if owner == "ours":
        store.apply_once(event)
    return 200, "thanks"


def owner_of(event, client, store):
    """Whose record an event is about.

    A record that is not known here is either new, because its webhook was faster than the response of the request that
    created it, or it is none of ours. The API decides: it shows only our own records.
    """
    data = event["data"]
    if event["eventType"].startswith("cardholder."):
        if store.user_of(data["id"]) is not None:
            return "ours"
        cardholder = read_or_none(client, f"/partner/cardholders/{data['id']}")
        if cardholder is None:
            return "another partner"
        user = store.users.get(cardholder["externalUserId"])
        if user is None:
            return "nobody here"
        store.link_cardholder(user, cardholder["id"])
        return "ours"
    card_id = data["cardId"] if event["eventType"] == "card.transaction" else data["id"]
    if store.has_card(card_id):
        return "ours"
    if read_or_none(client, f"/partner/cards/{card_id}") is None:
        return "another partner"
    for user in list(store.users.values()):
        if user["cardholderId"] is None or user["cardId"] is not None:
            continue
        query = {"cardholderId": user["cardholderId"]}
        if client.find("/partner/cards", query, lambda card: card["id"] == card_id) is not None:
            store.link_card(user, card_id)
            return "ours"
    # The response may have come during the look-up.
    return "ours" if store.has_card(card_id) else "nobody here"


def read_or_none(client, path):
    try:
        return client.get(path)
    except ApiError as error:
        if error.status == 404:
            return None
        raise
