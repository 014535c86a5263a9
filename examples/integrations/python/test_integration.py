"""Run with: npx card-sandbox exec --allow-http-webhooks -- python3 -m unittest
or with:  npx card-sandbox exam -- python3 -m unittest
"""

import hashlib
import hmac
import os
import threading
import unittest

import sandbox
from client import Client
from onboarding import onboard
from reports import contacts, fees_of_month, months_between, spent_on
from store import Store
from webhooks import HANDLED_EVENTS, create_receiver, is_genuine

SECRET = os.environ["SERVICE_WEBHOOK_SECRET"]
PERSON = {
    "user_id": "user-4711",
    "email": "ada@example.com",
    "phone_number": "+4915123456789",
    "share_token": "idp1_test_approve_ada",
}


def exact_cents(amounts):
    """The sum in cents, computed from the decimal text."""
    return sum(int(f"{amount:.2f}".replace(".", "")) for amount in amounts)


class IntegrationTest(unittest.TestCase):
    """One story: the tests run in the order of their names."""

    @classmethod
    def setUpClass(cls):
        cls.client = Client(os.environ["SERVICE_BASE_URL"], lambda: os.environ["SERVICE_API_KEY"])
        cls.store = Store()
        cls.errors = []
        cls.receiver = create_receiver(cls.client, cls.store, [SECRET], cls.errors)
        threading.Thread(target=cls.receiver.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        cls.addClassCleanup(cls.receiver.server_close)
        cls.addClassCleanup(cls.receiver.shutdown)
        config = {
            "webhookUrl": f"http://127.0.0.1:{cls.receiver.server_port}/webhooks",
            "webhookSecret": SECRET,
            "subscribedEvents": HANDLED_EVENTS,
        }
        # To set the same configuration twice does no harm, so there is nothing to look up.
        cls.client.write("PATCH", "/partner/webhooks/config", config, lambda: None)
        cls.program = cls.client.find(
            "/partner/card-programs", {}, lambda each: (each["type"], each["status"]) == ("virtual", "active")
        )
        cls.user = None
        cls.bought = []

    def onboard_person(self):
        return onboard(
            self.client, self.store, **PERSON, program_id=self.program["id"], pause=lambda: sandbox.advance("2s")
        )

    def told_about(self, record_id):
        return sorted(text for about, text in self.store.messages if about == record_id)

    def test_1_a_user_becomes_one_cardholder_with_one_active_card(self):
        user = type(self).user = self.onboard_person()
        self.assertEqual(self.onboard_person()["cardId"], user["cardId"])
        self.assertEqual(self.client.get("/partner/cards", {"cardholderId": user["cardholderId"]})["total"], 1)
        self.assertEqual(self.client.get(f"/partner/cards/{user['cardId']}")["status"], "active")
        cardholder = self.client.get(f"/partner/cardholders/{user['cardholderId']}")
        self.assertEqual(cardholder["externalUserId"], PERSON["user_id"])

    def test_2_each_customer_message_is_sent_once(self):
        sandbox.all_delivered()
        self.assertEqual(self.user["kycStatus"], "approved")
        self.assertEqual(self.store.cards[self.user["cardId"]]["status"], "active")
        self.assertEqual(self.told_about(self.user["cardholderId"]), ["welcome", "you can have a card"])
        self.assertEqual(self.told_about(self.user["cardId"]), ["card active", "card created"])

    def test_3_purchases_are_summed_to_the_cent(self):
        card_id = self.user["cardId"]
        for amount in (20, 7, 4):
            self.bought.append(sandbox.purchase(card_id, amount)["id"])
        settled = [sandbox.settle(self.bought[0]), sandbox.settle(self.bought[1])]
        sandbox.reverse(self.bought[2])
        sandbox.all_delivered()
        statuses = [self.store.transactions[each]["status"] for each in self.bought]
        self.assertEqual(statuses, ["settled", "settled", "reversed"])
        cents = exact_cents(each["settledAmount"] for each in settled)
        self.assertEqual(spent_on(self.client, card_id), cents)
        self.assertEqual(self.store.settled_cents(card_id), cents)
        self.assertEqual(sum(text.startswith("paid") for text in self.told_about(card_id)), 2)

    def test_4_the_fees_are_those_of_the_program_and_the_bill_of_each_month_is_complete(self):
        own = {self.user["cardholderId"], self.user["cardId"], *self.bought}
        cents = 0
        for month in months_between(self.program["createdAt"], sandbox.now()):
            fees = fees_of_month(self.client, month)
            cents += sum(fee for reference, fee in fees.items() if reference in own)
            billed = self.client.list("/partner/usage/records", {"billingPeriod": month})
            self.assertEqual(sum(fees.values()), exact_cents(usage["amount"] for usage in billed), month)
        fees = self.program["fees"]
        each = fees["transaction_processing"]
        self.assertEqual(cents, exact_cents([fees["kyc_verification"], fees["card_issuance"], each, each, each]))

    def test_5_every_cardholder_is_a_contact(self):
        everyone = {each["id"]: each for each in contacts(self.client)}
        self.assertEqual(len(everyone), sandbox.count("cardholders"))
        self.assertEqual(everyone[self.user["cardholderId"]]["phone"], "…789")

    def test_6_a_delivery_is_genuine_under_the_old_secret_and_the_new_one(self):
        body = b'{"id":"evt_1"}'
        header = f"t=1000,v1={hmac.new(b'the old secret', b'1000.' + body, hashlib.sha256).hexdigest()}"
        self.assertTrue(is_genuine(body, header, ["the new secret", "the old secret"], 1000))

    def test_7_the_receiver_had_no_trouble(self):
        sandbox.all_delivered()
        self.assertEqual(self.errors, [])


if __name__ == "__main__":
    unittest.main()
