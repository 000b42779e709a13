#!/usr/bin/env bash
# Checks what `make release` made: installs it in a Debian without a compiler, has each program do its main task as an
# ordinary user, removes it, and tries the other forms. Root has to run it, for chroot.
#
#   ATREST_DEBIAN  the release of Debian (bookworm)
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "chroot needs root." >&2; exit 1; }
# What is mounted here is gone when the script ends.
[ -n "${ATREST_TEST_RELEASE:-}" ] || exec unshare --mount --propagation private env ATREST_TEST_RELEASE=1 "$0"
release=${ATREST_DEBIAN:-bookworm}
dist=$PWD/dist base=$PWD/.build-release/debian-$release
work=$(mktemp -d)
finish() {
  # The server and the agent, if a step before their end failed.
  find /proc -maxdepth 2 -name root -lname "$work/*" 2>/dev/null | cut -d/ -f3 | xargs --no-run-if-empty kill 2>/dev/null || true
  umount -l "$work"/*/proc 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
chmod 755 "$work"
say() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
version=$(basename "$dist"/atrest_*_amd64.deb | cut -d_ -f2)

say "Checksums and signature"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
ssh-keygen -q -t ed25519 -N '' -C release -f "$work/key"
echo "release $(cut -d' ' -f1,2 "$work/key.pub")" >"$work/signers"
cp "$dist/SHA256SUMS" "$work/sums"
ssh-keygen -q -Y sign -n atrest-release -f "$work/key" "$work/sums"
verify() { ssh-keygen -Y verify -f "$work/signers" -I release -n atrest-release -s "$work/sums.sig" <"$1"; }
verify "$work/sums"
sed 's/^./x/' "$work/sums" >"$work/other"
if verify "$work/other" 2>/dev/null; then fail "a signature of other checksums is taken"; fi

say "lintian"
lintian --no-cfg --fail-on error,warning "$dist"/*.deb

say "Debian $release without a compiler"
[ -x "$base/bin/sh" ] || debootstrap --variant=minbase "$release" "$base.new" http://deb.debian.org/debian >/dev/null
[ -x "$base/bin/sh" ] || mv "$base.new" "$base"
debian=$work/debian
cp -a "$base" "$debian"
mount -t proc proc "$debian/proc"
inside() { chroot "$debian" "$@"; }
for tool in swift clang gcc ld; do
  if inside sh -c "command -v $tool" >/dev/null; then fail "the system has $tool"; fi
done
cp "$dist"/*.deb "$debian/tmp"
# Nothing is fetched: what the packages need is in the smallest Debian.
inside sh -c 'dpkg --install /tmp/*.deb'
inside useradd --create-home eva
# as_eva COMMAND: runs it as a user, and fails if it does.
as_eva() {
  printf '$ %s\n' "$1"
  chroot --userspec=eva "$debian" env -i HOME=/home/eva USER=eva PATH=/usr/bin:/bin XDG_RUNTIME_DIR=/home/eva/run \
    LANG=C.UTF-8 bash -euo pipefail -c "cd; $1"
}

say "Libraries"
# Programs need the system's libc and libgcc, and nothing else. The extension needs libstdc++ too, and uses the SQLite of the
# program that loads it. The module for logins uses PAM's library.
for package in atrest atrest-audit atrest-keyserver; do
  for file in $(inside dpkg -L "$package" | grep -E '^/usr/(bin/|lib/.*\.so$)'); do
    [ ! -L "$debian$file" ] || continue
    loaded=$(inside ldd "$file" 2>&1 | awk '/=>/ { print $1 }')
    printf '%s (%s bytes): %s\n' "$file" "$(stat -c %s "$debian$file")" "$(file -b "$debian$file" | cut -d, -f1-4)"
    if [ -n "$loaded" ]; then printf '  %s\n' "$(xargs <<<"$loaded")"; fi
    others='^(linux-vdso|libc|libm|libgcc_s|ld-linux-x86-64)\.so'
    case $file in *.so) others='^(linux-vdso|libc|libm|libgcc_s|libstdc\+\+|libsqlite3|ld-linux-x86-64)\.so' ;; esac
    case $file in */pam_atrest.so) others='^(linux-vdso|libc|libpam|libaudit|libcap-ng|ld-linux-x86-64)\.so' ;; esac
    if grep -vE "$others" <<<"$loaded" | grep .; then fail "$file loads what it should not"; fi
  done
done

# It would otherwise take the place of the same symbols of the program that loads it.
exported=$(nm -D --defined-only "$debian/usr/lib/atrest/libatrest_vfs.so" | awk '$2 ~ /[A-Z]/ { print $3 }')
[ "$exported" = sqlite3_atrestvfs_init ] || fail "the extension exports $(wc -l <<<"$exported") symbols"

