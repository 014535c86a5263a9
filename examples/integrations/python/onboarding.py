"""From a user to an active card.

Each step looks for its result before it creates anything, so that onboarding can be repeated after a crash: it
continues where it stopped.
"""

import time


class KycRejected(Exception):
    """The identity check of a user ended with a refusal."""


def onboard(client, store, user_id, email, phone_number, share_token, program_id, pause):
    """Onboards a user and returns the user with `cardholderId` and `cardId`.

    `pause` waits between two looks at the KYC status; a test advances the sandbox clock instead.
    """
    # Stored before the first request: a webhook can be faster than the response of the request that caused it.
    user = store.add_user(user_id, email, phone_number)
    cardholder = ensure_cardholder(client, user, share_token)
    store.link_cardholder(user, cardholder["id"])
    ensure_kyc_submitted(client, cardholder, program_id)
    wait_for_approval(client, user, pause)
    card = ensure_card(client, cardholder["id"], program_id)
    store.link_card(user, card["id"])
    ensure_active(client, card)
    return user


def ensure_cardholder(client, user, share_token):
    def find():
        return find_cardholder(client, user["userId"])

    body = {
        "externalUserId": user["userId"],
        "email": user["email"],
        "phoneNumber": user["phoneNumber"],
        "kycSource": "idp1",
        "idp1ShareToken": share_token,
    }
    return find() or client.write("POST", "/partner/cardholders", body, find)


def find_cardholder(client, external_user_id):
    return client.find(
        "/partner/cardholders",
        {"externalUserId": external_user_id},
        lambda cardholder: cardholder["externalUserId"] == external_user_id,
    )


def ensure_kyc_submitted(client, cardholder, program_id):
    if cardholder["kycStatus"] != "pending":
        return

    def find():
        # A cardholder does not show whether its KYC was submitted. The usage records do: each submission is one.
        return client.find(
            "/partner/usage/records",
            {"type": "kyc_verification"},
            lambda usage: usage["referenceId"] == cardholder["id"],
        )

    if find() is None:
        client.write("POST", f"/partner/cardholders/{cardholder['id']}/kyc", {"cardProgramId": program_id}, find)


def wait_for_approval(client, user, pause):
    deadline = time.monotonic() + 20
    while True:
        # The webhook sets the status of the user. The API is asked as well: a webhook can be late or lost.
        if user["kycStatus"] == "pending":
            status = client.get(f"/partner/cardholders/{user['cardholderId']}")["kycStatus"]
            if status != "pending":
                user["kycStatus"] = status
        if user["kycStatus"] == "approved":
            return
        if user["kycStatus"] == "rejected":
            raise KycRejected(f"KYC of {user['userId']} was rejected")
        if time.monotonic() > deadline:
            raise TimeoutError(f"KYC of {user['userId']} is still pending")
        pause()


def ensure_card(client, cardholder_id, program_id):
    def find():
        return find_card(client, cardholder_id, program_id)

    body = {"cardholderId": cardholder_id, "cardProgramId": program_id}
    return find() or client.write("POST", "/partner/cards", body, find)


def find_card(client, cardholder_id, program_id):
    """The card of a cardholder under a program, or None."""
    return client.find(
        "/partner/cards",
        {"cardholderId": cardholder_id},
        lambda card: card["programId"] == program_id and card["status"] != "cancelled",
    )


def ensure_active(client, card):
    if card["status"] != "created":
        return

    def find():
        current = client.get(f"/partner/cards/{card['id']}")
        return None if current["status"] == "created" else current

    client.write("POST", f"/partner/cards/{card['id']}/activate", None, find)
