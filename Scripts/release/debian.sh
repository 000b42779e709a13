#!/usr/bin/env bash
# Makes a Debian package of a folder that `make install` filled.
# Usage: debian.sh NAME VERSION FOLDER TARGET
set -euo pipefail
name=$1 version=$2 folder=$3 target=$4
scripts=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -a "$folder" "$work/root"
cd "$work/root"

documents=usr/share/doc/$name
install -d "$documents" DEBIAN
install -m 644 "$scripts/debian/copyright" "$documents/copyright"
# The module for logins. Only a package can put it and its profile for pam-auth-update where PAM looks for them.
if [ "$name" = atrest ]; then make -C "$scripts/../../Agent" install-pam PREFIX=/usr DESTDIR="$PWD" >/dev/null; fi
for part in preinst postinst prerm postrm; do
  [ ! -e "$scripts/debian/$name.$part" ] || install -m 755 "$scripts/debian/$name.$part" "DEBIAN/$part"
done
if [ -e "$scripts/debian/$name.overrides" ]; then
  install -D -m 644 "$scripts/debian/$name.overrides" "usr/share/lintian/overrides/$name"
fi
printf '%s (%s) stable; urgency=medium\n\n  * See CHANGELOG.md of this version.\n\n -- %s  %s\n' "$name" "$version" \
  "$(sed -n 's/^Maintainer: //p' "$scripts/debian/$name.control")" "$(date -uRd "@$SOURCE_DATE_EPOCH")" \
  >"$documents/changelog"
find usr/share/man "$documents/changelog" -type f -exec gzip -9n {} +
find usr/share/man -type l | while read -r link; do ln -s "$(readlink "$link").gz" "$link.gz" && rm "$link"; done
# Debian's place for units of the system.
if [ -d usr/lib/systemd/system ]; then
  install -d lib/systemd && mv usr/lib/systemd/system lib/systemd/system
  rmdir --ignore-fail-on-non-empty -p usr/lib/systemd
fi

# Which packages have the libraries that the programs load. SQLite's extension needs only what the sqlite3 that loads it
# needs too.
mkdir -p "$work/source/debian" && touch "$work/source/debian/control"
mapfile -t files < <(find usr/bin -type f |
  while read -r file; do if readelf -d "$file" 2>/dev/null | grep -q NEEDED; then realpath "$file"; fi; done)
depends=
if [ ${#files[@]} -gt 0 ]; then
  depends=$(cd "$work/source" && dpkg-shlibdeps -O "${files[@]}" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
fi
{
  sed "s/@VERSION@/$version/" "$scripts/debian/$name.control" | sed '/^Description:/,$d'
  [ -z "$depends" ] || echo "Depends: $depends"
  echo "Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN . | cut -f1)"
  sed -n '/^Description:/,$p' "$scripts/debian/$name.control"
} >DEBIAN/control
find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum >DEBIAN/md5sums
if [ -d etc ]; then find etc -type f -printf '/%p\n' | LC_ALL=C sort >DEBIAN/conffiles; fi
find . -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build . "$target/${name}_${version}_amd64.deb" >/dev/null
