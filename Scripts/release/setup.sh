#!/usr/bin/env bash
# Installs what `make release` and `make test-release` need beside the compiler: Debian's tools for packages.
set -euo pipefail
packages=(binutils curl debootstrap dpkg-dev file libpam0g-dev lintian openssh-client openssl python3 python3-yaml skopeo)
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
    missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "Packages are missing. Run: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
