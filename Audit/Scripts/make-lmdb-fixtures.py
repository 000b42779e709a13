#!/usr/bin/env python3
"""Writes databases of LMDB and MDBX to Tests/AtRestContainersTests/Fixtures/Stores with the libraries themselves.

Needs the packages lmdb and clibmdbx of PyPI. Each database is written twice, with canaries (typed) and with harmless text
instead (clean).
"""
import shutil
from pathlib import Path

import clibmdbx, lmdb

from store_canaries import FIXTURES, canary


def steps(store, clean):
    """Returns the changes of each transaction: `(verb, table, key, value)`."""

    def text(number):
        return canary(store, number, clean).encode()

    yield [("put", b"tags", b"colours", b"blue"), ("put", b"tags", b"colours", text(10))]
    # So many values of one key take a tree.
    yield [("put", b"tags", b"many", b"a tag of no note %04d" % number) for number in range(300)]
    yield [("put", b"tags", b"many", text(11))]
    yield [("put", None, b"session", text(1)), ("put", None, b"user", b'{"note": "' + text(2) + b'"}')]
    yield [("put", b"notes", b"first", b"nothing of note"), ("put", b"notes", b"long", b"A long text. " * 700 + text(3))]
    yield [("put", b"notes", (7).to_bytes(8, "big"), bytes([0, 1, 2, 0xFF, 0xFE]) + text(4) + bytes([0, 0xF8]))]
    yield [("put", b"rows", b"row %04d" % number, b"a row of no note, of number %d" % number) for number in range(120)]
    yield [("put", b"rows", b"row 0050b", text(5))]
    yield [("put", b"dropped", b"draft", text(9))]
    yield [("put", b"notes", b"removed", text(6)), ("put", None, b"replaced", text(7)),
           ("put", b"notes", b"long and removed", b"Another long text. " * 500 + text(8))]
    # A change copies a page, and the former one stays until its place is needed.
    yield [("delete", b"notes", b"removed", None), ("put", None, b"replaced", b"nothing of note"),
           ("delete", b"notes", b"long and removed", None), ("drop", b"dropped", None, None)]


def make_lmdb(folder, clean):
    environment = lmdb.open(str(folder), map_size=4 << 20, max_dbs=8, lock=False)
    for changes in steps("lmdb", clean):
        tables = {name: environment.open_db(name, dupsort=name == b"tags") for _, name, _, _ in changes if name}
        with environment.begin(write=True) as transaction:
            for verb, name, key, value in changes:
                table = tables.get(name)
                if verb == "put":
                    transaction.put(key, value, db=table)
                elif verb == "delete":
                    transaction.delete(key, db=table)
                else:
                    transaction.drop(table)
    environment.close()


def make_mdbx(folder, clean):
    environment = clibmdbx.open(str(folder / "default.isar"), max_dbs=8, flags=clibmdbx.MDBX_NOSUBDIR)
    for changes in steps("mdbx", clean):
        with environment.begin(write=True) as transaction:
            tables = {
                name: transaction.open_db(name, create=True, flags=clibmdbx.MDBX_DUPSORT if name == b"tags" else 0)
                for _, name, _, _ in changes if name
            }
            for verb, name, key, value in changes:
                table = tables.get(name)
                if verb == "put":
                    transaction.put(key, value, db=table)
                elif verb == "delete":
                    transaction.delete(key, db=table)
                else:
                    table.drop(transaction)
    environment.close()


for name in ("typed", "clean"):
    for store, make in (("lmdb", make_lmdb), ("mdbx", make_mdbx)):
        folder = FIXTURES / name / store
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder, name == "clean")
        for lock in [*folder.glob("*lock.mdb"), *folder.glob("*lck*")]:
            lock.unlink()
