#!/usr/bin/env bash
# Many answers of 5 tokens a second at once, through `troupe serve`, nginx and the AI SDK on node:
# what each adds to a token's time, and what it takes. Prints a Markdown table after six minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source bench/lib.sh
streams=${BENCH_STREAMS:-5000}
turns=${BENCH_TURNS:-2} # one after the other in each stream, 10 s each
shards=${BENCH_SHARDS:-0}
limit=$((turns * 10 + 25))
require_programs bench-paced-client
use_node tests/peers

start_instant_model
start_troupe model model --listen 127.0.0.1:0 --shards 2
model_url=$url/v1
write_config "$work/troupe.json" "$model_url" ""
keys='turns_finished turns_asked delay_p50_ms delay_p99_ms delay_max_ms stalls first_token_p50_ms
  first_token_p99_ms cpu_ms_per_turn rss_mib rss_kib_per_stream client_cpu_seconds'

# measure NAME URL [PID]: adds a line to NAME.KEY for each of the keys; server PID has just started.
measure() {
  local out=$work/$1.now server=${3:-} cpu=0 rss=0 key
  if [ -n "$server" ]; then cpu=$(ticks "$server") rss=$(memory "$server" VmRSS); fi
  timeout -s KILL $((limit + 20)) "$bin/bench-paced-client" "$2" "$streams" "$turns" "$limit" \
    >"$out"
  if [ -n "$server" ]; then # per stream only if all were served: others may not have been open
    awk -v t="$(($(ticks "$server") - cpu))" -v hz="$per_second" \
      -v kib="$(memory "$server" VmHWM)" \
      -v rss="$rss" -v n="$streams" -v asked="$((streams * turns))" '$1 == "turns_finished" {
        if ($2 > 0) printf "cpu_ms_per_turn %.3f\n", t * 1000 / hz / $2
        if ($2 == asked) printf "rss_kib_per_stream %.1f\n", (kib - rss) / n
        printf "rss_mib %.1f\n", (kib - rss) / 1024 }' "$out" >>"$out.server"
    cat "$out.server" >>"$out"
    rm "$out.server"
  fi
  for key in $keys; do value "$out" "$key" >>"$work/$1.$key"; done
}

measure_direct() { measure direct "$model_url/chat/completions"; }
measure_nginx() {
  start_proxy "$((port + 2))" "$model_url" off
  local master=$pid
  measure nginx "$proxy_url/chat/completions" "$proxy"
  stop "$master"
}
measure_troupe() {
  start_troupe "serve-$1" serve --config "$work/troupe.json" --data "$work/data-$1"
  local server=$pid
  measure troupe "$url/api/chat" "$server"
  stop "$server"
}
measure_sdk() {
  NODE_ENV=production start sdk "$node" bench/peers/ai_sdk_server.mjs "paced=$model_url"
  local server=$pid
  measure sdk "$url/api/chat" "$server"
  stop "$server"
}

for round in $(seq "${BENCH_ROUNDS:-2}"); do
  if ((round % 2)); then measure_nginx; fi
  measure_troupe "$round"
  if ((round % 2 == 0)); then measure_nginx; fi
done
measure_direct
measure_sdk

# row TITLE KEY UNIT BETTER
row() {
  local name figure
  printf '| %s ' "$1"
  for name in direct nginx troupe sdk; do
    figure=$(median "$work/$name.$2")
    printf '| %s ' "${figure:+$figure$3}"
  done
  printf '| %s | %s |\n' "$(ratio "$(median "$work/troupe.$2")" "$(median "$work/nginx.$2")")" \
    "$(ratio "$(median "$work/sdk.$2")" "$(median "$work/troupe.$2")")"
}

heading ", $turns turns per stream, medians of ${BENCH_ROUNDS:-2} rounds for nginx and Troupe"
printf '| %s streams of 5 tokens a second | model alone | nginx | Troupe | AI SDK %s ' \
  "$streams" "$("$node" -p 'require("./tests/peers/package.json").dependencies.ai')"
printf '| Troupe to nginx | AI SDK to Troupe |\n|---|---|---|---|---|---|---|\n'
row "turns finished, of $((streams * turns))" turns_finished ''
row 'delay of a token, p50' delay_p50_ms ' ms'
row 'delay of a token, p99' delay_p99_ms ' ms'
row 'delay of a token, longest' delay_max_ms ' ms'
row 'stalls of more than 2 s' stalls ''
row 'first token, p50' first_token_p50_ms ' ms'
row 'first token, p99' first_token_p99_ms ' ms'
row 'CPU per turn' cpu_ms_per_turn ' ms'
row 'memory, in all' rss_mib ' MiB'
row 'memory per open stream' rss_kib_per_stream ' KiB'
row "the client's own CPU" client_cpu_seconds ' s'
awk -v a="$(median "$work/troupe.delay_p99_ms")" -v b="$(median "$work/direct.delay_p99_ms")" \
  'BEGIN { printf "\nTroupe adds %.2f ms to the p99 of a token'"'"'s delay.\n", a - b }'
