#!/bin/sh
# Builds the DocC documentation of every library, with warnings as errors, into .build/docs.
#
# A parameter whose name says everything is not documented, so DocC's check of parameters is off.
set -eu
cd "$(dirname "$0")/.."

# Lower modules come first.
modules="AtRestSecrets AtRestCrypto AtRestLegacy AtRestKeybag AtRestKeychain AtRestFiles AtRestDatabase
  AtRestRedaction AtRestEnvelopes AtRestRuntime AtRest AtRestFoundation AtRestSimulation KeychainTesting Security LocalAuthentication CryptoKit"
configuration="${CONFIGURATION:-release}"
out=.build/docs
# The tools are beside the compiler, which may be a link on the path.
tools=$(dirname "$(readlink -f "$(command -v swift)")")
target=$("$tools/swiftc" -print-target-info |
  sed -n 's/^ *"triple": "\(.*\)",*$/\1/p' | head -n 1)

rm -rf "$out"
mkdir -p "$out"
# These are the flags of `make check`, so nothing is built twice. The highest modules build the others.
export ATREST_STRICT=1
for module in AtRestSecrets AtRestLegacy AtRest AtRestDatabase AtRestSimulation KeychainTesting AtRestFoundation Security LocalAuthentication CryptoKit; do
  swift build -c "$configuration" --explicit-target-dependency-import-check error \
    --target "$module" >"$out/build.log" 2>&1 || {
    cat "$out/build.log"
    exit 1
  }
done
built=$(swift build -c "$configuration" --show-bin-path)

# The C modules that the Swift modules import.
maps=""
for map in "$built/CAtRestSystem.build/module.modulemap" \
  "$built/CAtRestSQLite.build/module.modulemap" \
  "$built/CAtRestDatabase.build/module.modulemap" \
  "$built/CAtRestTPM.build/module.modulemap" \
  .build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap \
  .build/checkouts/swift-crypto/Sources/*/include/module.modulemap; do
  maps="$maps -Xcc -fmodule-map-file=$map"
done

links=""
archives=""
failed=0
for module in $modules; do
  graphs="$out/graphs/$module"
  mkdir -p "$graphs"
  # The algorithms of keys are documented with Security, which re-exports them.
  case $module in
    Security) exported=-experimental-allowed-reexported-modules=AtRestSecKey ;;
    *) exported="" ;;
  esac
  # shellcheck disable=SC2086
  "$tools/swift-symbolgraph-extract" -module-name "$module" -target "$target" \
    -I "$built/Modules" $maps $exported -minimum-access-level public -output-dir "$graphs"
  # DocC looks for a name only in its own module, so a name of a lower module gets its module's name.
  if [ -n "$links" ]; then
    for graph in "$graphs"/*.json; do
      sed -E "$links" "$graph" >"$graph.linked"
      mv "$graph.linked" "$graph"
    done
  fi
  names=$(grep -oE '"pathComponents":\["[A-Za-z]+"\]' "$graphs/$module.symbols.json" |
    sed -E 's/.*\["(.*)"\]/\1/' | sort -u | paste -sd '|' -)
  # A module that only extends other modules has no names.
  [ -z "$names" ] || links="$links;s#\`\`($names)([\`/])#\`\`/$module/\\1\\2#g"
  # shellcheck disable=SC2086
  if "$tools/docc" convert "Sources/$module/$module.docc" \
    --additional-symbol-graph-dir "$graphs" --output-path "$out/$module.doccarchive" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --enable-experimental-external-link-support $archives \
    --disable-parameters-and-returns-validation --warnings-as-errors; then
    echo "$module: documented, no warnings"
    archives="$archives --dependency $out/$module.doccarchive"
  else
    failed=1
  fi
done
exit "$failed"
