#!/usr/bin/env bash
# From a clean clone to a chat turn with a tool call, in one command.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top"

usage() {
  cat <<'TEXT'
Usage: scripts/quickstart.sh [--once | --serve] [--port N]

Installs what is missing, builds Troupe, starts `troupe serve` on 127.0.0.1 and runs one chat turn
with a tool call in this terminal.

  --once     stop after the turn (the default where stdout is no terminal)
  --serve    go on serving until Ctrl-C (the default on a terminal)
  --port N   instead of 8080; the variable TROUPE_PORT does the same

TROUPE_BIN=DIR             use the programs in DIR instead of building
TROUPE_SKIP_PACKAGES=1     leave the system's packages alone
TROUPE_QUICKSTART_DIR=DIR  for configuration and logs, instead of build/quickstart
TEXT
}

port=${TROUPE_PORT:-8080}
mode=once
if [ -t 1 ]; then mode=serve; fi
while [ $# -gt 0 ]; do
  case $1 in
  --once) mode=once ;;
  --serve) mode=serve ;;
  --port) port=${2:-} && shift ;;
  --port=*) port=${1#*=} ;;
  -h | --help) usage && exit 0 ;;
  *) printf 'quickstart.sh: unknown option %s; see --help\n' "$1" >&2 && exit 2 ;;
  esac
  shift
done
case $port in
'' | *[!0-9]* | ??????*) printf 'quickstart.sh: "%s" is no port\n' "$port" >&2 && exit 2 ;;
esac

work=${TROUPE_QUICKSTART_DIR:-$top/build/quickstart}
log_folder=$work/logs
serve_log=$log_folder/serve.log
config=$work/troupe.json
url=http://127.0.0.1:$port
server=
everything=
question='What is 17 plus 25?'

# Stops the server that was started here, and only that.
stop_server() {
  if [ -z "$server" ]; then return; fi
  kill -TERM "$server" 2>/dev/null || true
  for ((i = 0; i < 100; ++i)); do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
}
trap stop_server EXIT
trap 'say; say "Stopping."; exit "${interrupt_code:-130}"' INT TERM

