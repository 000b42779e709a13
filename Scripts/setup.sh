#!/usr/bin/env bash
# Installs the headers that the build needs beside Swift: SQLite, libsodium, and the libraries of compression that the
# auditor reads. It does nothing if they are present.
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "AtRest needs Swift 6.3 or later, and no 'swift' was found on the PATH." >&2
  echo "Install a toolchain from https://www.swift.org/install, then run make again." >&2
  exit 1
fi

case "$(uname -s)" in
Darwin) exit 0 ;; # the system's SDK has them
esac

packages="libsqlite3-dev zlib1g-dev liblz4-dev libbz2-dev liblzma-dev libzstd-dev libbrotli-dev libsodium-dev"
headers="sqlite3.h zlib.h lz4frame.h bzlib.h lzma.h zstd.h brotli/decode.h sodium.h"
if printf '#include <%s>\n' $headers | clang -E -x c - >/dev/null 2>&1; then exit 0; fi

if ! command -v apt-get >/dev/null; then
  echo "Headers are missing: install $packages, or the equivalent packages of your system." >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "Headers are missing. Run: sudo apt-get install $packages" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages >/dev/null
