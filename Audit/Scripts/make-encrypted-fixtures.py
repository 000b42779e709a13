#!/usr/bin/env python3
"""Writes encrypted files to Tests/AtRestContainersTests/Fixtures/Encrypted, each with the canary of its name.

Needs the programs openssl and zip, and the packages pyzipper and rncryptor of PyPI. `openssl` writes the files of OpenSSL,
pyzipper the archives with AES, and zip the one with ZipCrypto. The package rncryptor writes version 3 with a passphrase. The
other forms of RNCryptor's format are put together here with its primitives, as its specification says. The keys are those
that EncryptedFixture.swift names.
"""
import gzip, hashlib, os, plistlib, shutil, subprocess, tempfile
from pathlib import Path

import pyzipper
from rncryptor import RNCryptor

FIXTURES = Path(__file__).parent.parent / "Tests/AtRestContainersTests/Fixtures/Encrypted"


def passphrase(name):
    return f"passphrase of {name}"


def raw(name):
    return hashlib.sha256(b"AtRest " + name.encode()).digest()


def note(name):
    return f"a page of notes\nwith canary-of-{name} in it\n".encode()


def openssl(name, *options, data=None):
    subprocess.run(
        ["openssl", "enc", "-e", "-salt", *options, "-pass", f"pass:{passphrase(name)}", "-out", FIXTURES / name],
        input=data or note(name), check=True, stderr=subprocess.DEVNULL)


def archive(name, bits, version, other=False):
    with pyzipper.AESZipFile(
            FIXTURES / name, "w", compression=pyzipper.ZIP_DEFLATED, encryption=None) as file:
        if other:
            file.writestr("plain.txt", b"a page that is not encrypted")
        file.setpassword(passphrase(name).encode())
        file.setencryption(pyzipper.WZ_AES, nbits=bits, force_wz_aes_version=version)
        file.writestr("Documents/note.txt", note(name))
        # The key of another file.
        file.writestr("list.json", b'{"k": "' + raw("key-2.rnc").hex().encode() + b'", "list": [' + b"12345, " * 2000 + b"1]}")
        if other:
            file.setpassword(b"another passphrase")
            file.writestr("other.txt", b"a page under another passphrase")


class Cryptor(RNCryptor):
    """RNCryptor's format with any version, and with keys."""

    def write(self, name, version, key, mac_key, data, salts=b""):
        head = bytes([version, 1 if salts else 0]) + salts + self.iv
        text = head + self._aes_encrypt(key, head[-16:], self.pre_encrypt_data(data))
        (FIXTURES / name).write_bytes(text + self._hmac(mac_key, text))

    def write_with_passphrase(self, name, version, secret, data):
        salts = os.urandom(16)
        self.write(
            name, version, self._pbkdf2(secret, salts[:8]), self._pbkdf2(secret, salts[8:]), data, salts)


shutil.rmtree(FIXTURES, ignore_errors=True)
FIXTURES.mkdir(parents=True)
for bits in (128, 256):
    for digest in ("md5", "sha256"):
        openssl(f"{digest}-{bits}.enc", f"-aes-{bits}-cbc", "-md", digest)
        openssl(f"pbkdf2-{digest}-{bits}.enc", f"-aes-{bits}-cbc", "-md", digest, "-pbkdf2")
openssl("plist.enc", "-aes-256-cbc", data=plistlib.dumps(
    {"note": "with canary-of-plist.enc in it"}, fmt=plistlib.FMT_BINARY))
openssl("gzip.enc", "-aes-256-cbc", data=gzip.compress(note("gzip.enc"), mtime=0))
# The padding is one byte, and nothing else shows that these are the contents.
openssl("noise.enc", "-aes-256-cbc", data=b"".join(raw(f"noise {number}") for number in range(64))[:-1])
for bits in (128, 192, 256):
    archive(f"aes-{bits}.zip", bits, 2)
archive("ae1.zip", 256, 1)
archive("mixed.zip", 256, 2, other=True)
with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "note.txt").write_bytes(note("zipcrypto.zip"))
    subprocess.run(
        ["zip", "-q", "-P", passphrase("zipcrypto.zip"), FIXTURES / "zipcrypto.zip", "note.txt"], cwd=folder, check=True)

cryptor = Cryptor()
(FIXTURES / "passphrase-3.rnc").write_bytes(cryptor.encrypt(note("passphrase-3.rnc"), passphrase("passphrase-3.rnc")))
secret = passphrase("passphrase-2.rnc").encode()
cryptor.write_with_passphrase("passphrase-2.rnc", 2, secret, note("passphrase-2.rnc"))
# Version 2 takes as many bytes as there are characters.
text = "Passwörter für wide-2.rnc"
cryptor.write_with_passphrase("wide-2.rnc", 2, text.encode()[:len(text)], note("wide-2.rnc"))
# With a padding of one byte, only the HMAC shows that a key is right.
noise = b"".join(raw(f"noise {number}") for number in range(8))[:-1]
cryptor.write_with_passphrase("noise-3.rnc", 3, passphrase("noise-3.rnc").encode(), noise)
for version in (2, 3):
    name = f"key-{version}.rnc"
    cryptor.write(name, version, raw(name), raw("mac of " + name), note(name))
# One key for both proves itself, whatever the contents are.
cryptor.write("one-key-3.rnc", 3, raw("one-key-3.rnc"), raw("one-key-3.rnc"), noise)

# The tests of the findings have two of them.
FINDINGS = FIXTURES.parents[2] / "AtRestAuditTests/Fixtures/Encrypted"
shutil.rmtree(FINDINGS, ignore_errors=True)
FINDINGS.mkdir()
for name in ("sha256-256.enc", "aes-256.zip"):
    shutil.copy(FIXTURES / name, FINDINGS)

# And the fuzzer has three.
CORPUS = FIXTURES.parents[2] / "FuzzCorpora/encrypted"
CORPUS.mkdir(exist_ok=True)
for name, input in (("aes-256.zip", "archive"), ("sha256-256.enc", "openssl"), ("key-3.rnc", "rncryptor")):
    shutil.copy(FIXTURES / name, CORPUS / input)
