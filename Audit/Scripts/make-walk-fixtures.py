#!/usr/bin/env python3
"""Writes the container that the tests of the walk read to Tests/AtRestContainersTests/Fixtures.

Each secret in it is named after its place.
"""
import base64, gzip, io, json, os, plistlib, shutil, sqlite3, struct, tarfile, zipfile, zlib
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/Walk"
ROOT = FIXTURES / "container"
shutil.rmtree(FIXTURES, ignore_errors=True)


def path(name):
    result = ROOT / name
    result.parent.mkdir(parents=True, exist_ok=True)
    return result


def binary(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


def packed(data):
    return gzip.compress(data, mtime=0)


def entry(archive, name, data):
    archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry(archive, name, data)
    return buffer.getvalue()


def tarred(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def database(name, statements, keeps_log=False):
    """Creates a database in a child process, which exits without closing it if the log is to be kept."""
    target = str(path(name))
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        shm = target + "-shm"
        if os.path.exists(shm):
            os.remove(shm)
        return
    connection = sqlite3.connect(target, isolation_level=None)
    if keeps_log:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
    for statement, values in statements:
        connection.execute(statement, values)
    if not keeps_log:
        connection.close()
    os._exit(0)


archive = {
    "$version": 100000,
    "$archiver": "NSKeyedArchiver",
    "$top": {"root": plistlib.UID(1)},
    "$objects": [
        "$null",
        {"NS.keys": [plistlib.UID(2)], "NS.objects": [plistlib.UID(3)], "$class": plistlib.UID(4)},
        "token",
        "secret-in-archive",
        {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]},
    ],
}
path("Library/Preferences/com.example.plist").write_bytes(binary({
    "accounts": [{"name": "first"}, {"token": "secret-in-array"}],
    "com.example.dotted": "secret-with-dots",
    "archive": binary(archive),
    "json": json.dumps({"user": {"password": "secret-in-json"}}),
    "packed": base64.b64encode(packed(b'{"pin": "secret-in-gzip"}')).decode(),
    "count": 7,
}))
path("Documents/settings.xml").write_text(
    '<?xml version="1.0"?><a><b id="secret-in-attribute"/><b>secret-in-text</b></a>')
path("Documents/app.log").write_text("started\n\nlogin secret-in-line\n")
path("Documents/old.log.gz").write_bytes(packed(b"one\nlogin secret-in-packed-line\n"))
path("Documents/wide.txt").write_bytes("\ufeffsecret-in-utf-16\n".encode("utf-16-le"))
path("Documents/unmarked").write_bytes("secret-without-mark".encode("utf-16-le"))
path("Documents/a.zip").write_bytes(zipped({
    "b/c.json": b'{"key": "secret-in-zip"}',
    "inner.zip": zipped({"deep.plist": binary({"key": "secret-in-inner-zip"})}),
}))
path("Documents/b.tar.gz").write_bytes(packed(tarred({
    "d/e.json": b'["secret-in-tar"]',
})))
path("Library/Caches/Snapshots/view.png").write_bytes(
    b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in [
            (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
            (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")]))
database("Documents/notes.sqlite", [
    ("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE TEXT, ZBODY BLOB)", ()),
    ("INSERT INTO ZNOTE VALUES (3, 'secret-in-log', ?)", (binary({"k": "secret-in-cell"}),)),
], keeps_log=True)
database("Library/WebKit/x.localstorage", [
    ("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB NOT NULL)", ()),
    ("INSERT INTO ItemTable VALUES ('session', ?)", ('{"t":"secret-in-web"}'.encode("utf-16-le"),)),
])
database("Documents/deleted.sqlite", [
    ("PRAGMA secure_delete=OFF", ()),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)", ()),
    ("INSERT INTO t VALUES (1, 'stays')", ()),
    ("INSERT INTO t VALUES (2, 'secret-that-was-deleted')", ()),
    ("INSERT INTO t VALUES (3, 'stays too')", ()),
    ("DELETE FROM t WHERE id = 2", ()),
])
cache = "Library/Caches/com.example"
name = "0A1B2C3D-0000-4000-8000-000000000000"
database(cache + "/Cache.db", [
    ("CREATE TABLE cfurl_cache_response (entry_ID INTEGER PRIMARY KEY, request_key TEXT)", ()),
    ("CREATE TABLE cfurl_cache_blob_data (entry_ID INTEGER PRIMARY KEY, request_object BLOB)", ()),
    ("CREATE TABLE cfurl_cache_receiver_data"
     " (entry_ID INTEGER PRIMARY KEY, isDataOnFS INTEGER, receiver_data BLOB)", ()),
    ("INSERT INTO cfurl_cache_response VALUES (1, 'https://example.com/a')", ()),
    ("INSERT INTO cfurl_cache_response VALUES (2, 'https://example.com/b')", ()),
    ("INSERT INTO cfurl_cache_blob_data VALUES (1, ?)",
     (binary({"Array": [{"Authorization": "Bearer secret-in-header"}]}),)),
    ("INSERT INTO cfurl_cache_receiver_data VALUES (1, 0, ?)", (b'{"m": "secret-in-answer"}',)),
    ("INSERT INTO cfurl_cache_receiver_data VALUES (2, 1, ?)", (name,)),
])
path(f"{cache}/fsCachedData/{name}").write_bytes(b'{"m": "secret-in-answer-file"}')

nested = b"end"
for level in range(12):
    nested = zipped({f"{level}.zip": nested})
(FIXTURES / "nested.zip").write_bytes(nested)
(FIXTURES / "bomb.zip").write_bytes(
    zipped({"a": zipped({"b": bytes(80 << 20)})}))
(FIXTURES / "outside.zip").write_bytes(zipped({"../../outside.txt": b"secret-outside"}))
