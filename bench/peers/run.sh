#!/usr/bin/env bash
# All peers beside Troupe, one script after the other; each prints its own Markdown tables. About
# twenty minutes. Names as arguments run these alone: turns first_token idle paced mcp.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
if [ $# = 0 ]; then set -- turns first_token idle paced mcp; fi
for name in "$@"; do
  script=bench/peers/$name.sh
  if [ "$name" = mcp ]; then script=bench/mcp.sh; fi
  timeout -k 20 570 "$script"
done
