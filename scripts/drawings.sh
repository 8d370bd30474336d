#!/bin/sh
# Draws who includes whom among the rooms of each folder: a .dot and an .svg in docs/drawings.
#
#   scripts/drawings.sh                  draws all; needs Graphviz (Debian's package graphviz)
#   scripts/drawings.sh --check [ROOT]   says which drawings are not of this tree any more
#
# Rooms are those of tests/architecture/includes.cmake, arrows are the includes in the sources.
LC_ALL=C
export LC_ALL
here=$(cd -- "$(dirname -- "$0")" && pwd) || exit
check=
[ "$1" = --check ] && check=1 && shift
cd -- "${1:-$here/..}" || exit

made=$(mktemp -d) || exit
trap 'rm -rf -- "$made"' EXIT
find messages actors transport apps -name '*.?pp' 2>/dev/null | sort |
  xargs grep -H '^#include "' >"$made/includes"
awk -v out="$made" -f "$here/drawings.awk" tests/architecture/includes.cmake "$made/includes" || exit

if [ -z "$check" ]; then
  mkdir -p docs/drawings
  grep -l 'Made by scripts/drawings.sh' docs/drawings/*.dot 2>/dev/null | while read -r old; do
    rm -f -- "$old" "${old%.dot}.svg"
  done
  cp -- "$made"/*.dot docs/drawings/ || exit
  for each in docs/drawings/*.dot; do
    # Without Graphviz's own comments, which name its version.
    dot -Tsvg "$each" | sed -e '/^<!--.*-->$/d' -e '/^<!--/,/-->$/d' >"${each%.dot}.svg" || exit
  done
  exit
fi

problems=0
complain() {
  echo "$1: draw again with scripts/drawings.sh"
  problems=$((problems + 1))
}
for each in "$made"/*.dot; do
  name=docs/drawings/$(basename -- "$each")
  cmp -s -- "$each" "$name" || complain "$name is not of this tree"
done
for each in docs/drawings/*.dot; do
  [ -f "${each%.dot}.svg" ] || complain "$each has no .svg"
  grep -q 'Made by scripts/drawings.sh' "$each" && [ ! -f "$made/$(basename -- "$each")" ] &&
    complain "$each is of a folder without rooms"
done
[ "$problems" -eq 0 ] || { echo "$problems drawings"; exit 1; }
