"""Amounts are decimal numbers with at most two decimals. Sums are kept in whole cents, which are exact."""

from decimal import Decimal


def to_cents(amount):
    """Decimal("19.99") is 1999 cents. The client reads amounts as Decimal, so nothing is rounded."""
    return int(Decimal(amount) * 100)


def format_cents(cents):
    """1999 cents are "19.99"."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"
