#!/usr/bin/env bash
# Measures what a first build costs: builds everything into a folder of its own, without any cache,
# and prints seconds and CPU seconds per target, the number of units, and the ten slowest ones.
#
# Usage: bench/build.sh [PRESET]      release, unless another one is named; takes minutes
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/lib.sh"
cd -- "$top"

preset=${1:-release}
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
export CCACHE_DISABLE=1

cmake --preset "$preset" -B "$folder" -DTROUPE_BUILD_TESTS=ON >"$folder/configure.log" ||
  fail "the preset $preset cannot be configured: see scripts/test.sh for what it needs"

# build TARGET: a row with the seconds, the CPU seconds and the units that it took.
build() {
  local before after
  before=$(units)
  TIMEFORMAT='%R %U %S'
  { time cmake --build "$folder" --target "$1" -j "$(jobs_at_once)" >"$folder/build.log" 2>&1; } \
    2>"$folder/times" || { tail -n 20 -- "$folder/build.log" >&2; fail "the target $1 does not build"; }
  after=$(units)
  awk -v name="$1" -v n=$((after - before)) \
    '{ printf "| %s | %.0f | %.0f | %d |\n", name, $1, $2 + $3, n }' "$folder/times"
}

# units: how many object files there are.
units() { find "$folder" -name '*.o' | wc -l; }

say "$(nproc) cores, $(. /etc/os-release && say "$PRETTY_NAME"), $(c++ --version | head -n 1), preset $preset"
say
printf '| target | seconds | CPU seconds | units |\n|---|---|---|---|\n'
for target in troupe_messages troupe_transport troupe_actors troupe_engine troupe troupe-demo-mcp \
  troupe-bench messages transport actors apps all; do
  build "$target"
done
say
printf '| slowest units | seconds |\n|---|---|\n'
awk '!/^#/ && $4 ~ /\.o$/ { took[$4] = ($2 - $1) / 1000 }
     END { for (each in took) printf "%.1f %s\n", took[each], each }' "$folder/.ninja_log" |
  sort -rn | head -n 10 | while read -r seconds unit; do
  say "| $(basename -- "${unit%_cxx.cxx.o}") | $seconds |"
done
