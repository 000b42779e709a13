#!/bin/sh
# Checks words and sizes, prints FILE:LINE for each problem, and fails if it finds any:
#
#   - "room", "house", "floor" and "door" in the text of the product, where the word is "module"
#   - files of code with more than 500 lines
#   - a README with more than 160 lines
#   - a public init without a doc comment
#   - a doc comment that begins with "What", "Whether" or "Who"
set -eu
cd "$(dirname "$0")/.."

# Only files that git knows, or would add, are checked.
files() {
  git ls-files --cached --others --exclude-standard -- "$@" | sort -u |
    while IFS= read -r file; do if [ -e "$file" ]; then echo "$file"; fi; done
}

problems=$(mktemp)
trap 'rm -f "$problems"' EXIT

# Phrases in which these words mean no module, and files that list words of English.
allowed='make room|makes room|made room|more room|much room|room for|no room|enough room|take room'
allowed="$allowed|takes room|with room|its room|saves room|has room|had room|headroom"
lists='PassphraseWords\.swift|PassphrasePhrases\.swift'

# Only comments and string literals of Swift are text; in other files every line is.
files Sources Audit/Sources Agent/Sources KeyServer/Sources docs README.md Man Audit/Man KeyServer/Man | grep -vE "($lists)$" |
  tr '\n' '\0' | xargs -0 awk -v allowed="$allowed" '
    function text(line, result, rest) {
      result = ""
      gsub(/\\\([^)]*\)/, "", line)
      rest = line
      while (match(rest, /"[^"]*"/)) {
        result = result " " substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
      }
      if (match(line, /\/\/.*/)) result = result " " substr(line, RSTART)
      return result
    }
    /[Rr]oom|[Hh]ouse|[Ff]loor|[Dd]oor/ {
      line = tolower(FILENAME ~ /\.swift$/ ? text($0) : $0)
      gsub(allowed, "", line)
      if (line ~ /(^|[^a-z0-9_])(room|house|floor|door)s?([^a-z0-9_]|$)/)
        print FILENAME ":" FNR ": \"room\", \"house\", \"floor\" or \"door\": write module, or another word"
    }' >>"$problems"

files 'Sources/*.swift' 'Audit/Sources/*.swift' 'Tests/*.swift' 'Audit/Tests/*.swift' \
  'Sources/*.[ch]' 'Audit/Sources/*.[ch]' 'Agent/Sources/*.swift' 'Agent/Sources/*.[ch]' 'Agent/Tests/*.swift' 'KeyServer/Sources/*.swift' 'KeyServer/Tests/*.swift' 'Tests/*.[ch]' 'Audit/Tests/*.[ch]' README.md |
  tr '\n' '\0' | xargs -0 awk '
    { limit = FILENAME == "README.md" ? 160 : 500 }
    FNR == limit + 1 { print FILENAME ":" FNR ": the limit is " limit " lines" }' >>"$problems"

files 'Sources/*.swift' 'Audit/Sources/*.swift' 'Agent/Sources/*.swift' 'KeyServer/Sources/*.swift' | tr '\n' '\0' | xargs -0 awk '
  FNR == 1 { above = "" }
  /^ *(@[A-Za-z]+(\([^)]*\))? +)*public +((convenience|required|nonisolated) +)*init[?!<(]/ &&
    above !~ /^ *(\/\/\/|@)/ {
    print FILENAME ":" FNR ": a public init without a doc comment"
  }
  /^ *\/\/\/ (What|Whether|Who) / && above !~ /^ *\/\/\// {
    print FILENAME ":" FNR ": a doc comment that begins with What, Whether or Who"
  }
  { above = $0 }' >>"$problems"

if [ -s "$problems" ]; then
  cat "$problems"
  exit 1
fi
echo "Words and sizes: no problems"
