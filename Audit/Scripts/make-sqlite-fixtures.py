#!/usr/bin/env python3
"""Writes the databases with which the tests compare the SQLite reader and SQLite itself.

The script writes generated.zip: databases, their logs, and expected.json with the rows that SQLite reads.
"""

import json
import os
import shutil
import sqlite3
import struct
import sys
import tempfile
import zipfile


def spelled(value):
    if value is None:
        return "n"
    if isinstance(value, int):
        return f"i:{value}"
    if isinstance(value, float):
        return "r:" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "t:" + value
    return "b:" + value.hex()


def rows(path):
    """Returns the rows of each ordinary table. It reads a copy, because reading may change the files."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, os.path.join(folder, "copy" + suffix))
        connection = sqlite3.connect(os.path.join(folder, "copy"))
        tables = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall()
        result = {}
        for name, sql in tables:
            cursor = connection.execute(f'SELECT * FROM "{name}"')
            result[name] = {
                "columns": [column[0] for column in cursor.description],
                "rows": [[spelled(value) for value in row] for row in cursor],
            }
        connection.close()
        return result


def fill(connection, size):
    connection.executescript("""
        CREATE TABLE people (
          id INTEGER PRIMARY KEY, "full name" TEXT NOT NULL DEFAULT ('a, b'), -- a comment, with (
          [score] REAL CHECK (score > -1e9), `photo` BLOB, note VARCHAR(10, 2) /* , */);
        CREATE TABLE pairs (value TEXT, b INT, a TEXT, PRIMARY KEY (a COLLATE NOCASE, b DESC))
          WITHOUT ROWID;
        CREATE TABLE falling (id INTEGER PRIMARY KEY DESC, x);
        CREATE TABLE bare (x, y, z, PRIMARY KEY (x), UNIQUE (y, z));
        CREATE TABLE late (a INTEGER, b, PRIMARY KEY (a ASC));
        CREATE TABLE computed (a INT, b INT AS (a * 2) STORED, c TEXT);
        CREATE VIEW seen AS SELECT id FROM people;
        CREATE INDEX by_name ON people ("full name");
    """)
    connection.execute("BEGIN")
    for number in range(1, 41):
        text = f"Ärzte 名前 🙂 {number} " * (1 if number % 7 else size // 12)
        connection.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?)", (
            number * number * (-1 if number % 5 == 0 else 1), text, number / 3 if number % 3 else number,
            bytes(number % 256 for _ in range(number if number % 11 else 3 * size)),
            None if number % 2 else ""))
        connection.execute("INSERT INTO pairs VALUES (?, ?, ?)", (
            f"value {number} " * (1 if number % 9 else size // 8), number, f"key {number % 4}"))
        connection.execute("INSERT INTO bare VALUES (?, ?, ?)", (
            (1 << number) - number % 2, -(1 << number), number % 2))
        connection.execute("INSERT INTO late (b) VALUES (?)", (f"late {number}",))
        connection.execute("INSERT INTO falling VALUES (?, ?)", (number, 1.5 * number))
        connection.execute("INSERT INTO computed (a, c) VALUES (?, 'c')", (number,))
    connection.execute("ALTER TABLE late ADD COLUMN added TEXT")
    connection.execute("INSERT INTO late (b, added) VALUES ('new', 'added')")
    connection.execute("DELETE FROM people WHERE abs(id) % 4 = 1 AND id > 1")
    connection.execute("COMMIT")


def connect(path, size=4096, encoding="UTF-8", vacuum=0):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {size}")
    connection.execute(f"PRAGMA encoding = '{encoding}'")
    connection.execute(f"PRAGMA auto_vacuum = {vacuum}")
    connection.execute("PRAGMA secure_delete = OFF")
    return connection


def plain(folder):
    encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
    for index, size in enumerate(1 << power for power in range(9, 17)):
        # Each encoding with small pages and with the largest pages.
        for encoding in encodings if size in (512, 65536) else [encodings[index % 3]]:
            connection = connect(
                os.path.join(folder, f"plain-{size}-{encoding}.db"), size, encoding, index % 3)
            fill(connection, size)
            connection.close()


def message(number, state):
    return f"{state} message number {number} to alice@example.com"


def deleted(folder):
    """Deletes rows one by one, consecutive rows, and so many rows that pages become free."""
    connection = connect(os.path.join(folder, "deleted.db"), 1024)
    connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT, sent REAL)")
    connection.execute("CREATE TABLE rare (name TEXT, secret TEXT, n INT, m INT)")
    connection.execute("BEGIN")
    gone = {n for n in range(1, 601) if n % 50 == 7 or 20 <= n < 25 or 200 <= n < 300}
    for number in range(1, 601):
        state = "GONE" if number in gone else "kept"
        connection.execute(
            "INSERT INTO messages VALUES (?, ?, ?)", (number, message(number, state), number / 7))
    for number in range(1, 6):
        connection.execute(
            "INSERT INTO rare VALUES (?, ?, ?, ?)",
            (f"name {number}", f"secret {number}", number * 1000, None))
    connection.execute("COMMIT")
    for number in sorted(gone):
        connection.execute("DELETE FROM messages WHERE id = ?", (number,))
    connection.execute("DELETE FROM rare WHERE name = 'name 3'")
    connection.close()


def logged(folder):
    """Writes a log with an earlier generation, several transactions and one that never ended."""
    source = os.path.join(folder, "source.db")
    connection = connect(source, 1024)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT, sent REAL)")

    def insert(numbers, state):
        connection.executemany(
            "INSERT INTO messages VALUES (?, ?, ?)",
            [(number, message(number, state), number / 7) for number in numbers])

    def transaction(numbers, state):
        connection.execute("BEGIN")
        insert(numbers, state)
        connection.execute("COMMIT")

    def keep(name):
        target = os.path.join(folder, name)
        shutil.copy(source, target)
        shutil.copy(source + "-wal", target + "-wal")

    transaction(range(1, 200), "FIRST")
    keep("logged.db")
    connection.execute("DELETE FROM messages WHERE id > 20")
    connection.execute("PRAGMA wal_checkpoint(RESTART)")
    transaction(range(1000, 1040), "SECOND")
    connection.execute("UPDATE messages SET body = 'CHANGED ' || id WHERE id < 5")
    transaction(range(2000, 2020), "THIRD")
    connection.execute("DELETE FROM messages WHERE id = 2003")
    connection.execute("PRAGMA cache_size = 2")
    connection.execute("BEGIN")
    insert(range(3000, 3200), "UNCOMMITTED")
    keep("unfinished.db")
    connection.execute("ROLLBACK")
    connection.close()
    os.remove(source)


def journaled(folder):
    source = os.path.join(folder, "source.db")
    connection = connect(source, 1024)
    connection.execute("PRAGMA journal_mode = PERSIST")
    connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT, sent REAL)")
    connection.execute("BEGIN")
    for number in range(1, 60):
        connection.execute(
            "INSERT INTO messages VALUES (?, ?, ?)", (number, message(number, "OLD"), 1.0))
    connection.execute("COMMIT")
    connection.execute("PRAGMA cache_size = 2")
    connection.execute("BEGIN")
    connection.execute("UPDATE messages SET body = replace(body, 'OLD', 'NEW')")

    def keep(name):
        target = os.path.join(folder, name)
        shutil.copy(source, target)
        shutil.copy(source + "-journal", target + "-journal")

    keep("hot.db")
    connection.execute("COMMIT")
    keep("persistent.db")
    connection.close()
    os.remove(source)
    os.remove(source + "-journal")


def searched(folder):
    connection = connect(os.path.join(folder, "searched.db"), 1024)
    connection.execute("CREATE VIRTUAL TABLE notes USING fts4(title, body)")
    connection.execute("INSERT INTO notes VALUES ('Bank', 'The PIN is 4711')")
    connection.close()


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        for make in (plain, deleted, logged, journaled, searched):
            make(folder)
        names = sorted(os.listdir(folder))
        expected = {
            name: rows(os.path.join(folder, name)) for name in names if name.endswith(".db")}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            def add(name, data):
                entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)

            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    add(name, file.read())
            add("expected.json", json.dumps(expected, ensure_ascii=False))


main(sys.argv[1] if len(sys.argv) > 1 else "generated.zip")
