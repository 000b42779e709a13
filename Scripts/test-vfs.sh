#!/usr/bin/env bash
# Runs the VFS of encrypted databases, which is in C, under AddressSanitizer and UndefinedBehaviorSanitizer: threads,
# processes that die in a transaction, damaged files, and an index of the log that somebody overwrites.
#
#     Scripts/test-vfs.sh [ROUNDS [SEED]]     60 rounds take about half a minute
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-60}
seed=${2:-$RANDOM}
sources=Sources/CAtRestDatabase
# The compiler of the Swift toolchain, or another one, if it has the libraries of the sanitizers.
tools="$(dirname "$(readlink -f "$(command -v swift)")")"
compiler=
for candidate in "$tools/clang -fuse-ld=lld" "$tools/clang" "clang" "gcc -D_Nonnull= -D_Nullable="; do
  if echo 'int main(void) { return 0; }' | $candidate -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null; then
    compiler=$candidate
    break
  fi
done
[ -n "$compiler" ] || { echo "test-vfs: no compiler has the sanitizers; install libclang-rt-dev" >&2; exit 1; }
mkdir -p .build/vfs-harness
folder=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/atrest-vfs.XXXXXX")
trap 'rm -rf "$folder"' EXIT
$compiler -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all \
  -I Tests/vfs-harness -I "$sources/include" -I "$sources" \
  Tests/vfs-harness/*.c "$sources"/*.c -lsqlite3 -lpthread -o .build/vfs-harness/vfs-harness
echo "vfs-harness: seed $seed, $rounds rounds"
.build/vfs-harness/vfs-harness "$folder" "$seed" "$rounds"
