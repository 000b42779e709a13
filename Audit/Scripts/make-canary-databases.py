#!/usr/bin/env python3
"""Writes the databases of the container with canaries to Tests/AtRestContainersTests/Fixtures/Canaries.

These are the databases that the tests' own SQLite writer cannot create: with UTF-16, with logs and with
deleted rows. Each is written twice, with the canaries (typed) and with harmless text instead (clean).
"""
import os, shutil, sqlite3
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/Canaries"


def canary(number):
    """Returns the same canary as CanaryContainer.swift."""
    letters = "".join(chr(97 + (number * 7 + k * k * 11 + k * number * 3 + 5) % 26) for k in range(6))
    return f"vq{number}-{letters}"


def database(target, steps, mode=None, size=1024, encoding="UTF-8", erases=False, keeps=()):
    """Creates a database in a child process, which exits without closing it if a log is to be kept."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        for suffix in ("-wal", "-shm", "-journal"):
            if suffix not in keeps and os.path.exists(str(target) + suffix):
                os.remove(str(target) + suffix)
        return
    connection = sqlite3.connect(target, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {size}")
    connection.execute(f"PRAGMA encoding = '{encoding}'")
    connection.execute("PRAGMA auto_vacuum = 0")
    connection.execute(f"PRAGMA secure_delete = {'ON' if erases else 'OFF'}")
    if mode:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    for step in steps:
        connection.execute(*step) if isinstance(step, tuple) else connection.execute(step)
    if not keeps:
        connection.close()
    os._exit(0)


def make(folder, text):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    notes = "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT)"
    add = "INSERT INTO notes VALUES (?, ?, ?)"

    database(folder / "wide.sqlite", [
        notes, (add, (1, "first", "nothing of note")), (add, (2, "second", text(9))),
    ], encoding="UTF-16le")

    database(folder / "log.sqlite", [
        notes, (add, (1, "first", "nothing of note")), (add, (2, "second", text(10))),
    ], mode="WAL", keeps=("-wal",))

    # Free blocks of a page, free pages of a table, and free pages of one long value.
    rows = {5: 51, 12: 52, 20: 53}
    database(folder / "deleted.sqlite", [
        notes, "CREATE TABLE drafts (id INTEGER PRIMARY KEY, title TEXT, body TEXT)",
        "CREATE TABLE pages (id INTEGER PRIMARY KEY, body TEXT)",
    ] + [
        (add, (number, f"title {number}", text(rows[number]) if number in rows else "it stays"))
        for number in range(1, 25)
    ] + [
        ("INSERT INTO drafts VALUES (?, ?, ?)", (number, f"draft {number}", text(53 + number)))
        for number in range(1, 4)
    ] + [
        ("INSERT INTO pages VALUES (1, ?)", ("page of a book " * 200 + text(57),)),
        "INSERT INTO pages VALUES (2, 'it stays')",
        "DELETE FROM notes WHERE id IN (5, 12, 20)",
        "DELETE FROM pages WHERE id = 1",
        "DROP TABLE drafts",
    ])

    # The value is erased in the newest version of the page and still in an older one.
    database(folder / "older.sqlite", [
        notes, (add, (1, "first", text(58))), (add, (2, "second", text(59))),
        (add, (3, "third", "it stays")),
        "UPDATE notes SET body = 'it was changed' WHERE id = 1",
        "DELETE FROM notes WHERE id = 2",
    ], mode="WAL", erases=True, keeps=("-wal",))

    database(folder / "journal.sqlite", [
        notes, (add, (1, "first", "it stays")), (add, (2, "second", text(60))),
        "DELETE FROM notes WHERE id = 2",
    ], mode="PERSIST", erases=True, keeps=("-journal",))

    # Full-text tables with their texts and without them.
    words = "unicode61 tokenchars '-'"
    database(folder / "words.sqlite", [
        "CREATE VIRTUAL TABLE pages USING fts5(title, body)",
        ("INSERT INTO pages VALUES ('first', ?)", (f"a page with {text(90)} in it",)),
        ("INSERT INTO pages VALUES ('second', ?)", (f"a page with {text(94)} in it, to be deleted",)),
        "INSERT INTO pages VALUES ('third', 'it stays')",
        "DELETE FROM pages WHERE title = 'second'",
        "CREATE VIRTUAL TABLE notes USING fts4(title, body)",
        ("INSERT INTO notes VALUES ('first', ?)", (f"a page with {text(91)} in it",)),
        f'CREATE VIRTUAL TABLE drafts USING fts5(body, content=\'\', tokenize="{words}")',
        ("INSERT INTO drafts(rowid, body) VALUES (1, ?)", (f"a page with {text(92)} in it",)),
        'CREATE VIRTUAL TABLE letters USING fts4(body, content="", tokenize=unicode61 "tokenchars=-")',
        ("INSERT INTO letters(docid, body) VALUES (1, ?)", (f"a page with {text(93)} in it",)),
    ])


make(FIXTURES / "typed", canary)
make(FIXTURES / "clean", lambda number: f"harmless text {number}")
