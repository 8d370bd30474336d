#!/usr/bin/env bash
# Memory of chats that nobody uses: after so many turns, each in a chat of its own, with an idle
# time of a week. Prints a Markdown table after about three minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source bench/lib.sh
sessions=${BENCH_SESSIONS:-100000}

start_instant_model
write_config "$work/troupe.json" "$instant_url" \
  '"limits": {"maxSessions": 10000000, "sessionIdleMs": 604800000}, "logs": {"level": "warning"},'

# open_sessions URL: how many there are.
open_sessions() { curl -s "$1/v1/status" | sed -n 's/.*"sessions":\([0-9]*\).*/\1/p'; }

# fill URL COUNT: takes turns until there are at least so many.
fill() {
  local chats
  while (($(open_sessions "$1") < $2)); do
    chats=${EPOCHREALTIME/[.,]/}
    wrk -t1 -c64 -d2 -s bench/turns.lua "$1/api/chat" -- instant "idle-$chats" >"$work/wrk"
    if grep -q "Non-2xx" "$work/wrk"; then fail "$(grep Non-2xx "$work/wrk")"; fi
  done
  sleep 4 # what comes after the last turns, as the store's log
}

# row TITLE LOG DATA_FOLDER
row() {
  local server at before count after
  start_troupe "$2" serve --config "$work/troupe.json" --data "$3"
  server=$pid at=$url
  check_answer "$at/api/chat" instant
  fill "$at" $((sessions / 10)) # what a process grows to when it first works is no session's
  count=$(open_sessions "$at") before=$(memory "$server" VmRSS)
  fill "$at" $((count + sessions))
  after=$(memory "$server" VmRSS)
  awk -v title="$1" -v a="$before" -v b="$after" -v n="$(($(open_sessions "$at") - count))" 'BEGIN {
    printf "| %s | %d | %.1f MiB | %.2f KiB |\n", title, n, (b - a) / 1024, (b - a) / n }'
  stop "$server"
}

heading ", $shards shard(s)"
printf '| idle sessions | how many | memory | each |\n|---|---|---|---|\n'
row 'with the store' kept "$work/data"
row 'in memory only' memory ""
