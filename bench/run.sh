#!/usr/bin/env bash
# Measures one `troupe serve` on this machine: CPU per turn and memory per open stream, beside nginx.
# Everything runs on loopback and stops by itself after about a minute. Prints a Markdown table.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh
bin=${TROUPE_BIN:-build/release/bin}
seconds=${BENCH_SECONDS:-5}
streams=${BENCH_STREAMS:-2000}
shards=${BENCH_SHARDS:-1}
work=$(mktemp -d) && chmod 755 "$work" # nginx workers run as another user
pids=()

require_packages nginx-light wrk procps
[ -x "$bin/troupe" ] || fail "there is no $bin/troupe; run scripts/quickstart.sh --once first"
command -v nginx >/dev/null || PATH=$PATH:/usr/sbin
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"

# ticks PID: user and system time of a process and its threads, in clock ticks.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
per_second=$(getconf CLK_TCK)

# start_troupe LOG ARG...: starts it, waits until it listens, sets $url and $pid.
start_troupe() {
  local log=$work/$1
  shift
  : >"$log"
  "$bin/troupe" "$@" >"$log" 2>"$log.err" &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 200); do
    url=$(sed -n 's/^listening on //p' "$log")
    [ -n "$url" ] && return
    sleep 0.05
  done
  fail "troupe $1 did not start: $(cat "$log.err")"
}

# load PID URL MODEL: CPU milliseconds per turn of PID under wrk with 64 connections.
load() {
  check_answer "$2" "$3"
  wrk -t1 -c64 -d1 -s bench/turns.lua "$2" -- "$3" warm >/dev/null
  local before after turns
  before=$(ticks "$1")
  wrk -t1 -c64 -d"$seconds" -s bench/turns.lua "$2" -- "$3" run >"$work/wrk"
  after=$(ticks "$1")
  turns=$(awk '/requests in/ { print $1 }' "$work/wrk")
  if grep -q "Non-2xx" "$work/wrk"; then fail "$3: $(grep Non-2xx "$work/wrk")"; fi
  awk -v t="$((after - before))" -v hz="$per_second" -v n="$turns" 'BEGIN { printf "%.4f", t * 1000 / hz / n }'
}

# check_answer URL MODEL: a benchmark of broken answers would be a fast one.
check_answer() {
  curl -sN "$1" -H 'content-type: application/json' -d \
    '{"id":"check-'"$2"'","model":"'"$2"'","messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]}]}' |
    grep -qF '[DONE]' || fail "$2 at $1 does not answer to the end"
}

# An instant model: nginx answers each request with the same 50-token stream.
start_nginx() {
  start_troupe sample model --listen 127.0.0.1:0
  curl -s "$url/v1/chat/completions" -H 'content-type: application/json' -d \
    '{"model":"text","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}' \
    >"$work/reply"
  kill "$pid"
  start_one_nginx model 18081
  start_one_nginx proxy 18082
}

# start_one_nginx NAME PORT: its pid file names the master, whose child does the work.
start_one_nginx() {
  sed -e "s#@WORK@#$work#g" "bench/nginx-$1.conf.in" >"$work/$1.conf"
  nginx -p "$work" -c "$work/$1.conf" -e "$work/$1.err" &
  pids+=($!)
  for _ in $(seq 100); do
    curl -sfo /dev/null -X POST "http://127.0.0.1:$2/v1/chat/completions" -d x && return
    sleep 0.05
  done
  fail "nginx ($1) did not start: $(tail -n 1 "$work/$1.err")"
}

write_config() {
  cat >"$work/troupe.json" <<JSON
{"listen": "127.0.0.1:0", "data": "$work/data", "shards": $shards, "defaultModel": "instant",
 "models": {"instant": {"base_url": "http://127.0.0.1:18081/v1", "model": "text"},
            "call": {"base_url": "$1/v1", "model": "call"},
            "paced": {"base_url": "$1/v1", "model": "paced"}},
 "mcpServers": {"demo": {"command": "$bin/troupe-demo-mcp", "maxParallel": 64}}}
JSON
}

open_streams() {
  local before=$1
  wrk -t1 -c"$streams" -d9 --timeout 20 -s bench/turns.lua "$2" -- paced open >/dev/null &
  local client=$!
  pids+=("$client")
  sleep 7 # the streams last 10 s: all are open now
  awk -v a="$before" -v b="$(rss "$3")" -v n="$streams" 'BEGIN { printf "%.1f", (b - a) / n }'
  kill "$client" 2>/dev/null || true
}

start_nginx
start_troupe model model --listen 127.0.0.1:0 --shards 1
model_url=$url
write_config "$model_url"
start_troupe serve serve --config "$work/troupe.json"
serve=$pid serve_url=$url

limit=$(load "$(pgrep -P "$(cat "$work/proxy.pid")")" http://127.0.0.1:18082/v1/chat/completions instant)
plain=$(load "$serve" "$serve_url/api/chat" instant)
tool=$(load "$serve" "$serve_url/api/chat" call)
start_troupe fresh serve --config "$work/troupe.json"
stream=$(open_streams "$(rss "$pid")" "$url/api/chat" "$pid")

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
printf '\n%s cores, %s, commit %s, %s shard(s), %s s per row\n\n' "$(nproc)" \
  "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" "$shards" "$seconds"
printf '| measure | here | ratio to nginx |\n|---|---|---|\n'
printf '| nginx proxy_pass, CPU per request | %s ms | 1 |\n' "$limit"
printf '| plain turn, 50 tokens, instant model, CPU per turn | %s ms | %s |\n' "$plain" "$(ratio "$plain" "$limit")"
printf '| turn with one stdio tool call, CPU per turn | %s ms | %s |\n' "$tool" "$(ratio "$tool" "$limit")"
printf '| memory per open paced stream (%s open) | %s KiB | |\n' "$streams" "$stream"
