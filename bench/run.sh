#!/usr/bin/env bash
# Measures one `troupe serve` on this machine: CPU per turn and memory per open stream, beside nginx.
# Everything runs on loopback and stops by itself after about three minutes. Prints a Markdown table.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source bench/lib.sh
streams=${BENCH_STREAMS:-2000}

open_streams() {
  local before=$1
  wrk -t1 -c"$streams" -d9 --timeout 20 -s bench/turns.lua "$2" -- paced open >/dev/null &
  local client=$!
  pids+=("$client")
  sleep 7 # the streams last 10 s: all are open now
  awk -v a="$before" -v b="$(memory "$3" VmRSS)" -v n="$streams" 'BEGIN { printf "%.1f", (b - a) / n }'
  kill "$client" 2>/dev/null || true
}

start_instant_model
start_proxy "$((port + 1))" "$instant_url" on
start_troupe model model --listen 127.0.0.1:0 --shards 1
write_config "$work/troupe.json" "$url/v1" '"data": "'"$work/data"'",'
start_troupe serve serve --config "$work/troupe.json"
serve=$pid serve_url=$url

limit=$(load "$proxy" "$proxy_url/chat/completions" instant)
plain=$(load "$serve" "$serve_url/api/chat" instant)
tool=$(load "$serve" "$serve_url/api/chat" call)
providers=(anthropic openai-responses gemini ollama)
for each in instant "${providers[@]}"; do : >"$work/plain-$each"; done
for _ in $(seq "$rounds"); do # in turn, so that a busy moment of the machine is nobody's
  for each in instant "${providers[@]}"; do
    load "$serve" "$serve_url/api/chat" "$each" >>"$work/plain-$each"
  done
done
stop "$serve" # the next one has the same data folder
start_troupe fresh serve --config "$work/troupe.json"
stream=$(open_streams "$(memory "$pid" VmRSS)" "$url/api/chat" "$pid")

heading ", $shards shard(s), $seconds s per row"
printf '| measure | here | ratio to nginx |\n|---|---|---|\n'
printf '| nginx proxy_pass, CPU per request | %s ms | 1 |\n' "$limit"
printf '| plain turn, 50 tokens, instant model, CPU per turn | %s ms | %s |\n' "$plain" "$(ratio "$plain" "$limit")"
completions=$(median "$work/plain-instant")
for each in "${providers[@]}"; do
  cpu=$(median "$work/plain-$each")
  printf '| plain turn with %s, CPU per turn; ratio to chat completions (%s ms) | %s ms | %s |\n' \
    "$each" "$completions" "$cpu" "$(ratio "$cpu" "$completions")"
done
printf '| turn with one stdio tool call, CPU per turn | %s ms | %s |\n' "$tool" "$(ratio "$tool" "$limit")"
printf '| memory per open paced stream (%s open) | %s KiB | |\n' "$streams" "$stream"
