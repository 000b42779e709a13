#!/usr/bin/env bash
# Installs what the auditor's tests compare with: the published SARIF schema, a browser for the HTML report
# and an independent reader of backups. Does nothing for those that are there already. If one cannot be
# installed, the script reports it and its tests are skipped.
set -uo pipefail
cd "$(dirname "$0")/.."

Scripts/fetch-schemas.sh || echo "The SARIF schema is missing. The tests that need it are skipped." >&2

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
    echo "Chromium is missing. The tests of the HTML report in a browser are skipped." >&2
fi

python=.build/python/bin/python3
if ! "$python" -c 'import iphone_backup_decrypt' 2>/dev/null; then
  { python3 -m venv .build/python &&
    "$python" -m pip install --quiet --disable-pip-version-check iphone_backup_decrypt==0.11.2; } \
    >/dev/null 2>&1 ||
    echo "iphone_backup_decrypt is missing. The tests with an independent reader of backups are skipped." >&2
fi
exit 0
