#!/usr/bin/env bash
# What the web page costs: its size, its start, streaming, long chats, diagrams. Prints a table.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
export TROUPE_BIN=${TROUPE_BIN:-$here/../build/release/bin}
exec "$here/../tests/page/run" "$here/page.mjs"
