#!/bin/sh
# Checks that the claims of the documentation name tests that exist, prints FILE:LINE for each
# problem, and fails if it finds any:
#
#   - a name in backquotes that ends in "Tests", and is neither a suite of tests nor a folder of them
#   - a row of a table in SECURITY.md whose last column names no suite
#
# With files as arguments, it checks these, and requires tests in the rows of all of them.
set -eu
cd "$(dirname "$0")/.."

problems=$(mktemp)
trap 'rm -f "$problems"' EXIT

# A suite is a file of its name that declares it and has a test. A folder stands for all of its tests.
exists() {
  for file in $(find Tests Agent/Tests KeyServer/Tests Audit/Tests -name "$1.swift" -o -name "$1" -type d); do
    if [ -d "$file" ]; then return 0; fi
    if grep -Eq "(struct|class|enum|actor) $1( |:|\$)" "$file" && grep -q "@Test" "$file"; then return 0; fi
  done
  return 1
}

tables=SECURITY.md
files="SECURITY.md README.md $(git ls-files --cached --others --exclude-standard -- 'docs/*.md' | sort -u)"
if [ $# -gt 0 ]; then
  tables="$*"
  files="$*"
fi

for file in $files; do
  [ -e "$file" ] || continue
  for suite in $(grep -oE '`[A-Za-z0-9]+Tests`' "$file" | tr -d '\140' | sort -u); do
    exists "$suite" ||
      grep -nF "\`$suite\`" "$file" | sed "s|^\([0-9]*\):.*|$file:\1: there is no suite $suite|" >>"$problems"
  done
done

# A row that is followed by a line of dashes is the head of a table.
for file in $tables; do
  awk -v file="$file" '
    function judge(count, cells) {
      if (row == "") return
      count = split(row, cells, "|")
      if (cells[count - 1] !~ /`[A-Za-z0-9]+Tests`/) print file ":" line ": the last column names no suite"
    }
    /^\|[-: |]+\|$/ { row = ""; next }
    { judge(); row = "" }
    /^\|/ { row = $0; line = NR }
    END { judge() }' "$file" >>"$problems"
done

if [ -s "$problems" ]; then
  cat "$problems"
  exit 1
fi
echo "Claims: every test that is named exists"