say "A folder with only libc and libgcc"
mkdir -p "$work/bare"/{proc,lib64,tmp/home,usr/bin} "$work/bare/lib/x86_64-linux-gnu"
cp -L "$debian/lib64/ld-linux-x86-64.so.2" "$work/bare/lib64"
cp -L "$debian/lib/x86_64-linux-gnu"/{libc.so.6,libm.so.6,libgcc_s.so.1} "$work/bare/lib/x86_64-linux-gnu"
cp "$debian"/usr/bin/atrest{,-agent,-audit,-keyserver} "$work/bare/usr/bin"
mount -t proc proc "$work/bare/proc"
bare() { env -i HOME=/tmp/home PATH="$PATH" chroot "$work/bare" "$@"; }
for program in atrest atrest-agent atrest-audit atrest-keyserver; do
  printf '%s %s\n' "$program" "$(bare "/usr/bin/$program" --version)"
done
printf 'copper kettle 7 wrens' >"$work/bare/tmp/passcode"
bare /usr/bin/atrest init --passcode-file /tmp/passcode
printf s3cr3t | bare /usr/bin/atrest add --service mail --account eva --passcode-file /tmp/passcode
[ "$(bare /usr/bin/atrest get --service mail --account eva --passcode-file /tmp/passcode)" = s3cr3t ]
umount "$work/bare/proc"

say "atrest"
as_eva 'mkdir -m 700 run; printf "copper kettle 7 wrens" >passcode; atrest init --passcode-file passcode'
as_eva 'printf "s3cr3t" | atrest add --service mail --account eva --passcode-file passcode'
as_eva '[ "$(atrest get --service mail --account eva --passcode-file passcode)" = s3cr3t ]'
as_eva 'echo text >notes.txt; atrest protect --remove notes.txt --passcode-file passcode
  atrest unprotect --passcode-file passcode notes.txt.protected; grep -q text notes.txt'
as_eva 'atrest database shell --item notes --new --passcode-file passcode notes.db "CREATE TABLE t AS SELECT 7 AS a"
  [ "$(atrest database shell --item notes --passcode-file passcode notes.db "SELECT a FROM t")" = 7 ]'
as_eva 'if atrest-askpass "Is this a question" </dev/null; then exit 1; else [ $? = 3 ]; fi; ls /usr/share/bash-completion/completions/atrest >/dev/null'

# The programs have no data of other languages, and do not look for any.
as_eva 'LANG=C.UTF-8 atrest status --json >plain; for language in de_DE tr_TR.UTF-8 ja_JP.UTF-8 zh_Hant_TW xx; do
  LANG=$language LC_ALL=$language LANGUAGE=$language TZ=Asia/Tokyo atrest status --json >other; cmp plain other; done'

# Without a TPM the program says so.
as_eva 'if ATREST_STORE=~/tpm/store ATREST_DEVICE=~/tpm/device atrest init --device-root tpm --passcode-file passcode 2>err; then exit 1; fi; grep TPM err'

say "atrest-agent"
as_eva 'atrest agent start --idle 60; atrest unlock --passcode-file passcode; atrest status | grep -i agent'
as_eva 'atrest grant add --program /usr/bin/env --group mail --passcode-file passcode; atrest grant list | grep env; atrest lock'
as_eva 'atrest status | grep "Agent: *locked"; atrest agent stop'

say "Unlock at login"
inside env DEBIAN_FRONTEND=noninteractive pam-auth-update --enable atrest
inside useradd --create-home bob
inside chpasswd <<<'eva:copper kettle 7 wrens'
# su is not asked for a password by root.
log_in() { printf '%s\n' "$1" | chroot --userspec=bob "$debian" env -i PATH=/usr/bin:/bin su - eva -c 'atrest status'; }
log_in 'copper kettle 7 wrens' | grep 'Agent: *unlocked'
as_eva 'unset XDG_RUNTIME_DIR; atrest agent stop'
if log_in 'another password'; then fail "a wrong password logs in"; fi

say "atrest-audit"
as_eva "mkdir app; cat >app/Login.swift" <<'SWIFT'
import Foundation
func logIn(password: String) { UserDefaults.standard.set(password, forKey: "last") }
SWIFT
as_eva 'if atrest audit app >report; then exit 1; else [ $? = 1 ]; fi; grep userdefaults-sensitive report'

say "atrest-keyserver"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$debian/home/eva/key.pem" \
  -out "$debian/home/eva/chain.pem" -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
inside chown eva /home/eva/key.pem /home/eva/chain.pem
as_eva 'atrest-keyserver key create server-key
  atrest-keyserver account create eva --embedded keys.db --server-key server-key | grep .'
: >"$work/log"
as_eva 'echo $$ >pid; exec atrest-keyserver serve --port 0 --embedded keys.db --server-key server-key --certificate chain.pem \
  --private-key key.pem --log-format json' 2>"$work/log" &
for _ in $(seq 300); do
  port=$(sed -n 's/.*"port":"\([0-9]*\)".*/\1/p' "$work/log" | head -1)
  [ -z "$port" ] || break
  sleep 0.1
