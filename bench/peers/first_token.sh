#!/usr/bin/env bash
# What `troupe serve`, nginx and the AI SDK on node add to the time to the first token, one request
# after another. Prints a Markdown table after about two minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source bench/lib.sh
requests=${BENCH_REQUESTS:-5000}
require_programs bench-first-token
use_node tests/peers

start_instant_model
start_proxy "$((port + 1))" "$instant_url" on
write_config "$work/troupe.json" "$instant_url" ""
start_troupe serve serve --config "$work/troupe.json" --data "$work/data"
serve_url=$url/api/chat
start_troupe memory serve --config "$work/troupe.json" --data ""
memory_url=$url/api/chat
NODE_ENV=production start sdk "$node" bench/peers/ai_sdk_server.mjs "instant=$instant_url"
check_answer "$serve_url" instant
# The AI SDK has a run of its own: its garbage is collected beside whoever comes next.
timeout -s KILL 280 "$bin/bench-first-token" "$requests" "$instant_url/chat/completions" \
  "$proxy_url/chat/completions" "$serve_url" "$memory_url" >"$work/ours"
timeout -s KILL 280 "$bin/bench-first-token" "$requests" "$instant_url/chat/completions" \
  "$url/api/chat" >"$work/theirs"

# row TITLE FILE NAME
row() {
  printf '| %s | %s ms | %s ms | %s | %s |\n' "$1" \
    "$(value "$2" "$3_p50_ms")" "$(value "$2" "$3_p99_ms")" \
    "$(value "$2" "$3_added_p50_ms")" "$(value "$2" "$3_added_p99_ms")"
}

heading ", $requests requests each, in turn, one connection"
printf '| first token | p50 | p99 | added, p50 (ms) | added, p99 (ms) |\n|---|---|---|---|---|\n'
row 'model alone' "$work/ours" direct
row 'nginx' "$work/ours" 1
row 'Troupe' "$work/ours" 2
row 'Troupe, chats in memory only' "$work/ours" 3
row "AI SDK $("$node" -p 'require("./tests/peers/package.json").dependencies.ai')" "$work/theirs" 1
