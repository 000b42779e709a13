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
mkdir -p .build/vfs-harness
folder=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/atrest-vfs.XXXXXX")
trap 'rm -rf "$folder"' EXIT
clang -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all \
  -fuse-ld=lld -I Tests/vfs-harness -I "$sources/include" -I "$sources" \
  Tests/vfs-harness/*.c "$sources"/*.c -lsqlite3 -lpthread -o .build/vfs-harness/vfs-harness
echo "vfs-harness: seed $seed, $rounds rounds"
.build/vfs-harness/vfs-harness "$folder" "$seed" "$rounds"
