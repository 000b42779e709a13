#!/usr/bin/env bash
# Publishes the key server's package to a repository on disk, and lets a program depend on its client.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --bare --no-local . "$work/AtRest.git"
git -C "$work/AtRest.git" tag 0.0.1 HEAD
git init --quiet --bare "$work/KeyServer.git"
Scripts/publish-keyserver.sh "file://$work/AtRest.git" 0.0.1 "$work/KeyServer.git"

mkdir -p "$work/program/Sources/program"
cat >"$work/program/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "program",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "file://$work/KeyServer.git", from: "0.0.1")],
  targets: [
    .executableTarget(
      name: "program",
      dependencies: [.product(name: "AtRestKeyServerClient", package: "KeyServer")])
  ])
EOF
echo 'import AtRestKeyServerClient; print(KeyServerClient.self)' >"$work/program/Sources/program/main.swift"
cd "$work/program"
swift build --quiet
[ "$(.build/debug/program)" = KeyServerClient ]
echo "A program depends on the client, and runs"
