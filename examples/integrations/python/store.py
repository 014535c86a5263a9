"""The integration's own records.

They are in memory here; in production these are tables, and `mark_seen` is an insert into a table with a unique column,
in the transaction that applies the event.
"""

import threading

from money import format_cents, to_cents

CARD_ORDER = ["created", "active", "frozen", "cancelled"]


class Store:
    def __init__(self):
        self.users = {}  # by their own ID, which is the externalUserId of their cardholder
        self.cards = {}
        self.transactions = {}
        self.messages = []  # to customers: what must happen exactly once per event
        self.lock = threading.RLock()
        self._seen = set()
        self._users_by_cardholder = {}

    def add_user(self, user_id, email, phone_number):
        new = {"userId": user_id, "email": email, "phoneNumber": phone_number}
        with self.lock:
            return self.users.setdefault(
                user_id, {**new, "cardholderId": None, "cardId": None, "kycStatus": "pending"}
            )

    def link_cardholder(self, user, cardholder_id):
        with self.lock:
            user["cardholderId"] = cardholder_id
            self._users_by_cardholder[cardholder_id] = user

    def link_card(self, user, card_id):
        with self.lock:
            user["cardId"] = card_id
            self.cards.setdefault(card_id, {"status": "created", "changedAt": ""})

    def user_of(self, cardholder_id):
        return self._users_by_cardholder.get(cardholder_id)

    def has_card(self, card_id):
        with self.lock:
            return card_id in self.cards

    def has_seen(self, event_id):
        return event_id in self._seen

    def apply_once(self, event):
        """Applies an event unless it was applied before: a retry or a duplicate has the same ID."""
        with self.lock:
            if event["id"] in self._seen:
                return
            self._seen.add(event["id"])
            self._apply(event)

    def settled_cents(self, card_id):
        """The sum of the settled transactions of a card in cents, from webhooks alone."""
        with self.lock:
            return sum(each["cents"] for each in self.transactions.values() if each["cardId"] == card_id)

    def _apply(self, event):
        """Events come in any order, so an older one never undoes a newer one."""
        event_type, data = event["eventType"], event["data"]
        if event_type == "cardholder.created":
            self._tell(data["id"], "welcome")
        if event_type in ("cardholder.kyc.updated", "cardholder.approved"):
            # A decision is final: a late event with an earlier status changes nothing.
            if data["kycStatus"] != "pending":
                self.user_of(data["id"])["kycStatus"] = data["kycStatus"]
            if event_type == "cardholder.approved":
                self._tell(data["id"], "you can have a card")
        if event_type in ("card.issued", "card.status.changed"):
            self._apply_card(data["id"], data["status"], event["createdAt"])
            self._tell(data["id"], f"card {data['status']}")
        if event_type == "card.transaction":
            self._apply_transaction(data)
            if data["status"] == "settled":
                self._tell(data["cardId"], f"paid {format_cents(to_cents(data['settledAmount']))}")

    def _apply_card(self, card_id, status, changed_at):
        card = self.cards[card_id]
        rank = CARD_ORDER.index
        if (changed_at, rank(status)) > (card["changedAt"], rank(card["status"])):
            self.cards[card_id] = {"status": status, "changedAt": changed_at}

    def _apply_transaction(self, data):
        known = self.transactions.get(data["id"])
        # Every status but authorized is final. Among authorized ones the latest counts.
        is_newer = known is None or (
            known["status"] == "authorized"
            and (data["status"] != "authorized" or data["updatedAt"] > known["updatedAt"])
        )
        if not is_newer:
            return
        cents = to_cents(data["settledAmount"]) if data["status"] == "settled" else 0
        self.transactions[data["id"]] = {
            "cardId": data["cardId"],
            "status": data["status"],
            "cents": cents,
            "updatedAt": data["updatedAt"],
        }

    def _tell(self, record_id, text):
        self.messages.append((record_id, text))
