#!/usr/bin/env python3
"""Writes the table of encodings that RedactionEncodingTests reads.

Each line is a JSON object: the name of the encoding, the secret, and a line of a log that holds the
secret in this encoding. The encodings are made with Python's library, so they do not share code
with the decoders under test.
"""
import base64, binascii, html, json, quopri, sys, textwrap, unicodedata, urllib.parse

ASCII = 'kX9-mQ2v+Lp7=wRt/4sZ8&"u'
WORDS = "Grün & Löyly 42?"


def b64(data):
    return base64.b64encode(data).decode()


def rows(secret):
    raw = secret.encode()
    wide = secret.encode("utf-16-le")
    yield "plain", secret
    yield "reflected", '"' + secret.replace('"', '\\"') + '"'
    yield "base64", b64(raw)
    yield "base64 after one byte", b64(b"\x01" + raw)
    yield "base64 after two bytes", b64(b"id" + raw)
    yield "base64 in more", b64(b"user:" + raw + b":end")
    yield "base64url", base64.urlsafe_b64encode(raw).decode().rstrip("=")
    yield "base64 in 64 columns", "\n".join(textwrap.wrap(b64(b"x" * 40 + raw), 64))
    yield "base64 in 76 columns", "\r\n".join(textwrap.wrap(b64(b"x" * 50 + raw), 76))
    yield "base32", base64.b32encode(raw).decode()
    yield "base32, small", base64.b32encode(b"ab" + raw).decode().lower().rstrip("=")
    yield "hex", raw.hex()
    yield "hex, capital", raw.hex().upper()
    yield "hex with colons", raw.hex(":")
    yield "hex with spaces", raw.hex(" ")
    yield "hex in pairs of bytes", "<" + raw.hex(" ", -2) + ">"
    yield "hex with 0x", "0x" + raw.hex()
    yield "hex in 16 columns", "\n".join(textwrap.wrap(raw.hex(), 16))
    yield "hex words with 0x", ", ".join("0x" + raw.hex()[i : i + 8] for i in range(0, 2 * len(raw), 8))
    yield "decimal bytes, Swift", str(list(raw))
    yield "decimal bytes without spaces", ",".join(map(str, raw))
    yield "decimal bytes with spaces", " ".join(map(str, raw))
    yield "decimal bytes in lines", "\n".join(f"  - {b}" for b in raw)
    yield "decimal bytes, signed", str([b - 256 if b > 127 else b for b in raw])
    yield "decimal bytes, three digits", " ".join(f"{b:03}" for b in raw)
    yield "hex bytes, C", "{" + ", ".join(f"0x{b:02x}" for b in raw) + "}"
    yield "hex bytes, short", "[" + ", ".join(hex(b) for b in raw) + "]"
    yield "x escapes", "".join(f"\\x{b:02x}" for b in raw)
    yield "x escapes of some", repr(raw)[2:-1]
    yield "octal escapes", "".join(f"\\{b:03o}" for b in raw)
    yield "u escapes", "".join(f"\\u{ord(c):04x}" for c in secret)
    yield "u escapes, Swift", "".join(f"\\u{{{ord(c):x}}}" for c in secret)
    yield "u escapes, eight digits", "".join(f"\\U{ord(c):08x}" for c in secret)
    yield "JSON", json.dumps({"a": secret})
    yield "JSON in JSON", json.dumps({"a": json.dumps({"b": secret})})
    yield "JSON with slashes", json.dumps(secret).replace("/", "\\/")
    yield "percent", urllib.parse.quote(secret, safe="")
    yield "percent of all", "".join(f"%{b:02X}" for b in raw)
    yield "percent, small", "".join(f"%{b:02x}" for b in raw)
    yield "percent u", "".join(f"%u{ord(c):04x}" for c in secret)
    yield "form", urllib.parse.quote_plus(secret)
    yield "percent twice", urllib.parse.quote(urllib.parse.quote(secret, safe=""), safe="")
    yield "entities", html.escape(secret)
    yield "entities, decimal", "".join(f"&#{ord(c)};" for c in secret)
    yield "entities, hexadecimal", "".join(f"&#x{ord(c):x};" for c in secret)
    yield "entities twice", html.escape(html.escape(secret))
    yield "quoted-printable", quopri.encodestring(raw).decode()
    yield "quoted-printable of all", "".join(f"={b:02X}" for b in raw)
    yield "UTF-16", wide.decode("latin-1")
    yield "UTF-16, big endian", secret.encode("utf-16-be").decode("latin-1")
    yield "UTF-16 in hex", wide.hex()
    yield "UTF-16 in base64", b64(wide)
    yield "UTF-16 in decimal bytes", str(list(secret.encode("utf-16-be")))
    yield "base64 twice", b64(b64(raw).encode())
    yield "base64 in hex", b64(raw).encode().hex()
    yield "hex in base64", b64(raw.hex().encode())
    yield "JSON in base64", b64(json.dumps({"a": secret}).encode())
    yield "base64 in a URL", "?k=" + urllib.parse.quote(b64(raw), safe="")
    yield "base64 in JSON", json.dumps(b64(raw)).replace("/", "\\/")
    yield "base64 in XML", "<data>" + html.escape(b64(raw)) + "</data>"
    yield "broken line", secret[:7] + "\n" + secret[7:]
    yield "broken line, indented", secret[:5] + "\r\n    " + secret[5:11] + "\n    " + secret[11:]
    yield "broken line with a backslash", secret[:9] + "\\\n" + secret[9:]
    yield "NFD", unicodedata.normalize("NFD", secret)
    yield "NFC", unicodedata.normalize("NFC", secret)
    yield "NFD in base64", b64(unicodedata.normalize("NFD", secret).encode())


def main():
    for secret in (ASCII, WORDS, ASCII[:8], ASCII[:9], ASCII[:15], ASCII[:17]):
        for name, text in rows(secret):
            # Bytes beyond ASCII of UTF-16 are no text.
            if "UTF-16" in name and not name[7:].startswith("in") and any(ord(c) > 127 for c in secret):
                continue
            print(json.dumps({"name": name, "secret": secret, "text": text}, ensure_ascii=False))


main()
