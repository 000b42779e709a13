#!/usr/bin/env bash
# Installs what the auditor's tests compare with: the published schema of SARIF, a browser for the page of
# HTML, an independent reader of backups. Does nothing where they are there; what cannot be installed is
# said, and its tests are left out.
set -uo pipefail
cd "$(dirname "$0")/.."

Scripts/fetch-schemas.sh || echo "Without SARIF's schema the tests that need it are left out." >&2

found=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then found=1; fi
done
if [ -z "$found" ] && [ -z "${ATREST_CHROMIUM:-}" ]; then
  if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
    { apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } \
      >/dev/null 2>&1
  fi
  command -v chromium >/dev/null ||
    echo "Without Chromium the tests of the page in a browser are left out." >&2
fi

python=.build/python/bin/python3
if ! "$python" -c 'import iphone_backup_decrypt' 2>/dev/null; then
  { python3 -m venv .build/python &&
    "$python" -m pip install --quiet --disable-pip-version-check iphone_backup_decrypt==0.11.2; } \
    >/dev/null 2>&1 ||
    echo "Without iphone_backup_decrypt no other reader opens the backups that tests make." >&2
fi
exit 0
