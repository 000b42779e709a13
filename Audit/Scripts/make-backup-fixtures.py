#!/usr/bin/env python3
"""Writes the backups that the tests of the command open to Tests/AtRestAuditCommandTests/Fixtures.

The encrypted backup has a well-formed keybag that no password opens.
"""
import hashlib, plistlib, shutil, sqlite3, struct
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestAuditCommandTests/Fixtures/Backups"


def binary(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


def record(path, data):
    return binary({
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
        "$objects": [
            "$null",
            {"$class": plistlib.UID(2), "Size": len(data), "Mode": 0o100644, "ProtectionClass": 3,
             "LastModified": 1600000000, "RelativePath": plistlib.UID(3)},
            {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]},
            path,
        ],
    })


def make(name, manifest, files=()):
    folder = FIXTURES / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "Manifest.plist").write_bytes(binary(manifest))
    if not files:
        (folder / "Manifest.db").write_bytes(hashlib.shake_256(b"database").digest(4096))
        return
    connection = sqlite3.connect(folder / "Manifest.db", isolation_level=None)
    connection.execute(
        "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT,"
        " flags INTEGER, file BLOB)")
    for domain, path, data in files:
        identifier = hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()
        connection.execute(
            "INSERT INTO Files VALUES (?, ?, ?, 1, ?)",
            (identifier, domain, path, record(path, data)))
        target = folder / identifier[:2] / identifier
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    connection.close()


def field(tag, value):
    data = struct.pack(">I", value) if isinstance(value, int) else value
    return tag + struct.pack(">I", len(data)) + data


keybag = (
    field(b"VERS", 5) + field(b"TYPE", 1) + field(b"UUID", bytes([1]) * 16)
    + field(b"HMCK", bytes([2]) * 40) + field(b"WRAP", 1) + field(b"SALT", bytes([3]) * 20)
    + field(b"ITER", 10) + field(b"DPWT", 1) + field(b"DPIC", 10) + field(b"DPSL", bytes([4]) * 20)
    + b"".join(
        field(b"UUID", bytes([number]) * 16) + field(b"CLAS", number) + field(b"WRAP", 2)
        + field(b"KTYP", 0) + field(b"WPKY", hashlib.shake_256(bytes([number])).digest(40))
        for number in range(1, 9)))

lockdown = {"DeviceName": "Test phone", "ProductType": "iPhone14,2", "ProductVersion": "17.4"}
make("plain", {"IsEncrypted": False, "Version": "10.0", "Lockdown": lockdown}, [
    ("AppDomain-org.example.bank", "Documents/state.json", b'{"note": "violet-kestrel-48"}'),
    ("AppDomain-org.example.bank", "Library/Preferences/a.plist", binary({"shown": True})),
    ("HomeDomain", "Library/readme.txt", b"A text."),
])
make("encrypted", {
    "IsEncrypted": True, "Version": "10.0", "Lockdown": lockdown, "BackupKeyBag": keybag,
    "ManifestKey": struct.pack("<I", 4) + hashlib.shake_256(b"key").digest(40),
})