done
[ -n "$port" ] || fail "the server does not start: $(cat "$work/log")"
curl -sS --noproxy '*' --cacert "$debian/home/eva/chain.pem" "https://localhost:$port/health" | grep ok
kill "$(cat "$debian/home/eva/pid")"
wait
# Without PostgreSQL's library the server says what is missing.
as_eva 'if atrest-keyserver account list --database host=/nowhere --server-key server-key 2>err; then exit 1; fi; grep libpq5 err'

say "git, and SQLite's extension"
# The only packages that are fetched.
cp /etc/resolv.conf "$debian/etc/resolv.conf"
inside sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends git sqlite3 >/dev/null 2>&1'
as_eva 'atrest agent start --idle 60; atrest unlock --passcode-file passcode
  git config --global credential.helper atrest; atrest grant add --for git --passcode-file passcode
  printf "protocol=https\nhost=example.org\nusername=eva\npassword=s3cr3t\n\n" | git credential approve
  printf "protocol=https\nhost=example.org\n\n" | git credential fill | grep -x password=s3cr3t'
as_eva '[ "$(echo "SELECT a FROM t;" | atrest database open --item notes --passcode-file passcode notes.db)" = 7 ]'

say "Removal"
inside sh -c 'dpkg -L atrest atrest-audit atrest-keyserver | grep -E "atrest" | sort -u' >"$work/files"
agents=$(for program in /proc/[0-9]*/exe; do
  if [ "$program" -ef "$debian/usr/bin/atrest-agent" ]; then echo "$program" | cut -d/ -f3; fi
done)
[ -n "$agents" ] || fail "no agent runs before the removal"
inside dpkg --purge atrest atrest-audit atrest-keyserver
for agent in $agents; do
  timeout 20 tail --pid "$agent" -f /dev/null || fail "an agent goes on without its program"
done
if grep -r atrest "$debian/etc/pam.d"; then fail "logins still use the module"; fi
while read -r file; do
  if [ -e "$debian$file" ] || [ -L "$debian$file" ]; then fail "$file is left"; fi
done <"$work/files"

say "The archive, in the same system"
tar -xJf "$dist/atrest-$version-x86_64-linux.tar.xz" -C "$debian/opt"
archive=$debian/opt/atrest-$version-x86_64-linux
while read -r page; do
  [ -e "$archive/$page" ] || fail "README.md in the archive links to $page, which is missing"
done < <(grep -oE '\]\([^)#h][^)#]*' "$archive/README.md" | cut -c3-)
as_eva "PATH=/opt/atrest-$version-x86_64-linux/bin:\$PATH
  [ \"\$(atrest get --service mail --account eva --passcode-file passcode)\" = s3cr3t ]
  atrest audit app >/dev/null && exit 1 || [ \$? = 1 ]"

say "The image of the auditor, and its program in a folder with nothing else"
image=oci-archive:$dist/atrest-audit-$version-oci.tar
skopeo inspect "$image" | grep -E '"(Digest|Architecture)"'
skopeo copy --quiet "$image" "dir:$work/image"
mkdir -p "$work/empty/proc" "$work/empty/work"
for layer in $(python3 -c 'import json,sys; print(*[l["digest"][7:] for l in json.load(open(sys.argv[1]))["layers"]])' \
  "$work/image/manifest.json"); do tar -xzf "$work/image/$layer" -C "$work/empty"; done
mount -t proc proc "$work/empty/proc"
cp "$debian/home/eva/app/Login.swift" "$work/empty/work"
status=0
chroot --userspec=65534:65534 "$work/empty" /usr/bin/atrest-audit scan /work >"$work/report" || status=$?
[ "$status" = 1 ] && grep userdefaults-sensitive "$work/report" || fail "status $status"
umount "$work/empty/proc"

if command -v swift >/dev/null; then
  say "The plugin of SwiftPM"
  tar -xzf "$dist/atrest-audit-plugin-$version.tar.gz" -C "$work"
  plugin=$work/atrest-audit-plugin-$version
  cp "$dist/atrest-audit.artifactbundle.zip" "$plugin"
  # The file here takes the place of the one that is downloaded.
  python3 - "$plugin/Package.swift" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
text = re.sub(r'\n +url: "[^"]*",\n +checksum: "[^"]*"', 'path: "atrest-audit.artifactbundle.zip"', text)
open(sys.argv[1], "w").write(text)
PYTHON
  mkdir -p "$work/app/Sources/App"
  cp "$debian/home/eva/app/Login.swift" "$work/app/Sources/App"
  cat >"$work/app/Package.swift" <<SWIFT
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "App", dependencies: [.package(path: "$plugin")], targets: [.target(name: "App")])
SWIFT
  status=0
  swift package --package-path "$work/app" atrest-audit >"$work/report" 2>&1 || status=$?
  [ "$status" != 0 ] && grep userdefaults-sensitive "$work/report" || { cat "$work/report"; fail "status $status"; }
fi
say "Everything is as it should be"
