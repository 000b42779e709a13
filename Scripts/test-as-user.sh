#!/usr/bin/env bash
# Runs tests that are built as an ordinary user, because root may do what a user may not: read every process,
# and enter every folder.
#
# Usage: Scripts/test-as-user.sh BUNDLE [OPTION…], where the options are those of `swift test`, such as --filter.
set -euo pipefail
bundle=$(realpath "$1")
shift
if [ "$(id -u)" != 0 ]; then exec "$bundle" --testing-library swift-testing "$@"; fi
user=atrest-test
id "$user" >/dev/null 2>&1 ||
  useradd --system --create-home --home-dir "/var/lib/$user" --shell /bin/bash "$user"
if ! runuser -u "$user" -- test -r "$bundle"; then
  echo "As root: $user cannot read $bundle. Put the checkout into a folder that every user may enter." >&2
  exec "$bundle" --testing-library swift-testing "$@"
fi
folder=$(mktemp -d /tmp/atrest-user.XXXXXX)
trap 'rm -rf "$folder"' EXIT
install -d -m 700 -o "$user" "$folder/tmp" "$folder/run" "$folder/home"
chown "$user" "$folder"
cd "$folder/home"
runuser -u "$user" -- env -i PATH="$PATH" LANG=C.UTF-8 USER="$user" HOME="$folder/home" \
  TMPDIR="$folder/tmp" XDG_RUNTIME_DIR="$folder/run" "$bundle" --testing-library swift-testing "$@"
