#!/usr/bin/env bash
# What libev, libcurl and SQLite take for a turn with nothing around them (bench/relay), between
# nginx, which passes the bytes on, and `troupe serve`: CPU of plain turns, of turns with a call and
# of paced ones, and the time to the first token. What the AI SDK takes is measured beside them, for
# the first two. Prints Markdown tables after about thirteen minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source bench/lib.sh
streams=${BENCH_STREAMS:-5000}
turns=2 # of each stream, one after the other, 10 s each
requests=${BENCH_REQUESTS:-5000}
paced_rounds=${BENCH_PACED_ROUNDS:-2}
require_programs bench-relay bench-store-floor bench-paced-client bench-first-token troupe-demo-mcp

use_node tests/peers

start_instant_model
start_troupe model model --listen 127.0.0.1:0 --shards 2
model_url=$url/v1
write_config "$work/troupe.json" "$model_url" ""

NODE_ENV=production start sdk "$node" bench/peers/ai_sdk_server.mjs \
  "instant=$instant_url" "call=$model_url"
sdk=$pid sdk_url=$url/api/chat
# A V8 that has not compiled its code yet is not what is compared with.
for model in instant call; do load "$sdk" "$sdk_url" "$model" 16 >/dev/null; done

# begin SERVER MODEL_URL MODEL: starts one; sets $target, $server, whose CPU counts, and $ends.
count=0
begin() {
  local data=$work/data-$((++count)) tool=
  if [ "$3" = call ]; then tool=$bin/troupe-demo-mcp; fi
  case $1 in
    nginx)
      start_proxy "$((port + 1))" "$2" "$([ "$3" = paced ] && echo off || echo on)"
      target=$proxy_url/chat/completions server=$proxy ends=$pid
      return
      ;;
    relay) start "$1-$count" "$bin/bench-relay" "$2" "$3" "" "$tool" ;;
    relay-store)
      start_troupe "$1-$count" serve --config "$work/troupe.json" --data "$data"
      stop "$pid"
      start "$1-$count" "$bin/bench-relay" "$2" "$3" "$data/troupe.db" "$tool"
      ;;
    troupe) start_troupe "$1-$count" serve --config "$work/troupe.json" --data "" ;;
    troupe-store) start_troupe "$1-$count" serve --config "$work/troupe.json" --data "$data" ;;
  esac
  case $1 in
    troupe*) target=$url/api/chat ;;
    *) target=$url/chat/completions ;;
  esac
  server=$pid ends=$pid
}

measure_plain() {
  begin "$1" "$instant_url" text
  load "$server" "$target" instant >>"$work/$1.plain"
  stop "$ends"
}

measure_call() {
  begin "$1" "$model_url" call
  load "$server" "$target" call >>"$work/$1.call"
  stop "$ends"
}

measure_paced() {
  local before
  begin "$1" "$model_url" paced
  before=$(ticks "$server")
  timeout -s KILL 80 "$bin/bench-paced-client" "$target" "$streams" "$turns" 45 >"$work/out"
  awk -v t="$(($(ticks "$server") - before))" -v hz="$per_second" \
    '$1 == "turns_finished" && $2 > 0 { printf "%.3f\n", t * 1000 / hz / $2 }' "$work/out" \
    >>"$work/$1.paced"
  if [ "$(value "$work/out" turns_finished)" != $((streams * turns)) ]; then
    fail "$1: not all turns ended: $(tr '\n' ' ' <"$work/out")"
  fi
  value "$work/out" delay_p50_ms >>"$work/$1.delay"
  stop "$ends"
}

servers=(nginx relay relay-store troupe troupe-store)
for _ in $(seq "$rounds"); do
  for name in "${servers[@]}"; do measure_plain "$name"; done
  for name in "${servers[@]:1}"; do measure_call "$name"; done
  load "$sdk" "$sdk_url" instant 16 >>"$work/sdk.plain"
  load "$sdk" "$sdk_url" call 16 >>"$work/sdk.call"
done
stop "$sdk"
awk '{ print 2 * $1 }' "$work/nginx.plain" >"$work/nginx.call" # asks the model twice, too
for _ in $(seq "$paced_rounds"); do
  for name in "${servers[@]}"; do measure_paced "$name"; done
done

urls=()
for name in "${servers[@]}"; do
  begin "$name" "$instant_url" text
  urls+=("$target")
done
timeout -s KILL 280 "$bin/bench-first-token" "$requests" "$instant_url/chat/completions" \
  "${urls[@]}" >"$work/first"

titles=('nginx' 'libev and libcurl' 'libev, libcurl, SQLite' 'Troupe, in memory only' 'Troupe')
heading ", one loop, medians of $rounds rounds; $streams paced streams, $paced_rounds rounds"
printf '| | CPU of a plain turn | to nginx | AI SDK to it | with a tool call | to twice nginx '
printf '| AI SDK to it | CPU of a paced turn | to nginx | delay of a token, p50 '
printf '| first token, added p50 | p99 |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n'
for i in "${!servers[@]}"; do
  name=${servers[i]}
  plain=$(median "$work/$name.plain") call=$(median "$work/$name.call")
  paced=$(median "$work/$name.paced")
  printf '| %s | %s ms | %s | %s | %s ms | %s | %s ' "${titles[i]}" \
    "$plain" "$(ratio "$plain" "$(median "$work/nginx.plain")")" \
    "$(ratio "$(median "$work/sdk.plain")" "$plain")" \
    "$call" "$(ratio "$call" "$(median "$work/nginx.call")")" \
    "$(ratio "$(median "$work/sdk.call")" "$call")"
  printf '| %s ms | %s | %s ms | %s ms | %s ms |\n' \
    "$paced" "$(ratio "$paced" "$(median "$work/nginx.paced")")" \
    "$(median "$work/$name.delay")" \
    "$(value "$work/first" "$((i + 1))_added_p50_ms")" \
    "$(value "$work/first" "$((i + 1))_added_p99_ms")"
done

printf '\n| turns per commit | saves | search index | both, us per turn |\n|---|---|---|---|\n'
for group in 1 27 500; do
  begin troupe-store "$instant_url" text
  stop "$ends"
  "$bin/bench-store-floor" "$work/data-$count/troupe.db" 20000 "$group" >"$work/out"
  printf '| %s | %s | %s | %s |\n' "$group" "$(value "$work/out" saves_us)" \
    "$(value "$work/out" index_us)" "$(value "$work/out" all_us)"
done
