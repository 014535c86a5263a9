"""A webhook receiver that uses only the standard library. Start it with

    SERVICE_WEBHOOK_SECRET=<the secret of your webhook configuration> python3 python.py

then send webhooks to it: PATCH /partner/webhooks/config with its address, or start the sandbox with --forward-to.
"""

import hashlib
import hmac
import json
import os
import queue
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SERVICE_WEBHOOK_SECRET", "").encode()
PORT = int(os.environ.get("PORT", "3000"))
TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1024 * 1024

SIGNATURE = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")

# In production: a table with a unique column for the ID, so that a crash loses nothing.
events = {}
events_lock = threading.Lock()
work = queue.Queue()


def is_genuine(raw_body, header):
    match = SIGNATURE.fullmatch(header or "")
    if match is None:
        return False
    timestamp, signature = match.groups()
    expected = hmac.new(SECRET, timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    # Compare in constant time, so that the duration does not reveal how much of a forged signature is right.
    if not hmac.compare_digest(expected, signature):
        return False
    return abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds without a byte from the sender

    def do_POST(self):
        # 1. Read the raw bytes: the signature covers them, not the parsed body.
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            self.respond(413, "too large, or no Content-Length", close=True)
            # Closing a connection with unread bytes resets it, perhaps before the sender has read the response.
            while self.rfile.read1(65536):
                pass
            return
        raw_body = self.rfile.read(int(length))

        # 2. Verify the signature and its age before anything else.
        if not is_genuine(raw_body, self.headers.get("X-Service-Signature")):
            return self.respond(401, "invalid signature")
        try:
            event = json.loads(raw_body)
        except ValueError:
            return self.respond(400, "not JSON")

        # 3. Store the event, and respond only then: what was acknowledged is not sent again. A retry or a duplicate
        #    has the same ID, and is stored once.
        with events_lock:
            is_new = event["id"] not in events
            events.setdefault(event["id"], event)
        self.respond(200, "stored" if is_new else "already stored")

        # 4. Process it afterwards: a slow response counts as a failed delivery.
        if is_new:
            work.put(event)

    def respond(self, status, text, close=False):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        if close:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def handle_all():
    while True:
        event = work.get()
        # Ignore unknown event types: new ones may be added.
        print(f"handled {event['eventType']} {event['id']}", flush=True)


if __name__ == "__main__":
    if not SECRET:
        sys.exit("SERVICE_WEBHOOK_SECRET is not set")
    threading.Thread(target=handle_all, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"receiving on http://127.0.0.1:{server.server_port}/webhooks", flush=True)
    server.serve_forever()
