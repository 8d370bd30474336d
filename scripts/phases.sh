# Runs phases one after another and says at the end what each took: for .ci/run and scripts/full_gate.sh,
# which set `budget`, the seconds for everything. Source it after lib.sh.
# shellcheck shell=bash disable=SC2154

logs=$(mktemp -d) || exit
trap 'rm -rf -- "$logs"' EXIT
failed=()
table=()

# bounded COMMAND...: ends it when the time for everything is over.
# shellcheck disable=SC2317 # called through phase
bounded() {
  local left=$((budget - SECONDS))
  if ((left <= 0)); then
    say "no time is left"
    return 124
  fi
  timeout --kill-after=30 "$left" "$@" </dev/null
}

# note_cpu: sets cpu to the seconds that the processes used that have ended so far.
note_cpu() {
  times >"$logs/times"
  cpu=$(awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$logs/times")
}

# kept COMMAND...: a phase whose output is kept, too.
kept() {
  local log=$logs/${#table[@]}.log start=$SECONDS before code=0
  note_cpu && before=$cpu
  phase "$*" bounded "$@" 2>&1 | tee -- "$log" || code=$?
  note_cpu
  if [ "$code" != 0 ]; then failed+=("$log"); fi
  table+=("$(printf '%6d s %6d s of CPU, exit code %-3d %s' \
    $((SECONDS - start)) $((cpu - before)) "$code" "$*")")
}

# again LOG: what the tests that failed printed, and the end, for whoever sees the last lines only.
again() {
  head -n 1 -- "$1" | sed 's/^==> /==> Once more: /'
  awk '/^ +Start +[0-9]+: / { shown = 0 } /\*\*\*/ { shown = 1 } shown' "$1" | tail -c 20000
  tail -n 30 -- "$1"
}

# slowest FILE: the tests of one run of ctest, from what its --output-junit wrote.
slowest() {
  sed -n -E 's/^[[:space:]]*<testcase name="([^"]*)".* time="([0-9.]+)".*/\2 \1/p' "$1" >"$logs/tests"
  say "==> The slowest of $(wc -l <"$logs/tests") tests in $1," \
    "$(awk '{ sum += $1 } END { printf "%d", sum }' "$logs/tests") s together"
  sort -rn "$logs/tests" | awk 'NR <= 15 { time = $1; sub(/^[^ ]+ /, ""); printf "%8.1f s  %s\n", time, $0 }'
}

# phases_seconds: a line for each phase, below it what building and testing took of it.
phases_seconds() {
  local at
  say "==> Phases"
  for at in "${!table[@]}"; do
    say "${table[at]}"
    sed -n -E -e 's/^    (Building .*): exit code .*, ([0-9]+)\.[0-9] s$/\2 \1/p' \
      -e 's/^Total Test time \(real\) = +([0-9]+).*/\1 Testing/p' "$logs/$at.log" |
      awk '{ seconds = $1; sub(/^[0-9]+ /, ""); printf "%12d s: %s\n", seconds, $0 }'
  done
}

# finish: the figures, then once more what failed, and the end with an exit code.
finish() {
  local file log code=$((${#failed[@]} > 0))
  for file in build/*/tests.xml build/*/gate.xml; do
    if [ "$file" -nt "$logs/started" ]; then slowest "$file"; fi
  done
  phases_seconds
  for log in "${failed[@]}"; do again "$log"; done
  say "==> all phases: $SECONDS s, exit code $code"
  exit "$code"
}

touch -- "$logs/started"
say "$(nproc) cores, $(awk '/^MemTotal:/ { print int($2 / 1048576) }' /proc/meminfo) GiB," \
  "$(. /etc/os-release && say "$PRETTY_NAME")"
