#!/usr/bin/env bash
# Installs the programs that tests need. Does nothing if they are there already. If one cannot be installed,
# the script reports it and the tests that need it are skipped.
#
#   - SQLCipher and SQLite3MultipleCiphers for Python, into .build/python: AtRestDatabase is compared with them.
#   - A TPM in software, the libraries and tools for TPMs, and OpenSSL's TPM provider, from the system's
#     packages (Debian's names): for AtRestTPM.
#   - git, skopeo and OpenSSH, which call the command's credential helpers and the agent, and a bus with doubles
#     of systemd-logind and of a screen saver, which lock it. No service is started.
#   - secret-tool, SecretStorage and keyring for Python, clients of the Secret Service.
#   - pamtester, libpam-wrapper and the headers of PAM, for logins with the module pam_atrest.so.
set -uo pipefail
cd "$(dirname "$0")/.."

python=.build/python/bin/python3
if ! "$python" -c 'import apsw, sqlcipher3' 2>/dev/null; then
  { python3 -m venv .build/python &&
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
      --requirement Tests/database-peer/requirements.txt; } >/dev/null 2>&1 ||
    echo "SQLCipher for Python is missing. The tests that compare with it are skipped." >&2
fi

packages=(swtpm swtpm-tools tpm2-tools tpm2-openssl openssl libtss2-esys-3.0.2-0 libtss2-tctildr0 libtss2-mu0
  libtss2-rc0 libtss2-tcti-swtpm0 libtss2-tcti-device0 git skopeo openssh-client openssh-server dbus-daemon
  python3-dbusmock libsecret-tools python3-secretstorage python3-keyring pamtester libpam-wrapper libpam0g-dev)
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
    missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  # No server is started.
  install() {
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
  }
  { [ "$(id -u)" = 0 ] && { install || { apt-get update && install; }; }; } >/dev/null 2>&1 ||
    echo "These packages are missing: ${missing[*]}. The tests that need them are skipped." >&2
fi
exit 0
