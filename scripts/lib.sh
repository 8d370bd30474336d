# Shared by the scripts of this folder; source it, do not run it.
# shellcheck shell=bash disable=SC2034

# The top of the source tree.
top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

# What a build needs, and what the tests and the fuzzers need on top, by the names of Debian 12.
build_packages=(g++ cmake ninja-build ccache libcaf-dev libwebsockets-dev libev-dev libssl-dev
  libcap-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev libsimdjson-dev libfmt-dev libspdlog-dev
  libcli11-dev libutf8proc-dev libjemalloc-dev libyaml-dev libedit-dev libmd4c-dev mold brotli)
test_packages=(catch2 postgresql nginx clang-format ca-certificates curl procps
  chromium-headless-shell tmux)
fuzz_packages=(clang libclang-rt-dev)

export DEBIAN_FRONTEND=noninteractive
# One cache for all checkouts: what another folder compiled serves this one too.
export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=5G

# say TEXT...: one line about what goes on.
say() { printf '%s\n' "$*"; }

# fail TEXT...: one paragraph about what went wrong and what to do, then the end.
fail() {
  printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
  exit 1
}

# What the gate leaves out comes round: one of so many slices in each run. tests/CMakeLists.txt cuts the same number.
slices=14

# own_git COMMAND...: git in the repository of this very tree; fails where it has none.
own_git() { [ -e "$top/.git" ] && git -C "$top" "$@" 2>/dev/null; }

# slice_of_commit: the number, from 1, of the slice that this commit runs; the first without a repository.
slice_of_commit() {
  local hash
  hash=$(own_git rev-parse HEAD) || hash=00000000
  say $((16#${hash:0:8} % slices + 1))
}

# labels_of_other_slices SLICE: for a regular expression.
labels_of_other_slices() {
  local each labels=()
  for ((each = 1; each <= slices; each++)); do
    if [ "$each" != "$1" ]; then labels+=("slice_$each"); fi
  done
  (IFS='|' && say "${labels[*]}")
}

# recent_commit: the thirtieth before this one, or the oldest that is here; fails without a repository.
recent_commit() { own_git rev-list --first-parent --max-count=31 HEAD | tail -n 1 | grep .; }

# milliseconds: a clock for durations.
milliseconds() {
  local now=${EPOCHREALTIME/[.,]/}
  printf '%s' "$((now / 1000))"
}

# seconds_since START: "12.3 s".
seconds_since() {
  local took=$(($(milliseconds) - $1))
  printf '%d.%d s' "$((took / 1000))" "$((took % 1000 / 100))"
}

# phase TITLE COMMAND...: runs it in the open and says how long it took; returns its exit code.
phase() {
  local title=$1 start code=0
  shift
  start=$(milliseconds)
  say "==> $title"
  "$@" || code=$?
  say "    $title: exit code $code, $(seconds_since "$start")"
  return "$code"
}

# step TITLE ADVICE COMMAND...: runs it with its output in a log file and shows the end of that
# only when it fails; then ADVICE, and the end.
step() {
  local title=$1 advice=$2 start
  local log=${log_folder:?}/${title//[^A-Za-z0-9]/_}.log
  shift 2
  start=$(milliseconds)
  mkdir -p -- "$log_folder"
  printf '==> %s ... ' "$title"
  if "$@" >"$log" 2>&1 </dev/null; then
    say "$(seconds_since "$start")"
  else
    say "failed after $(seconds_since "$start")"
    tail -n 20 -- "$log" | sed 's/^/    /' >&2
    fail "$title failed. $advice The whole output: $log"
  fi
}

# missing_packages NAME...: those that are not installed, one per line.
missing_packages() {
  local name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || say "$name"
  done
}

# as_root COMMAND...: runs it as root, through sudo where needed.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -n -- env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# apt_install NAME...: installs them from the distribution's archive.
apt_install() {
  as_root apt-get update -q &&
    as_root apt-get install -q -y --no-install-recommends "$@" </dev/null
}

# node_packages: what the web page and the tests' clients need, where there is none.
node_packages() {
  command -v node >/dev/null || say nodejs
  command -v npm >/dev/null || say npm
}

# require_packages NAME...: installs what is missing, or says what to do. No apt call when all is there.
require_packages() {
  local missing
  if [ -n "${TROUPE_SKIP_PACKAGES:-}" ]; then return; fi
  if ! command -v dpkg-query apt-get >/dev/null; then
    fail "this is neither Debian nor Ubuntu. Install these by hand and set TROUPE_SKIP_PACKAGES=1: $*"
  fi
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" = 0 ]; then return; fi
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing and there is no sudo. As root: apt-get install ${missing[*]}"
    # A password is asked for here, in the open, and only where someone can type it.
    sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; } ||
      fail "packages are missing and sudo needs a password. As root: apt-get install ${missing[*]}"
  fi
  step "Installing ${#missing[@]} packages" \
    "Is there a network, and are these in its archive: ${missing[*]}?" apt_install "${missing[@]}"
}

# jobs_at_once: one compiler per core, but no more than fit into memory at 1.2 GB each.
jobs_at_once() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1200000) }' /proc/meminfo)
  if [ "$memory" -lt 1 ]; then memory=1; fi
  if [ "$memory" -lt "$cores" ]; then say "$memory"; else say "$cores"; fi
}
