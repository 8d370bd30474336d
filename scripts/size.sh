#!/usr/bin/env bash
# Prints the size of the product's C++ and its doors; with --check, fails where a bound is passed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/size.sh [--check] [FOLDER]

  files, lines   of messages/, actors/, transport/ and apps/, C++ only
  one reader     headers that exactly one other unit (header and source) includes
  scaffold       lines that are an include, a pragma or a namespace
  functions      lines of a function's definition: median, 90th and 99th percentile, maximum

--check compares them with the bounds of CONTRIBUTING.md. FOLDER: another tree.
TEXT
}

check=0
case ${1:-} in
--check) check=1 && shift ;;
-h | --help) usage && exit 0 ;;
esac
cd -- "${1:-.}"

# The layout is clang-format's, so a function begins at a line that ends with "{" and ends at the
# first line with as much indentation and a "}".
# shellcheck disable=SC2016 # awk's own fields
measure='
function unit(path) { sub(/\.[ch]pp$/, "", path); return path }
FNR == 1 { ++files; open = 0; begun = 0; if (FILENAME ~ /\.hpp$/) header[FILENAME] = 1; length_of[FILENAME] = 0 }
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
  if (!begun) { begun = FNR; indent = substr($0, 1, RLENGTH) }
  open = begun; closing = indent "}"
}
!open && /[;{}]$/ { begun = 0 }
open && ($0 == closing || index($0, closing ";") == 1) {
  print FNR - open + 1 > sizes; if (FNR - open + 1 > 40) print "function of " FNR - open + 1 " lines: " FILENAME ":" open > long
  open = 0; begun = 0
}
END {
  for (h in header) { ++headers; if (readers[h] == 1) ++single }
  for (f in length_of) {
    if (length_of[f] > (f ~ /\.hpp$/ ? 200 : 400)) print length_of[f] " lines: " f > long
    size[unit(f)] += length_of[f]
  }
  for (u in size) if (size[u] > 500) print size[u] " lines, header and source: " u > long
  printf "%d %d %d %d %.1f %.1f\n", files, headers, lines, single, 100 * single / headers, 100 * scaffold / lines
}'

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mapfile -t sources < <(find messages actors transport apps -name '*.[ch]pp' -not -path '*/node_modules/*' | sort)
: >"$work/sizes" && : >"$work/long"
read -r files headers lines single share scaffold \
  < <(awk -v sizes="$work/sizes" -v long="$work/long" "$measure" "${sources[@]}")
read -r functions median p90 p99 longest < <(sort -n "$work/sizes" |
  awk '{ n[NR] = $1 } END { print NR, n[int((NR + 1) / 2)], n[int(NR * 0.9)], n[int(NR * 0.99)], n[NR] }')
printf '%s files (%s headers), %s lines\n' "$files" "$headers" "$lines"
printf 'headers with one reader: %s (%s %%)\nscaffold: %s %%\n' "$single" "$share" "$scaffold"
printf 'functions: %s, lines: median %s, p90 %s, p99 %s, max %s\n' \
  "$functions" "$median" "$p90" "$p99" "$longest"
sort -rn "$work/long"
if ((check)); then
  awk -v files="$files" -v lines="$lines" -v share="$share" -v scaffold="$scaffold" -v p99="$p99" 'BEGIN {
    bad = 0
    if (files > 1350) { print "more than 1350 files"; bad = 1 }
    if (lines > 130000) { print "more than 130000 lines"; bad = 1 }
    if (share > 34) { print "more than 34 % of the headers have one reader"; bad = 1 }
    if (scaffold > 9) { print "more than 9 % of the lines are scaffold"; bad = 1 }
    if (p99 > 30) { print "1 % of the functions have more than 30 lines"; bad = 1 }
    exit bad
  }'
  [ ! -s "$work/long" ] || { printf 'longer than CONTRIBUTING.md allows, see above\n' && exit 1; }
fi
