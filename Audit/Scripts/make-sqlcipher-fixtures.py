#!/usr/bin/env python3
"""Writes encrypted databases to Tests/AtRestContainersTests/Fixtures/SQLCipher with SQLCipher itself.

Needs the package sqlcipher3-wheels of PyPI. Each database has the table `notes` with the canary of its name, and
the key that SQLCipherFixture.swift names.
"""
import hashlib, os, shutil
from pathlib import Path
import sqlcipher3

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/SQLCipher"


def raw(name):
    return hashlib.sha256(b"AtRest " + name.encode()).hexdigest()


def make(name, key, settings=(), later=(), wal=False):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        (FIXTURES / f"{name}.db-shm").unlink(missing_ok=True)
        return
    connection = sqlcipher3.connect(FIXTURES / f"{name}.db", isolation_level=None)
    connection.execute(f"PRAGMA {key}")
    for setting in settings:
        connection.execute(f"PRAGMA {setting}")
    connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
    connection.execute("INSERT INTO notes VALUES (1, 'first', 'nothing of note')")
    if wal:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    for _ in range(40 if "rows" in later else 0):
        connection.execute("INSERT INTO notes (title, body) VALUES ('row', ?)", ("x" * 200,))
    connection.execute("INSERT INTO notes VALUES (99, 'canary', ?)", (f"canary-of-{name}",))
    if not wal:
        connection.close()
    os._exit(0)


shutil.rmtree(FIXTURES, ignore_errors=True)
FIXTURES.mkdir(parents=True)
make("passphrase-4", "key = 'passphrase-4 of AtRest'")
make("passphrase-3", "key = 'passphrase-3 of AtRest'", ["cipher_compatibility = 3"])
make("passphrase-2", "key = 'passphrase-2 of AtRest'", ["cipher_compatibility = 2"])
make("passphrase-1", "key = 'passphrase-1 of AtRest'", ["cipher_compatibility = 1"])
make("bytes-4", f"hexkey = '{raw('bytes-4')}'")
for version in (4, 3, 2, 1):
    name = f"raw-{version}"
    make(name, f"key = \"x'{raw(name)}'\"", [f"cipher_compatibility = {version}"])
make("salt-4", f"key = \"x'{raw('salt-4')}{raw('salt')[:32]}'\"")
make("sha256-4", f"key = \"x'{raw('sha256-4')}'\"", ["cipher_hmac_algorithm = HMAC_SHA256"])
make("sha1-4", f"key = \"x'{raw('sha1-4')}'\"", ["cipher_hmac_algorithm = HMAC_SHA1"])
make("unauthenticated-4", f"key = \"x'{raw('unauthenticated-4')}'\"", ["cipher_use_hmac = OFF"])
make("page1024-4", f"key = \"x'{raw('page1024-4')}'\"", ["cipher_page_size = 1024"])
make("page8192-4", f"key = \"x'{raw('page8192-4')}'\"", ["cipher_page_size = 8192"])
make("header-4", f"key = \"x'{raw('header-4')}{raw('salt')[:32]}'\"", ["cipher_plaintext_header_size = 32"])
make("header-3", f"key = \"x'{raw('header-3')}{raw('salt')[:32]}'\"",
     ["cipher_compatibility = 3", "cipher_plaintext_header_size = 32"])
make("many-4", f"key = \"x'{raw('many-4')}'\"", later=["rows"])
make("many-3", f"key = \"x'{raw('many-3')}'\"", ["cipher_compatibility = 3"], later=["rows"])
make("log-4", f"key = \"x'{raw('log-4')}'\"", wal=True)
make("log-3", f"key = \"x'{raw('log-3')}'\"", ["cipher_compatibility = 3"], wal=True)

# The tests of the findings have one of them.
FINDINGS = FIXTURES.parents[2] / "AtRestAuditTests/Fixtures/SQLCipher"
FINDINGS.mkdir(exist_ok=True)
shutil.copy(FIXTURES / "raw-3.db", FINDINGS)
