#!/usr/bin/env python3
"""Writes stores of MMKV to Tests/AtRestContainersTests/Fixtures/Stores with MMKV itself.

Usage: make-mmkv-fixtures.py MMKV, where MMKV is a folder with the source of MMKV (github.com/Tencent/MMKV), whose core is
compiled with g++. Each store is written twice, with canaries (typed) and with harmless text instead (clean).
"""
import shutil, subprocess, sys, tempfile
from pathlib import Path

from store_canaries import FIXTURES, canary, digits

PROGRAM = r"""
#include "MMKV.h"
#include <iostream>
#include <sstream>

using mmkv::MMBuffer;

static std::string bytes(const std::string &hex) {
  std::string result;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) result += (char)std::stoi(hex.substr(i, 2), nullptr, 16);
  return result;
}

int main(int, char **arguments) {
  MMKV::initializeMMKV(arguments[1], MMKVLogNone);
  MMKV *store = nullptr;
  std::string line, verb, key, value;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    words >> verb >> key >> value;
    if (verb == "open") {
      std::string secret = bytes(value == "-" ? "" : value);
      store = MMKV::mmkvWithID(key, MMKV_SINGLE_PROCESS, secret.empty() ? nullptr : &secret, nullptr, 0, secret.size() > 16);
    } else if (verb == "expire") {
      store->enableAutoKeyExpire(1000000);
    } else if (verb == "text") {
      store->set(bytes(value), key);
    } else if (verb == "data") {
      auto data = bytes(value);
      store->set(MMBuffer((void *)data.data(), data.size()), key);
    } else if (verb == "list") {
      std::vector<std::string> items;
      do { items.push_back(bytes(value)); } while (words >> value);
      store->set(items, key);
    } else if (verb == "integer") {
      store->set((int64_t)std::stoll(value), key);
    } else if (verb == "real") {
      store->set(std::stod(value), key);
    } else if (verb == "true") {
      store->set(true, key);
    } else if (verb == "remove") {
      store->removeValueForKey(key);
    } else {
      std::cerr << "unknown: " << line << "\n";
      return 1;
    }
  }
  MMKV::onExit();
}
"""


def compile_program(source, folder):
    core = source / "Core"
    files = [
        file for pattern in ("*.cpp", "aes/*.cpp", "aes/openssl/*.cpp", "crc32/*.cpp", "crc32/zlib/*.cpp")
        for file in core.glob(pattern)
        if not any(file.stem.endswith(system) for system in ("_OSX", "_Win32", "_Android"))
    ]
    (folder / "main.cpp").write_text(PROGRAM)
    program = folder / "mmkv"
    subprocess.run(
        ["g++", "-std=c++20", "-O1", "-w", "-DFORCE_POSIX", f"-I{core}", "-o", program, folder / "main.cpp", *files,
         "-lpthread", "-lz"], check=True)
    return program


def lines(clean):
    def hexed(text):
        return (text if isinstance(text, bytes) else text.encode()).hex()

    def text(number):
        return canary("mmkv", number, clean)

    yield "open settings -"
    yield f"text session {hexed(text(1))}"
    yield f"text theme {hexed('dark')}"
    yield f"text session {hexed(text(2))}"
    yield f"text draft {hexed(text(3))}"
    yield "remove draft"
    yield f"integer height {digits('mmkv', 4, clean)}"
    yield f"real balance {digits('mmkv', 5, clean)[:6]}.25"
    yield "true enabled"
    yield f"text user {hexed('{' + chr(34) + 'note' + chr(34) + ': ' + chr(34) + text(6) + chr(34) + '}')}"
    yield f"data photo {hexed(bytes([0, 1, 2, 0xFF, 0xFE]) + text(7).encode() + bytes([0, 0xF8]))}"
    yield f"list recent {hexed('first')} {hexed(text(8))} {hexed('')}"
    yield f"text long {hexed('A long text. ' * 20 + text(9))}"

    # MMKV writes the file anew when it is full. What was behind the new contents stays.
    yield "open rewritten -"
    yield f"text kept {hexed(text(12))}"
    for number in range(4):
        yield f"text filler {hexed(f'{number}' * 300)}"
    yield f"text removed {hexed(text(10))}"
    yield "remove removed"
    yield f"text replaced {hexed(text(11))}"
    yield f"text replaced {hexed('nothing of note')}"
    for number in range(9):
        yield f"text filler {hexed(f'{number}' * 300)}"

    yield "open expiring -"
    yield "expire"
    yield f"text session {hexed(text(13))}"
    yield f"integer code {digits('mmkv', 14, clean)}"

    for number, (name, key) in enumerate([
        ("secret", b"mmkv-key-of-16-b"), ("short", b"mmkv-key"), ("wide", b"mmkv-key-of-32-bytes-of-AtRest!!"),
    ]):
        yield f"open {name} {key.hex()}"
        # While there is one key only, MMKV overwrites its value.
        yield f"text language {hexed('en_GB')}"
        yield f"text session {hexed(text(20 + 10 * number))}"
        yield f"text session {hexed(text(21 + 10 * number))}"
        yield f"text account {hexed(text(22 + 10 * number))}"
        yield "remove account"
        yield "true enabled"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        program = compile_program(Path(sys.argv[1]), Path(scratch))
        for name in ("typed", "clean"):
            folder = FIXTURES / name / "mmkv"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            stores = Path(scratch) / name
            commands = "\n".join(lines(name == "clean")) + "\n"
            subprocess.run([program, stores], input=commands.encode(), check=True, stdout=subprocess.DEVNULL)
            for file in stores.iterdir():
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)


main()
