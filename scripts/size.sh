#!/usr/bin/env bash
# Prints the size of the product's C++ and its doors; with --check, fails where a bound is passed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/size.sh [--check [FOLDER]]

  files, lines   of messages/, actors/, transport/ and apps/, C++ only
  one reader     headers that exactly one other unit (header and source) includes
  scaffold       lines that are an include, a pragma or a namespace
  functions      lines of a function's definition: median, 90th and 99th percentile, maximum

--check compares them with the bounds of CONTRIBUTING.md. FOLDER: another tree. TROUPE_SIZE_BOUNDS: other
bounds, nine numbers in the order of the script.
TEXT
}

check=0
case ${1:-} in
--check) check=1 && shift ;;
-h | --help) usage && exit 0 ;;
esac
cd -- "${1:-.}"

# The layout is clang-format's, so a function begins where its first line does, and ends at the first
# line with as much indentation and a "}".
# shellcheck disable=SC2016 # awk's own fields
measure='
function unit(path) { sub(/\.[ch]pp$/, "", path); return path }
FNR == 1 { ++files; open = begun = 0; if (FILENAME ~ /\.hpp$/) header[FILENAME] = 1; length_of[FILENAME] = 0 }
{ ++lines; ++length_of[FILENAME] }
/^ *#(include|pragma)|^ *namespace |^ *\} *\/\/ namespace/ { ++scaffold }
/^ *#include "/ {
  split($0, part, "\""); from = unit(FILENAME)
  if (unit(part[2]) != from && !((part[2], from) in seen)) { seen[part[2], from] = 1; ++readers[part[2]] }
}
!open { text = $0; opened = gsub(/\(/, "", text); closed = gsub(/\)/, "", text); match($0, /^ */) }
!open && opened > closed && !begun { begun = FNR; indent = substr($0, 1, RLENGTH) }
!open && /\) *(const|noexcept|override|final|->.*| )*\{.*\}$/ && !/(^| )(if|for|while|switch|return) / { print 1 > sizes }
!open && /\).*\{$/ && !/(^|[ ,(])(namespace|struct|class|enum|union|if|for|while|switch|else|do|try|return) / && !/(= *|[(,] *)\{$|\] *(\([^)]*\))? *\{$/ {
  members = /^ *: / ? 1 : 0 # of a constructor, below its signature
  if (!begun) { begun = FNR - members; indent = substr($0, 1, RLENGTH - 4 * members) }
  open = begun; closing = indent "}"
}
!open && /[;{}]$/ { begun = 0 }
open && ($0 == closing || index($0, closing ";") == 1) {
  print FNR - open + 1 > sizes
  if (FNR - open + 1 > most_function) print "a function of " FNR - open + 1 " lines: " FILENAME ":" open > long
  open = begun = 0
}
END {
  for (h in header) { ++headers; if (readers[h] == 1) ++single }
  for (f in length_of) {
    if (length_of[f] > (f ~ /\.hpp$/ ? most_header : most_source)) print length_of[f] " lines: " f > long
    size[unit(f)] += length_of[f]
  }
  for (u in size) if (size[u] > most_unit) print size[u] " lines, header and source: " u > long
  printf "%d %d %d %d %.1f %.1f\n", files, headers, lines, single, 100 * single / (headers ? headers : 1), 100 * scaffold / lines
}'

read -r most_files most_lines most_share most_scaffold most_p99 most_header most_source most_unit most_function \
  <<<"${TROUPE_SIZE_BOUNDS:-1350 130000 34 10 30 200 400 500 40}"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mapfile -t sources < <(find . \( -name node_modules -o -path ./build -o -path ./.git \) -prune -o -regex '\./\(messages\|actors\|transport\|apps\)/.*\.[ch]pp' -print | sed 's|^\./||' | sort)
: >"$work/sizes" && : >"$work/long"
read -r files headers lines single share scaffold < <(awk -v sizes="$work/sizes" -v long="$work/long" \
  -v most_header="$most_header" -v most_source="$most_source" -v most_unit="$most_unit" \
  -v most_function="$most_function" "$measure" "${sources[@]}")
read -r functions median p90 p99 longest < <(sort -n "$work/sizes" | awk '{ n[NR] = $1 }
  function at(part) { return n[NR * part < 1 ? 1 : int(NR * part)] }
  END { print NR, at(0.5), at(0.9), at(0.99), n[NR] }')
printf '%s files (%s headers), %s lines\n' "$files" "$headers" "$lines"
printf 'headers with one reader: %s (%s %%)\nscaffold: %s %%\n' "$single" "$share" "$scaffold"
printf 'functions: %s, lines: median %s, p90 %s, p99 %s, max %s\n' \
  "$functions" "$median" "$p90" "$p99" "$longest"
((check)) || exit 0

passed=$(wc -l <"$work/long")
sort -rn -- "$work/long"

# bound NAME VALUE MOST: complains where the value is above.
bound() {
  if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > b) }'; then
    printf '%s: %s, at most %s\n' "$@"
    passed=$((passed + 1))
  fi
}

bound files "$files" "$most_files"
bound lines "$lines" "$most_lines"
bound "headers with one reader, per cent" "$share" "$most_share"
bound "scaffold, per cent" "$scaffold" "$most_scaffold"
bound "lines of a function, 99th percentile" "$p99" "$most_p99"
((passed == 0)) || {
  printf '%s bounds are passed: see "Size" in CONTRIBUTING.md\n' "$passed"
  exit 1
}
