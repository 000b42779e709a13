#!/usr/bin/env bash
# Checks the model of counting with spin. Each case has to end as it says: it holds in every order of the steps, or
# the checker finds the fault that the case has. docs/KeyServerModel.md explains them.
#
# Usage: KeyServer/Model/check.sh [long], where long adds the cases that take minutes and up to 8 GiB of memory.
set -euo pipefail
cd "$(dirname "$0")"
long=${1:-}
compiler=${CC:-cc}
command -v spin >/dev/null && command -v "$compiler" >/dev/null || {
  echo "SKIPPED: the model of counting needs spin and a C compiler: apt-get install spin gcc" >&2
  exit 0
}
model=$PWD/counting.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# check EXPECTED TITLE [-DNAME=VALUE…]: EXPECTED is `holds` or `fails`. With BREADTH=1, the shortest way is found.
check() {
  local expected=$1 title=$2 start=$SECONDS found states
  shift 2
  cp "$model" counting.pml
  spin "$@" -a counting.pml >spin.log 2>&1 || { cat spin.log >&2; exit 1; }
  "$compiler" -w -O2 -DSAFETY -DCOLLAPSE ${BREADTH:+-DBFS} -o pan pan.c
  ./pan -m1000000 -w25 >log 2>&1 || { cat log >&2; exit 1; }
  if grep -q 'errors: 0$' log; then
    found=holds
  elif grep -q 'assertion violated' log; then
    found=fails
  else
    found=unknown
  fi
  # A search that was cut off has shown nothing.
  if grep -qE 'max search depth too small|out of memory|Search not completed' log && [ $found = holds ]; then
    found=unknown
  fi
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' log | head -1)
  printf '%-6s %s (%s states, %s s)\n' "$found" "$title" "$states" $((SECONDS - start))
  [ "$found" = "$expected" ] || {
    echo "       it should be: $expected" >&2
    grep -E '^pan:|errors:' log >&2
    failures=$((failures + 1))
  }
}

free_try=-DPROPERTY=1 wrong=-DPROPERTY=2 lost=-DPROPERTY=4
guesses='-DPROOFS=0'

echo "One standby, which must have a commit before it is answered"
check holds "guesses, with a kill of a server and of the primary" $guesses -DCRASHES=1
if [ "$long" = long ]; then
  check holds "guesses, with a kill of each server and of the primary" $guesses
  check holds "the same, and the former primary goes on beside the new one" $guesses -DFENCED=0 -DCRASHES=1
  check holds "two accounts in one transaction" $guesses -DOTHER=1 -DLIMIT=1 -DTRANSACTIONS=1 -DCRASHES=1
  check holds "right passphrases, with a kill of the primary" -DCRASHES=0
  check holds "right passphrases, with a kill of each server and of the primary"
  check holds "the wait for the standby is cancelled" $guesses -DCANCELLED=1 -DCRASHES=1
fi

echo "Two standbys"
check holds "ANY 1: the former primary is stopped, and the standby that has more is promoted" \
  $guesses -DNODES=3 -DNEWEST=1 -DCRASHES=0
if [ "$long" = long ]; then
  check holds "ANY 2: either of them is promoted, and the former primary goes on" \
    $guesses -DNODES=3 -DSYNC=2 -DFENCED=0 -DCRASHES=0
fi

echo "Controls"
check fails "a free try: evaluated before the commit" $free_try -DEVALUATES_FIRST=1
check fails "a free try: asynchronous replication" $free_try -DSYNC=0
BREADTH=1 check fails "a lost key: asynchronous replication" $lost -DSYNC=0
check fails "a free try: the wait for the standby is cancelled, and the server does not heed it" \
  $free_try -DCANCELLED=1 -DHEEDS=0
check fails "a free try: ANY 1 of two standbys, and the one that has less is promoted" \
  $free_try $guesses -DNODES=3 -DCRASHES=0
check fails "a free try: ANY 1 of two standbys, and the former primary goes on with one of them" \
  $free_try $guesses -DNODES=3 -DNEWEST=1 -DFENCED=0 -DCRASHES=0
if [ "$long" = long ]; then
  check fails "a wrong \"wrong\": a proof forgets other attempts" $wrong -DFORGETS=1
  check fails "a wrong \"wrong\": asynchronous replication" $wrong -DSYNC=0 -DCRASHES=0
fi

[ $failures = 0 ]
