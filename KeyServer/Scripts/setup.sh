#!/usr/bin/env bash
# Installs SQLite and libsodium for the build, and PostgreSQL with libpq, curl and openssl for the tests. It
# does nothing if they are present. Without PostgreSQL the tests that need it are skipped.
set -euo pipefail

have_headers() { printf '#include <%s>\n' sqlite3.h sodium.h | clang -E -x c - >/dev/null 2>&1; }
have_server() { ls /usr/lib/postgresql/*/bin/initdb && command -v curl && command -v openssl; } >/dev/null 2>&1

if [ "$(uname -s)" != Linux ] || { have_headers && have_server; }; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libsqlite3-dev libsodium-dev postgresql curl openssl >/dev/null
fi
have_headers || {
  echo "Headers are missing. Run: sudo apt-get install libsqlite3-dev libsodium-dev" >&2
  exit 1
}
have_server || echo "PostgreSQL, curl or openssl is missing. The tests that need PostgreSQL are skipped." >&2
