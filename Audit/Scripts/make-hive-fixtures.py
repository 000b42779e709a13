#!/usr/bin/env python3
"""Writes boxes of Hive to Tests/AtRestContainersTests/Fixtures/Stores, each with canaries (typed) and with harmless text
instead (clean).

Hive is written in Dart, for which no package is at hand, so this is a writer of its own. It follows Hive's
binary_writer_impl.dart and hive_aes_cipher.dart. With the argument --check FOLDER, it compares itself with the frames that
Hive's own tests expect, in the folder test/generated of Hive's source. Needs the package cryptography of PyPI.
"""
import hashlib, re, shutil, struct, sys, zlib
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from store_canaries import FIXTURES, canary, digits


class Typed:
    """An object of an app's own type: its number and its fields."""

    def __init__(self, number, *fields):
        self.number, self.fields = number, fields


def texts(value):
    data = value.encode()
    return struct.pack("<I", len(data)) + data


def value_bytes(value):
    if value is None:
        return b"\0"
    if isinstance(value, bool):
        return bytes([3, value])
    if isinstance(value, int):
        return b"\1" + struct.pack("<d", value)
    if isinstance(value, float):
        return b"\2" + struct.pack("<d", value)
    if isinstance(value, str):
        return b"\4" + texts(value)
    if isinstance(value, bytes):
        return b"\5" + struct.pack("<I", len(value)) + value
    if isinstance(value, list):
        head = struct.pack("<I", len(value))
        if value and all(isinstance(item, str) for item in value):
            return b"\x09" + head + b"".join(map(texts, value))
        if value and all(type(item) is int for item in value):
            return b"\6" + head + b"".join(struct.pack("<d", item) for item in value)
        return b"\x0a" + head + b"".join(map(value_bytes, value))
    if isinstance(value, dict):
        pairs = b"".join(value_bytes(key) + value_bytes(item) for key, item in value.items())
        return b"\x0b" + struct.pack("<I", len(value)) + pairs
    fields = b"".join(bytes([index]) + value_bytes(field) for index, field in enumerate(value.fields))
    return bytes([value.number + 32, len(value.fields)]) + fields


class Box:
    def __init__(self, key=None, iv=None):
        self.key, self.iv, self.bytes, self.count = key, iv, b"", 0
        self.seed = zlib.crc32(hashlib.sha256(key).digest()) if key else 0

    def encrypt(self, data):
        # A fixed IV for each value, so that the files stay the same.
        self.count += 1
        iv = self.iv or hashlib.sha256(b"iv %d" % self.count).digest()[:16]
        data += bytes([16 - len(data) % 16]) * (16 - len(data) % 16)
        cipher = Cipher(algorithms.AES(self.key), modes.CBC(iv)).encryptor()
        return iv + cipher.update(data) + cipher.finalize()

    def frame(self, key, data):
        head = b"\0" + struct.pack("<I", key) if isinstance(key, int) else bytes([1, len(key.encode())]) + key.encode()
        body = struct.pack("<I", 4 + len(head) + len(data) + 4) + head + data
        self.bytes += body + struct.pack("<I", zlib.crc32(body, self.seed))

    def put(self, key, value):
        data = value_bytes(value)
        self.frame(key, self.encrypt(data) if self.key else data)

    def delete(self, key):
        self.frame(key, b"")


def make(folder, clean):
    def text(number):
        return canary("hive", number, clean)

    box = Box()
    box.put("session", text(1))
    box.put("theme", "dark")
    box.put("session", text(2))
    box.put("draft", text(3))
    box.delete("draft")
    box.put("height", int(digits("hive", 4, clean)))
    box.put(7, {"user": {"note": text(5)}, 3: ["first", None, 2.5]})
    box.put("recent", ["first", text(6)])
    box.put("photo", bytes([0, 1, 2, 0xFF, 0xFE]) + text(7).encode() + bytes([0, 0xF8]))
    box.put("profile", Typed(1, "a name", Typed(2, 5, text(8)), [1, 2, 3]))
    # An adapter that was written by hand.
    box.frame("own", bytes([40]) + b"\x02" + text(9).encode() + b"\xff\xff")
    box.put("codes", list(text(10).encode()))
    (folder / "settings.hive").write_bytes(box.bytes)

    box = Box(hashlib.sha256(b"AtRest hive").digest())
    box.put("session", text(20))
    box.put("session", text(21))
    box.put("account", text(22))
    box.delete("account")
    box.put("profile", {"language": "en_GB", "note": text(23)})
    # The key of a store of MMKV.
    box.put("storeKey", "mmkv-key-of-32-bytes-of-AtRest!!")
    (folder / "secret.hive").write_bytes(box.bytes)


def check(folder):
    """Compares frames with those that Hive's tests expect."""
    values = {
        "Null frame": None, "Int": 123123123, "Bool true": True, "Float": 12312.991283, 0: "Int key1",
        "Empty list": [], "Int list": [123, 456, 129318238], "List with null": ["This", "is", "a", "test", None],
        "List with different types": ["List", [1, 2, 3], 5.8, True, 12341234, {"t": True, "f": False}],
    }
    for name, box in (("frames", Box()), ("frames_encrypted", Box(bytes([1] * 32), bytes([4] * 16)))):
        lists = re.findall(r"\[([\d,\s]+)\]", (folder / f"{name}.g.dart").read_text())
        frames = [bytes(map(int, filter(None, re.split(r"[,\s]+", frame)))) for frame in lists]
        for key, value in values.items():
            start = len(box.bytes)
            box.put(key, value)
            print(name, key, "is the same" if box.bytes[start:] in frames else "DIFFERS")


if len(sys.argv) == 3 and sys.argv[1] == "--check":
    check(Path(sys.argv[2]))
else:
    for name in ("typed", "clean"):
        folder = FIXTURES / name / "hive"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder, name == "clean")
