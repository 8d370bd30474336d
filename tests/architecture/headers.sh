#!/usr/bin/env bash
# Compiles headers, each alone and included twice. All of them; in the gate, with TROUPE_SLICE, those that the
# installed face reaches, those that recent commits touched, and a slice of the others.
#
# Usage: headers.sh [--list | --count] BUILD     BUILD/tests/architecture/headers.txt names all
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
mode=
case ${1:-} in --list | --count) mode=$1 && shift ;; esac
build=$1
all=$build/tests/architecture/headers.txt
[ -s "$all" ] || fail "there is no $all: configure that folder with TROUPE_BUILD_TESTS first"

# known: of the lines that are read, those that are headers to compile.
known() { sort -u | comm -12 - <(sort "$all"); }

# face: what a program reaches that includes <troupe/engine.hpp>.
face() {
  local -A seen=()
  local file next=(apps/engine/public/troupe/engine.hpp)
  while [ "${#next[@]}" -gt 0 ]; do
    file=${next[0]}
    next=("${next[@]:1}")
    if [ -n "${seen[$file]:-}" ] || [ ! -f "$top/$file" ]; then continue; fi
    seen[$file]=1
    mapfile -t -O "${#next[@]}" next < <(sed -n -E 's/^#include "([^"]*)".*/\1/p' "$top/$file")
  done
  printf '%s\n' "${!seen[@]}" | known
}

# touched: what differs from the commit before the recent ones; nothing without a repository.
touched() {
  local since
  if since=$(recent_commit); then own_git diff --name-only "$since" | known; fi
}

# in_slice: each fourteenth of those in the file, from another one in each slice.
in_slice() { awk -v of="$slices" -v slice="$TROUPE_SLICE" 'NR % of == slice - 1' "$1"; }

# chosen: the headers to compile.
chosen() {
  if [ -z "${TROUPE_SLICE:-}" ]; then cat -- "$all"; else (face && touched && in_slice "$all") | sort -u; fi
}

if [ "$mode" = --list ]; then chosen && exit; fi
mapfile -t headers < <(chosen)
say "${#headers[@]} of $(wc -l <"$all") headers, each alone${TROUPE_SLICE:+: $(face | wc -l) of the face,\
 $(touched | wc -l) touched since $(recent_commit | cut -c 1-10 || say "no commit"), $(in_slice "$all" | wc -l) of the slice}"
if [ "$mode" = --count ]; then exit; fi
# The names of the objects as Ninja has them; all have a target, whatever the generator is.
targets=(headers_alone)
if [ -n "${TROUPE_SLICE:-}" ]; then
  mapfile -t targets < <(printf 'tests/architecture/CMakeFiles/headers_alone.dir/alone/%s.cpp.o\n' "${headers[@]}")
fi
exec cmake --build "$build" -j "$(jobs_at_once)" --target "${targets[@]}"
