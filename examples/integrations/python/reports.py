"""What the integration reports: fees by month, what a card has spent, and the partner's contacts."""

from collections import Counter
from datetime import datetime, timedelta, timezone

from money import to_cents


def months_between(start, end):
    """The months from one moment of the service's clock to another, both included, as YYYY-MM in UTC."""
    year, month = (int(part) for part in start[:7].split("-"))
    months = []
    while f"{year}-{month:02}" <= end[:7]:
        months.append(f"{year}-{month:02}")
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return months


def bounds_of(month):
    """The first and the last moment of a month in UTC. Both ends of the service's filters are inclusive."""
    first = datetime.strptime(month, "%Y-%m").replace(tzinfo=timezone.utc)
    # 32 days after the first of a month is always in the next month.
    following = (first + timedelta(days=32)).replace(day=1)
    return {"from": iso(first), "to": iso(following - timedelta(milliseconds=1))}


def iso(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fees_of_month(client, month):
    """The fees of a month in cents, by the ID of the record that each is for."""
    fees = Counter()
    for usage in client.list("/partner/usage/records", bounds_of(month)):
        fees[usage["referenceId"]] += to_cents(usage["amount"])
    return fees


def spent_on(client, card_id):
    """What a card has spent in cents: its settled transactions."""
    settled = client.list("/partner/transactions", {"cardId": card_id, "status": "settled"})
    return sum(to_cents(transaction["settledAmount"]) for transaction in settled)


def contacts(client):
    """The contacts of all cardholders, as the support desk sees them."""
    return [contact_of(cardholder) for cardholder in client.list("/partner/cardholders")]


def contact_of(cardholder):
    name = f"{cardholder['firstName']} {cardholder['lastName']}".strip()
    # Not everybody has a telephone number.
    number = cardholder["phoneNumber"]
    phone = "none" if number is None else f"…{number[-3:]}"
    return {"id": cardholder["id"], "name": name, "phone": phone}
