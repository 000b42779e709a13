#!/usr/bin/env bash
# Installs the programs with which the tests of AtRestDatabase compare: SQLCipher and SQLite3MultipleCiphers,
# for Python, into .build/python. Does nothing if they are there already. If one cannot be installed, the
# script reports it and the tests that need it are skipped.
set -uo pipefail
cd "$(dirname "$0")/.."

python=.build/python/bin/python3
if ! "$python" -c 'import apsw, sqlcipher3' 2>/dev/null; then
  { python3 -m venv .build/python &&
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
      --requirement Tests/database-peer/requirements.txt; } >/dev/null 2>&1 ||
    echo "SQLCipher for Python is missing. The tests that compare with it are skipped." >&2
fi
exit 0
