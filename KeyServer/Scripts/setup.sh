#!/usr/bin/env bash
# Installs the headers of libpq and SQLite that the build needs, and PostgreSQL, curl and openssl for the tests. It
# does nothing if they are present. Without PostgreSQL the tests that need it are skipped.
set -euo pipefail

have_headers() { printf '#include <libpq-fe.h>\n#include <sqlite3.h>\n' | clang -E -x c -I/usr/include/postgresql - >/dev/null 2>&1; }
have_server() { ls /usr/lib/postgresql/*/bin/initdb && command -v curl && command -v openssl; } >/dev/null 2>&1

if [ "$(uname -s)" != Linux ] || { have_headers && have_server; }; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libpq-dev libsqlite3-dev pkg-config postgresql \
    curl openssl >/dev/null
fi
have_headers || {
  echo "Headers are missing. Run: sudo apt-get install libpq-dev libsqlite3-dev pkg-config" >&2
  exit 1
}
have_server || echo "PostgreSQL, curl or openssl is missing. The tests that need PostgreSQL are skipped." >&2
