#!/usr/bin/env bash
# Runs a part of the tests of a Catch2 program in one process: part.sh PROGRAM PART PARTS, from part 1.
# Under sanitizers a process takes longer to start than most tests take to run.
set -euo pipefail
program=$1 part=$2 parts=$3

names=$(mktemp)
trap 'rm -f -- "$names"' EXIT
# The exit code of a list is the number of tests, so it says nothing. In a file of names some signs
# have a meaning of their own.
{ "$program" --list-test-names-only || true; } |
  awk -v part="$part" -v parts="$parts" 'NF && NR % parts == part - 1' |
  sed 's/[\\,[]/\\&/g' >"$names"
wanted=$(wc -l <"$names")
[ "$wanted" -gt 0 ] || { echo "$program lists no tests" >&2; exit 1; }

# A name that the program does not find would be left out in silence.
code=0
"$program" --input-file "$names" --reporter compact --order decl | tee -- "$names.out" || code=$?
ran=$(sed -n -E 's/.* ([0-9]+) test cases?.*/\1/p' "$names.out" | tail -n 1)
rm -f -- "$names.out"
if [ "$code" = 0 ] && [ "${ran:-0}" != "$wanted" ]; then
  echo "$wanted tests were to run, not ${ran:-0}" >&2
  exit 1
fi
exit "$code"
