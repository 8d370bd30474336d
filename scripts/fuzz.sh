#!/usr/bin/env bash
# Installs what the fuzzers need, builds them with clang and runs them. The last lines are a table;
# the exit code is 1 if something was found.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top"
log_folder=$top/build/logs

usage() {
  cat <<'TEXT'
Usage: scripts/fuzz.sh [SECONDS [FUZZER...]]

  SECONDS   for each fuzzer; 60, unless it is given
  FUZZER    a name in the list of tests/fuzz/CMakeLists.txt; all, unless one is given

As many run side by side as there are cores. Inputs that reach new code are kept in
build/fuzz/corpus, findings in build/fuzz/findings, each beside a text that says how to see it again.
TROUPE_SKIP_PACKAGES=1 leaves the system's packages alone.
TEXT
}

case ${1:-} in -h | --help) usage && exit 0 ;; esac
seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "SECONDS is a number from 1, not '$seconds'; see --help"
wanted=("${@:2}")

built=$top/build/fuzz
findings=$built/findings
logs=$built/runs

input_seconds=20  # for one input; a longer one is a finding
memory_mb=2048    # of one fuzzer; more is a finding
patience=120      # seconds for the start and the end of a fuzzer; then it hangs

build() {
  cmake --preset fuzz
  cmake --build --preset fuzz -j "$(jobs_at_once)"
}

# run_fuzzer NAME SEEDS...: runs it in silence; its output is in $logs/NAME, its exit code in NAME.code.
run_fuzzer() (
  name=$1 code=0
  mkdir -p -- "$built/corpus/$name"
  timeout --kill-after=10 $((seconds + patience)) "$built/bin/fuzz_$name" \
    "$built/corpus/$name" "${@:2}" -max_total_time="$seconds" -timeout="$input_seconds" \
    -rss_limit_mb="$memory_mb" -print_final_stats=1 -artifact_prefix="$findings/$name-" \
    >"$logs/$name" 2>&1 </dev/null &
  trap 'kill $! 2>/dev/null' TERM
  wait $! || code=$?
  printf '%s' "$code" >"$logs/$name.code"
)

# run_all: at most one fuzzer per core.
run_all() {
  local name seeds
  while IFS=';' read -r -a seeds; do
    name=${seeds[0]}
    while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || true; done
    run_fuzzer "$name" "${seeds[@]:1}" &
  done < <(chosen)
  wait
}

# chosen: the lines of the wanted fuzzers: the name and the folders with seeds, between semicolons.
chosen() {
  local name
  if [ "${#wanted[@]}" = 0 ]; then cat -- "$built/fuzzers.txt"; fi
  for name in "${wanted[@]}"; do grep "^$name;" "$built/fuzzers.txt"; done
}

# last_number PATTERN NAME: the number behind PATTERN in the last line of a log that has it.
last_number() { sed -n "s|.*$1 *\([0-9][0-9]*\).*|\1|p" "$logs/$2" | tail -n 1; }

# explain NAME FILE: says how to see a finding again, here and beside the finding.
explain() {
  {
    say "$2"
    case $2 in
    *-log) say "  the output of $built/bin/fuzz_$1, which ended without naming an input" ;;
    *) say "  again: $built/bin/fuzz_$1 $2" ;;
    esac
    sed -n -E '/^property broken|what\(\): |ERROR: |runtime error: /{s/^ */  /p;q}' "$logs/$1"
  } | tee -- "$2.txt"
}

# report: the table, then the findings. Returns whether there is none.
report() {
  local name code file verdict found=()
  printf '%-16s %12s %8s %8s  %s\n' fuzzer runs seconds corpus finding
  while IFS=';' read -r name _; do
    code=$(cat -- "$logs/$name.code")
    file=$(sed -n 's/.*Test unit written to //p' "$logs/$name" | tail -n 1)
    if [ "$code" != 0 ] && [ -z "$file" ]; then
      file=$findings/$name-log
      cp -- "$logs/$name" "$file"
    fi
    verdict=none
    if [ "$code" != 0 ]; then
      found+=("$name;$file")
      verdict="exit code $code"
    fi
    printf '%-16s %12s %8s %8s  %s\n' "$name" "$(last_number number_of_executed_units: "$name")" \
      "$(last_number 'runs in' "$name")" "$(last_number corp: "$name")" "$verdict"
  done < <(chosen)
  for file in "${found[@]}"; do explain "${file%%;*}" "${file#*;}"; done
  [ "${#found[@]}" = 0 ]
}

require_packages "${build_packages[@]}" "${fuzz_packages[@]}"
phase "Building (fuzz)" build
for name in "${wanted[@]}"; do
  grep -q "^$name;" "$built/fuzzers.txt" ||
    fail "there is no fuzzer '$name'; there are: $(cut -d ';' -f 1 "$built/fuzzers.txt" | xargs)"
done
rm -rf -- "$logs"
mkdir -p -- "$findings" "$logs"
export UBSAN_OPTIONS=print_stacktrace=1
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
say "==> Fuzzing, $seconds s each"
run_all
report
