#!/usr/bin/env bash
# Runs the end-to-end tests again and again, fast and slow, to find those that a machine's speed turns round.
set -uo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top" || exit
logs=$top/build/flaky
most_users=6 # of a support file that has changed; what more tests use is run once by scripts/test.sh
longest=420  # seconds; no test of ctest's takes longer
slowdown=4

usage() {
  cat <<'TEXT'
Usage: scripts/flaky.sh [OPTION...] N [TEST...]
       scripts/flaky.sh [OPTION...] --changed BASE N

Runs tests of tests/page and tests/integration N times in each of these modes, as they are built in
build/release (scripts/test.sh):

  idle   one at a time
  load   beside a busy loop for each core
  slow   with Chromium's CPU slowed four times; tests of the page only

  TEST             a file, or a regular expression for names of ctest; all, where there is none
  --changed BASE   the test files that differ from the commit BASE, and those that use a file of support/
                   that differs, if these are at most 6
  --modes MODES    some of the modes, for example "idle load"
  --seconds S      begins no run after this time, and says what is left out

Each failure is printed when it happens; logs are in build/flaky. The exit code is 1 if one failed.
TEXT
}

# names: of all end-to-end tests, as ctest has them.
names() {
  ctest --preset release -N |
    sed -nE 's/^ *Test +#[0-9]+: ((page|integration): .*(\.test\.mjs| on PostgreSQL))$/\1/p'
}

# pattern_of TEST: a regular expression for the names of what a file runs as, or TEST, which is one.
pattern_of() {
  local kind stem
  if ! [ -f "$1" ]; then say "$1" && return; fi
  kind=$(realpath --relative-to=tests -- "$1")
  stem=$(basename -- "$1" .test.mjs)
  say "^${kind%%/*}: $stem(\.test\.mjs| on PostgreSQL)\$"
}

# users_of FILE: the test files that import a file of support/, also by another one.
users_of() {
  local found=("$1") at=0 user
  while ((at < ${#found[@]})); do
    while IFS= read -r user; do
      [[ " ${found[*]} " == *" $user "* ]] || found+=("$user")
    done < <(git grep -lF "/$(basename -- "${found[at]}")'" -- 'tests/page/*.mjs' 'tests/integration/*.mjs')
    at=$((at + 1))
  done
  printf '%s\n' "${found[@]}" | grep '\.test\.mjs$'
}

# changed_files BASE: the test files that a change touched.
changed_files() {
  local file users
  { git diff --name-only --diff-filter=d "$1" -- tests/page tests/integration &&
    git ls-files --others --exclude-standard -- tests/page tests/integration; } |
    while IFS= read -r file; do
      case $file in
      *.test.mjs) say "$file" ;;
      */support/*.mjs)
        mapfile -t users < <(users_of "$file")
        if ((${#users[@]} <= most_users)); then
          if ((${#users[@]})); then printf '%s\n' "${users[@]}"; fi
        else
          say "$file: used by ${#users[@]} files, which are left out" >&2
        fi
        ;;
      esac
    done | sort -u
}

loops=()

# Bounded in time, should this script be killed.
begin_load() {
  local core
  for ((core = 0; core < $(nproc); ++core)); do
    timeout "$longest" sh -c 'while :; do :; done' &
    loops+=("$!")
  done
}

end_load() {
  if ((${#loops[@]} == 0)); then return; fi
  kill "${loops[@]}" 2>/dev/null
  wait "${loops[@]}" 2>/dev/null
  loops=()
}

# run_once NAME MODE LOG
run_once() {
  local code=0 rate=1
  [ "$2" = load ] && begin_load
  [ "$2" = slow ] && rate=$slowdown
  PAGE_SLOWDOWN=$rate ctest --preset release -R "^${1//./\\.}\$" --output-on-failure >"$3" 2>&1 </dev/null || code=$?
  end_load
  return "$code"
}

modes=(idle load slow)
base=
seconds=
while [[ ${1:-} == -* ]]; do
  case $1 in
  --changed) base=${2:?} ;;
  --modes) read -r -a modes <<<"${2:?}" ;;
  --seconds) seconds=${2:?} ;;
  -h | --help) usage && exit 0 ;;
  *) fail "what is $1? See --help." ;;
  esac
  shift 2
done
times=${1:-}
[[ $times =~ ^[1-9][0-9]*$ ]] || fail "how often? See --help."
shift
[ -x build/release/bin/troupe ] || fail "there is no release build. Run scripts/test.sh."

tests=()
if [ -n "$base" ]; then
  git rev-parse -q --verify "$base^{commit}" >/dev/null || fail "there is no commit $base."
  mapfile -t files < <(changed_files "$base")
  if ((${#files[@]} == 0)); then say "No end-to-end test differs from $base." && exit 0; fi
  set -- "${files[@]}"
fi
if (($# == 0)); then set -- .; fi
all=$(names)
for each in "$@"; do
  mapfile -t -O "${#tests[@]}" tests < <(grep -E -- "$(pattern_of "$each")" <<<"$all")
done
((${#tests[@]})) || fail "no end-to-end test is meant by: $*"

trap end_load EXIT
trap 'exit 130' INT TERM
rm -rf -- "$logs"
mkdir -p -- "$logs"
failures=()
runs=0
left=0
for ((round = 1; round <= times; ++round)); do
  for mode in "${modes[@]}"; do
    for name in "${tests[@]}"; do
      if [[ $mode = slow && $name != page:* ]]; then continue; fi
      if [[ -n $seconds ]] && ((SECONDS >= seconds)); then left=$((left + 1)) && continue; fi
      log=$logs/${name//[^A-Za-z0-9_]/-}.$mode.$round.log
      runs=$((runs + 1))
      if run_once "$name" "$mode" "$log"; then continue; fi
      failures+=("$name, $mode, round $round")
      say "==> failed: ${failures[-1]}; $log"
      grep -m 3 -A 6 -E '^(✖|not ok)|Error' "$log" | tail -n 20 | sed 's/^/    /'
    done
  done
done

say "==> ${#tests[@]} tests, $runs runs, ${#failures[@]} failures, $SECONDS s"
if ((left)); then say "    no time was left for $left runs"; fi
if ((${#failures[@]} == 0)); then exit 0; fi
printf '    %s\n' "${failures[@]}"
exit 1
