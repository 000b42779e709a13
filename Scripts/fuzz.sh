#!/usr/bin/env bash
# Fuzzes each parser in turn, and fails if one crashes, hangs, requests more than 256 MiB at once, or refuses
# with anything but an AtRestError. The auditor's parsers must not refuse anything. See CONTRIBUTING.md,
# *Fuzz a parser*.
#
#   FUZZ_PRODUCT   the parsers: atrest-fuzz (those of the libraries, the default), agent-fuzz, container-fuzz,
#                  audit-fuzz or keyserver-fuzz
#   FUZZ_SECONDS   the time for each target in seconds (600)
#   FUZZ_TARGETS   the names of the targets (all)
#
# With the argument "corpora" it runs nothing. It adds inputs that were found and reach more code to the corpora
# in the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

product="${FUZZ_PRODUCT:-atrest-fuzz}"
case "$product" in
atrest-fuzz) package=. ;;
agent-fuzz) package=Agent ;;
keyserver-fuzz) package=KeyServer ;;
*) package=Audit ;;
esac
# The agent shares the modules of the libraries.
case "$package" in
Agent) build=.build-fuzz ;;
*) build="$package/.build-fuzz" ;;
esac
corpora="$package/Tests/FuzzCorpora"
export ATREST_FUZZ=1
build() { swift build -c release --package-path "$package" --scratch-path "$build" "$@"; }
build --product "$product"
fuzz="$(build --show-bin-path)/$product"

# Fuzzed files are in memory if possible, because each input is flushed several times.
if [ -d /dev/shm ]; then TMPDIR=/dev/shm; fi
TMPDIR="$(mktemp -d "${TMPDIR:-/tmp}/atrest-fuzz.XXXXXX")"
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# The driver has handlers of its own, which save the input.
export ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no
findings="$build/findings"
mkdir -p "$findings"

failed=""
for target in ${FUZZ_TARGETS:-$("$fuzz" --targets)}; do
  export ATREST_FUZZ_TARGET="$target"
  found="$build/corpora/$target"
  mkdir -p "$found" "$corpora/$target"
  limits=(-max_len=8192 -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=2048)
  if [ "${1:-}" = corpora ]; then
    case "$product" in atrest-fuzz | keyserver-fuzz) "$fuzz" --seeds "$found" ;; esac
    "$fuzz" -set_cover_merge=1 "${limits[@]}" "$corpora/$target" "$found"
    continue
  fi
  echo "== $target"
  "$fuzz" "${limits[@]}" -max_total_time="${FUZZ_SECONDS:-600}" -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$findings/$target-" "$found" "$corpora/$target" \
    >"$build/$target.log" 2>&1 || failed="$failed $target"
  grep -E 'DONE|stat::(number_of|average_exec)|SUMMARY|Fatal error|Test unit written' \
    "$build/$target.log" || true
done

if [ -n "$failed" ]; then
  echo "Findings in$failed: the inputs are in $findings, the logs in $build." >&2
  exit 1
fi