# http_get PATH: the whole answer of the server to a GET; no other program needed for it.
http_get() {
  local connection
  { exec {connection}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 1
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$1" >&"$connection"
  timeout 2 cat <&"$connection" || true
  exec {connection}>&-
}

require_free_port() {
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    fail "port $port of 127.0.0.1 is in use. Stop what listens there, or choose another: --port 8081"
  fi
}

build() {
  local tests=()
  # A tree that is built already keeps its tests.
  [ -e build/release/CMakeCache.txt ] || tests=(-DTROUPE_BUILD_TESTS=OFF)
  cmake --preset release "${tests[@]}"
  cmake --build --preset release -j "$(jobs_at_once)" --target troupe troupe-demo-mcp
}

get_programs() {
  if [ -n "${TROUPE_BIN:-}" ]; then
    [ -x "$TROUPE_BIN/troupe" ] || fail "TROUPE_BIN=$TROUPE_BIN holds no program troupe"
    bin=$(cd -- "$TROUPE_BIN" && pwd)
    return
  fi
  local names
  mapfile -t names < <(node_packages)
  require_packages "${build_packages[@]}" "${names[@]}"
  step "Building (a first build takes minutes, a second one seconds)" \
    "If a library is missing, unset TROUPE_SKIP_PACKAGES." build
  bin=$top/build/release/bin
}

install_everything() {
  mkdir -p "$work/node"
  cp tests/integration/{package.json,package-lock.json,.npmrc} "$work/node/"
  npm ci --prefix "$work/node" --omit=dev --omit=optional --no-audit --no-fund </dev/null &&
    cp tests/integration/package-lock.json "$work/node/installed-lock"
}

# Finds or installs a real MCP server; leaves its file in `everything`, empty if there is none.
find_everything() {
  local package=node_modules/@modelcontextprotocol/server-everything start
  everything=
  command -v node >/dev/null || { say "==> No node here, so the demo MCP server plays along"; return; }
  if [ -e "tests/integration/$package/dist/index.js" ]; then
    everything=$top/tests/integration/$package/dist/index.js
    return
  fi
  if ! cmp -s tests/integration/package-lock.json "$work/node/installed-lock"; then
    command -v npm >/dev/null || { say "==> No npm here, so the demo MCP server plays along"; return; }
    start=$(milliseconds)
    printf '==> Installing a real MCP server from npm ... '
    if ! install_everything >"$log_folder/npm.log" 2>&1; then
      say "not possible (log: $log_folder/npm.log), so the demo MCP server plays along"
      return
    fi
    seconds_since "$start" && say
  fi
  everything=$work/node/$package/dist/index.js
}

# json TEXT: as a JSON string.
json() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

write_config() {
  local entry
  if [ -n "$everything" ]; then
    entry="\"everything\": {\"command\": $(json "$(command -v node)"),
      \"args\": [$(json "$everything"), \"stdio\"]}"
  else
    entry="\"demo\": {\"command\": $(json "$bin/troupe-demo-mcp"), \"args\": []}"
  fi
  cat >"$config" <<TEXT
{
  "listen": "127.0.0.1:$port",
  "data": $(json "$work/data"),
  "mcpServers": {
    $entry
  },
  "limits": {"drainSeconds": 5}
}
TEXT
}

# wait_for WHAT COMMAND...: polls until it succeeds; fails with the server's log if that ends first.
wait_for() {
  local what=$1 start
  shift
  start=$(milliseconds)
  until "$@"; do
    if ! kill -0 "$server" 2>/dev/null; then
      say 'it ended'
      tail -n 20 -- "$serve_log" | sed 's/^/    /' >&2
      server=
      fail "troupe serve ended before $what. Its output: $serve_log"
    fi
    if [ $(($(milliseconds) - start)) -gt 30000 ]; then
      say 'too late'
      tail -n 20 -- "$serve_log" | sed 's/^/    /' >&2
      fail "$what did not come within 30 s. The server's output: $serve_log"
    fi
    sleep 0.05
  done
}

is_ready() { [[ $(http_get /readyz) == "HTTP/1.1 200"* ]]; }
has_tools() { [[ $(http_get /v1/status) == *\"health\":\"success\"* ]]; }

start_server() {
  local start
  start=$(milliseconds)
  printf '==> Starting troupe serve on %s ... ' "$url"
  # In a process group of its own: Ctrl-C reaches this script alone, which then stops it in order.
  # Without the variables of a paid model: what is shown here is the same for everyone.
  set -m
  env -u OPENAI_API_KEY -u OPENAI_BASE_URL "$bin/troupe" serve --config "$config" \
    >"$serve_log" 2>&1 </dev/null &
  server=$!
  set +m
  wait_for "it was ready" is_ready
  wait_for "its MCP server was connected" has_tools
  seconds_since "$start" && say
}

run_turn() {
  local start code=0
  start=$(milliseconds)
  say "==> One chat turn with a tool call: troupe chat --server $url --events \"$question\""
  "$bin/troupe" chat --server "$url" --events "$question" </dev/null || code=$?
  [ "$code" = 0 ] || fail "the turn failed with exit code $code. The server's output: $serve_log"
  say "    the turn took $(seconds_since "$start")"
}

# has_page: whether the web page was built into the program.
has_page() { "$bin/troupe" --version | grep -q '^with the web page'; }

where_next() {
  local page="no web page is in this program: $bin/troupe --version says why"
  if has_page; then page="the web page, while the server runs: open it in a browser"; fi
  cat <<TEXT

Where to go next
  $url/
      $page
  $bin/troupe chat --config $config
      a conversation here, without a server
  curl -N $url/v1/sessions/hello/turns -d '{"message": "hello"}'
      the native event stream, while the server runs; POST /api/chat speaks the AI SDK's protocol
  $config
      this server's configuration; "models" in it takes any OpenAI-compatible model
  README.md, ARCHITECTURE.md
      how it works
TEXT
}

mkdir -p "$log_folder"
begin=$(milliseconds)
require_free_port
get_programs
find_everything
write_config
start_server
run_turn
say "==> Everything together took $(seconds_since "$begin")"
where_next
if [ "$mode" = serve ]; then
  say
  say "Serving on $url. Ctrl-C stops it."
  interrupt_code=0
  wait "$server" || fail "troupe serve ended by itself. Its output: $serve_log"
fi
