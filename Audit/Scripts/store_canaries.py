"""The canaries of the stores that the scripts make-*-fixtures.py write. StoreFixture.swift computes them in the same way."""
import hashlib
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/Stores"


def canary(store, number, clean=False):
    """Returns a text that occurs nowhere else, or a harmless one of the same length."""
    text = f"{store}-{number}-" + hashlib.sha256(f"{store} {number}".encode()).hexdigest()[:10]
    return "a harmless text of no note"[:len(text)].ljust(len(text), ".") if clean else text


def digits(store, number, clean=False):
    """Returns ten digits that occur nowhere else, or harmless ones."""
    value = int.from_bytes(hashlib.sha256(f"{store} {number}".encode()).digest()[:6], "big")
    return "1000000000" if clean else str(2_000_000_000 + value % 7_000_000_000)
