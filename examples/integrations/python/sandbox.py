"""What the tests need from the sandbox beyond the API: time, purchases, and what became of the webhooks."""

import json
import os
import time
import urllib.request
from decimal import Decimal

CONTROL = f"{os.environ['CARD_SANDBOX_URL']}/_sandbox/worlds/{os.environ.get('CARD_SANDBOX_WORLD', 'main')}"


def control(method, path, body=None):
    request = urllib.request.Request(CONTROL + path, method=method)
    if body is not None:
        request.add_header("content-type", "application/json")
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request, timeout=30) as response:
        raw = response.read()
        return (json.loads(raw, parse_float=Decimal) if raw else None), response.headers


def advance(duration):
    """Moves the sandbox clock and runs what falls due."""
    control("POST", "/clock/advance", {"duration": duration})


def now():
    """The current time of the sandbox clock."""
    return control("GET", "/clock")[0]["now"]


def purchase(card_id, amount):
    """Uses a card, as its cardholder would."""
    return control("POST", "/transactions", {"cardId": card_id, "amount": amount})[0]


def settle(transaction_id):
    return control("POST", f"/transactions/{transaction_id}/settle", {})[0]


def reverse(transaction_id):
    return control("POST", f"/transactions/{transaction_id}/reverse", {})[0]


def count(kind):
    """How many records of a kind the partner has."""
    return int(control("GET", f"/{kind}?limit=1")[1]["X-Total-Count"])


def all_delivered():
    """Waits until every webhook has been delivered. Fails with the list of those that the receiver refuses."""
    deadline = time.monotonic() + 10
    while True:
        control("POST", "/deliveries/settle", {})
        pending = control("GET", "/deliveries?status=pending")[0]
        if not pending:
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"not delivered: {[each['eventType'] for each in pending]}")
        time.sleep(0.02)
