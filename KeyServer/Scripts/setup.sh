#!/usr/bin/env bash
# Installs the headers of SQLite that the build needs, and PostgreSQL with libpq, curl and openssl for the tests,
# spin for the model, and faketime for the demonstration. It does nothing if they are present. What needs PostgreSQL,
# spin or faketime is skipped without them.
set -euo pipefail

have_headers() { echo '#include <sqlite3.h>' | clang -E -x c - >/dev/null 2>&1; }
have_server() {
  ls /usr/lib/postgresql/*/bin/initdb && command -v curl && command -v openssl && command -v spin && command -v faketime
} >/dev/null 2>&1

if [ "$(uname -s)" != Linux ] || { have_headers && have_server; }; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libsqlite3-dev postgresql curl openssl spin faketime >/dev/null
fi
have_headers || {
  echo "Headers are missing. Run: sudo apt-get install libsqlite3-dev" >&2
  exit 1
}
have_server || echo "PostgreSQL, curl, openssl, spin or faketime is missing. What needs them is skipped." >&2
