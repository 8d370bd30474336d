#!/usr/bin/env bash
# What the web page costs, as a table beside its budgets: page.sh [load] [streams] [chats] [diagrams]
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
export TROUPE_BIN=${TROUPE_BIN:-$here/../build/release/bin}
exec "$here/../tests/page/run" "$here/page.mjs" "$@"
