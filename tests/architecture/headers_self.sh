#!/usr/bin/env bash
# Says whether the slices of the gate miss a header, and whether each is a part only: headers_self.sh BUILD
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/lib.sh"
all=$1/tests/architecture/headers.txt

missed=$(for ((slice = 1; slice <= slices; slice++)); do
  TROUPE_SLICE=$slice "$here/headers.sh" --list "$1"
done | sort -u | comm -13 - <(sort "$all"))
[ -z "$missed" ] || fail "no slice has: $missed"
part=$(TROUPE_SLICE=1 "$here/headers.sh" --list "$1" | wc -l)
[ "$part" -lt "$(wc -l <"$all")" ] || fail "a slice has all headers"
say "$slices slices have $(wc -l <"$all") headers; the first compiles $part"
