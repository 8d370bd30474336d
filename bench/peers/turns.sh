#!/usr/bin/env bash
# CPU per turn of `troupe serve` with all that a user gets, beside the AI SDK on node and nginx,
# which passes the bytes on, and without the store, which the AI SDK has none of. Prints a Markdown
# table after about five minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source bench/lib.sh
require_programs troupe-demo-mcp
use_node tests/peers

start_instant_model
start_proxy "$((port + 1))" "$instant_url" on
start_troupe model model --listen 127.0.0.1:0 --shards 1
model_url=$url/v1
write_config "$work/troupe.json" "$model_url" ""
start_troupe serve serve --config "$work/troupe.json" --data "$work/data"
serve=$pid serve_url=$url/api/chat
start_troupe memory serve --config "$work/troupe.json" --data ""
memory=$pid memory_url=$url/api/chat
NODE_ENV=production start sdk "$node" bench/peers/ai_sdk_server.mjs \
  "instant=$instant_url" "call=$model_url"
sdk=$pid sdk_url=$url/api/chat

# measure ROW: adds one figure of it.
measure() {
  case $1 in
    limit) load "$proxy" "$proxy_url/chat/completions" instant ;;
    plain) load "$serve" "$serve_url" instant ;;
    tool) load "$serve" "$serve_url" call ;;
    plain-memory) load "$memory" "$memory_url" instant ;;
    tool-memory) load "$memory" "$memory_url" call ;;
    plain-sdk) load "$sdk" "$sdk_url" instant 16 ;;
    tool-sdk) load "$sdk" "$sdk_url" call 16 ;;
  esac >>"$work/$1.figures"
}

# A V8 that has not compiled its code yet is not what is compared with.
for model in instant call; do load "$sdk" "$sdk_url" "$model" 16 >/dev/null; done
for round in $(seq "$rounds"); do
  rows=(limit plain plain-memory plain-sdk tool tool-memory tool-sdk)
  if ((round % 2 == 0)); then
    rows=(tool-sdk tool-memory tool plain-sdk plain-memory plain limit)
  fi
  for row in "${rows[@]}"; do measure "$row"; done
done

# row TITLE OURS THEIRS EXCHANGES: EXCHANGES with the model, and so the limit.
row() {
  local limit ours theirs
  limit=$(awk -v a="$(median "$work/limit.figures")" -v n="$4" 'BEGIN { printf "%.4f", a * n }')
  ours=$(median "$work/$2.figures") theirs=$(median "$work/$3.figures")
  printf '| %s | %s ms | %s ms | %s ms | %s | %s |\n' "$1" "$limit" "$ours" "$theirs" \
    "$(ratio "$ours" "$limit")" "$(ratio "$theirs" "$ours")"
}

heading ", $shards shard(s), medians of $rounds alternating rounds of $seconds s"
printf '| CPU per turn | nginx | Troupe | AI SDK %s | Troupe to nginx | AI SDK to Troupe |\n' \
  "$("$node" -p 'require("./tests/peers/package.json").dependencies.ai')"
printf '|---|---|---|---|---|---|\n'
row 'plain turn, 50 tokens' plain plain-sdk 1
row 'the same, chats in memory only' plain-memory plain-sdk 1
row 'turn with one tool call: stdio MCP, AI SDK in-process' tool tool-sdk 2
row 'the same, chats in memory only' tool-memory tool-sdk 2
