#!/usr/bin/env python3
"""Writes notes.duckdb to Tests/AtRestContainersTests/Fixtures/Tools, with a canary (typed) and without it (clean).

Needs DuckDB 2.0.0: pip install duckdb==2.0.0
"""
from pathlib import Path

import duckdb

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/Tools"


def canary(number):
    """Returns the same canary as CanaryContainer.swift."""
    letters = "".join(chr(97 + (number * 7 + k * k * 11 + k * number * 3 + 5) % 26) for k in range(6))
    return f"vq{number}-{letters}"


for folder, text in (("typed", canary(151)), ("clean", "harmless text 151")):
    file = FIXTURES / folder / "notes.duckdb"
    file.unlink(missing_ok=True)
    connection = duckdb.connect()
    # The smallest blocks make the smallest file.
    connection.execute(f"ATTACH '{file}' AS d (BLOCK_SIZE 16384)")
    connection.execute("CREATE TABLE d.notes (id INTEGER, body VARCHAR)")
    connection.execute("INSERT INTO d.notes VALUES (1, 'first'), (2, ?)", [f"a page with {text} in it"])
    connection.execute("CHECKPOINT d")
    connection.close()
