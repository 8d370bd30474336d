#!/usr/bin/env bash
# Compiles each source alone, without code and without a cache: an include that only the unit of a
# room brings is found here. Takes about 20 minutes on two cores.
#
# Usage: scripts/alone.sh [REGEX]      only sources whose path matches, as actors/session
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top"

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cmake --preset release -B "$folder" -DTROUPE_UNITY=OFF -DTROUPE_BUILD_TESTS=ON >"$folder/configure.log"

# The commands of all sources, without optimisation and without writing anything.
ninja -C "$folder" -t compdb |
  sed -n 's/^ *"command": "\(.*\)",$/\1/p' | sed 's/\\"/"/g' |
  grep -E -- ' -c .*/('"${1:-}"').*\.cpp$' | sed -E 's/^[^ ]*ccache //; s/ -o [^ ]+//; s/ -O[0-9s]//; s/ -c / -O0 -DTROUPE_ALONE -fsyntax-only -c /' |
  sort -u >"$folder/commands"
say "$(wc -l <"$folder/commands") sources"
cd -- "$folder"
xargs -P "$(jobs_at_once)" -d '\n' -n 1 bash -c <"$folder/commands"
say "each source compiles alone"
