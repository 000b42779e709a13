# The steps of a demonstration, for demo.sh and demo-keyserver.sh, which read this file. They run in the
# folder in which the output of a step is kept.
bold=''; plain=''
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
title() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
note() { printf '   %s\n' "$*"; }
fail() {
  failures=$((failures + 1))
  printf '   UNEXPECTED: %s\n' "$*"
}

# step EXPECTED-EXIT-CODE COMMAND: prints and runs a command, and keeps its output in "out".
step() {
  local expected=$1 code
  shift
  steps=$((steps + 1))
  printf '\n$ %s\n' "$1"
  bash -o pipefail -c "$1" >out 2>err </dev/null
  code=$?
  sed 's/^/   /' out err
  if [ -s out ] && [ -n "$(tail -c1 out)" ]; then echo; fi
  if [ "$code" -eq "$expected" ]; then
    [ "$code" -eq 0 ] || note "(exit code $code, as expected)"
  else
    fail "exit code $code instead of $expected"
  fi
}
