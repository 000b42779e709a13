#!/usr/bin/env python3
"""Makes the data of ICU that programs carry: what Foundation has of it, without languages other than English and without
the dictionaries and rules of scripts. It is half of a program otherwise, and the programs of AtRest speak English.

Usage: icu.py FILE, which is the object to link."""
import pathlib, re, struct, subprocess, sys, tempfile

target = pathlib.Path(sys.argv[1])
# A name such as de, zh_Hant or es_419. What is not of a language (time zones, character sets, normal forms) has other names.
language = re.compile(r"([a-z]{2,3})_?(_[A-Z][a-z]{3})?(_[A-Z]{2}|_[0-9]{3})?(_[A-Z0-9]+)?\.res")
english = {"en.res", "en_001.res", "en_US.res", "en_US_POSIX.res"}


def kept(path):
    folder, name = path.split("/")[1:-1], path.split("/")[-1]
    if name.endswith(".dict") or folder == ["translit"]:
        return False
    return name in english or not language.fullmatch(name)


def output(*command, folder=None):
    return subprocess.run(command, check=True, capture_output=True, cwd=folder).stdout


def items(data):
    """The names and contents in ICU's format of common data: a header, a table of contents, names, and aligned items."""
    start = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        raise SystemExit("This is not ICU's common data.")
    count = struct.unpack_from("<I", data, start)[0]
    table = [struct.unpack_from("<II", data, start + 4 + 8 * index) for index in range(count)]
    ends = [place for _, place in table[1:]] + [len(data) - start]
    for (name, place), end in zip(table, ends):
        name = data[start + name : data.index(b"\0", start + name)].decode()
        yield name, data[start + place : start + end]


def packed(header, parts):
    names, offsets, contents = b"", [], b""
    place = 4 + 8 * len(parts)
    for name, _ in parts:
        offsets.append(place + len(names))
        names += name.encode() + b"\0"
    # Items begin at multiples of 16 from the start of the file.
    begin = place + len(names)
    begin += -(len(header) + begin) % 16
    table = struct.pack("<I", len(parts))
    for (_, content), name in zip(parts, offsets):
        contents += b"\0" * (-len(contents) % 16)
        table += struct.pack("<II", name, begin + len(contents))
        contents += content
    return header + (table + names).ljust(begin, b"\0") + contents


library = pathlib.Path(output("swiftc", "-print-target-info", "-static-stdlib").decode().split('"runtimeResourcePath": "')[1]
                       .split('"')[0]) / "linux/lib_FoundationICU.a"
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    output("ar", "x", str(library), "icu_packaged_data.cpp.o", folder=folder)
    output("objcopy", "-O", "binary", "-j", ".rodata", "icu_packaged_data.cpp.o", "all.dat", folder=folder)
    [symbol] = re.findall(r"\b(icudt\d+_dat)$", output("nm", "icu_packaged_data.cpp.o", folder=folder).decode(), re.M)
    data = (folder / "all.dat").read_bytes()
    every = list(items(data))
    parts = [(name, content) for name, content in every if kept(name)]
    small = packed(data[: struct.unpack_from("<H", data)[0]], parts)
    # An item that is read back is what was there before.
    if [(name, content.rstrip(b"\0")) for name, content in items(small)] != [(n, c.rstrip(b"\0")) for n, c in parts]:
        raise SystemExit("ICU's data was not packed as it was read.")
    (folder / "small.dat").write_bytes(small)
    (folder / "small.S").write_text(
        f".section .rodata\n.globl {symbol}\n.type {symbol}, @object\n.balign 16\n{symbol}:\n.incbin \"small.dat\"\n"
        f".size {symbol}, . - {symbol}\n.section .note.GNU-stack,\"\",@progbits\n")
    output("clang", "-c", "small.S", "-o", str(target.absolute()), folder=folder)
print(f"ICU's data: {len(parts)} of {len(every)} items, {len(small)} of {len(data)} bytes")
