#!/usr/bin/env bash
# Makes the files of a release in dist, from a checkout without changes. RELEASING.md describes them.
#
#   ATREST_RELEASE_KEY  an OpenSSH key, which signs the checksums
#   ATREST_RELEASE_URL  the address from which the files will be downloaded, for the plugin of SwiftPM
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD work=$PWD/.build-release dist=$PWD/dist scripts=$PWD/Scripts/release
if [ -n "$(git status --porcelain)" ]; then
  echo "The checkout has changes, which no release has. Commit them, or put them aside with git stash." >&2
  exit 1
fi
umask 022
# Every time in every file is that of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC

# The programs carry these libraries, because other systems have other versions.
mkdir -p "$work/carried" "$work/maps"
for library in libsqlite3.a libstdc++.a; do
  ln -sf "$(clang -print-file-name=$library)" "$work/carried/$library"
done
cp "$scripts/exports" "$work/carried"
"$scripts/icu.py" "$work/carried/icudata.o"
export ATREST_CARRIED_LIBRARIES=$work/carried

# The versions of the dependencies are fixed, and no file names the folder of the build.
for package in . Agent Audit KeyServer; do cp "$scripts/Package.resolved" "$package/Package.resolved"; done
options="--static-swift-stdlib --disable-local-rpath -debug-info-format none --only-use-versions-from-resolved-file"
options+=" -Xswiftc -file-prefix-map -Xswiftc $root=/atrest -Xcc -ffile-prefix-map=$root=/atrest"

rm -rf "$dist" "$work/stage"
mkdir "$dist"
rows() { grep -v '^#' "$scripts/programs"; }
while read -r name package scratch _; do
  make -C "$package" install PREFIX=/usr DESTDIR="$work/stage/$name" SCRATCH="$work/$scratch" \
    MAPS="$work/maps" BUILD_OPTIONS="$options" RELEASE_COMMIT="$(git rev-parse HEAD)" \
    INSTALL_PROGRAM="install -s --strip-program=$scripts/strip.sh -m 755" </dev/null
done < <(rows)

version=$("$work/stage/atrest/usr/bin/atrest" --version)
while read -r name _ _ programs; do
  for program in $programs; do
    other=$("$work/stage/$name/usr/bin/$program" --version)
    [ "$other" = "$version" ] || { echo "$program has the version $other, and atrest $version." >&2; exit 1; }
  done
  "$scripts/debian.sh" "$name" "$version" "$work/stage/$name" "$dist"
done < <(rows)
"$scripts/archives.py" "$work/stage" "$version" "$dist"
"$scripts/sbom.py" "$work" "$version" "$dist/atrest-$version.cdx.json"

cd "$dist"
sha256sum -- * >SHA256SUMS
if [ -n "${ATREST_RELEASE_KEY:-}" ]; then
  ssh-keygen -q -Y sign -n atrest-release -f "$ATREST_RELEASE_KEY" SHA256SUMS
  # The public half is beside a key that is locked or in an agent.
  public=$(cat "$ATREST_RELEASE_KEY.pub" 2>/dev/null || ssh-keygen -y -f "$ATREST_RELEASE_KEY")
  echo "release $(cut -d' ' -f1,2 <<<"$public")" >allowed_signers
else
  echo "SHA256SUMS is not signed: set ATREST_RELEASE_KEY to an OpenSSH key." >&2
fi
ls -l
