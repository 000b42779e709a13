#!/usr/bin/env bash
# Publishes the package KeyServer as a repository of its own, because SwiftPM fetches no package from a subfolder.
# The history of the folder is kept; one commit names AtRest by its address.
#
# Usage: Scripts/publish-keyserver.sh ATREST_URL VERSION TARGET, where TARGET is the repository to push to, with the
# branch main and the tag VERSION. AtRest has to have the tag VERSION too.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 3 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,6p' >&2; exit 2; }
url=$1 version=$2 target=$3
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "$version is no version such as 0.1.0." >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --no-local . "$work/clone"
cd "$work/clone"
git subtree split --prefix=KeyServer --branch=keyserver >/dev/null 2>"$work/log" ||
  { cat "$work/log" >&2; exit 1; }
git checkout --quiet keyserver
line='    .package(name: "AtRest", path: ".."),'
grep -qxF "$line" Package.swift || { echo "Package.swift does not name AtRest as expected." >&2; exit 1; }
sed -i "s|^$line\$|    .package(url: \"$url\", exact: \"$version\"),|" Package.swift
# The scripts find the package by its folder; nothing else refers to the root.
git -c user.name="AtRest" -c user.email="release@atrest.invalid" commit --quiet --all \
  --message "package: use AtRest $version"
git tag "$version"
git push --quiet "$target" "keyserver:main" "$version"
echo "Published $(git rev-parse --short HEAD) as $version at $target"
