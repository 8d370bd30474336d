#!/usr/bin/env bash
# Everything that .ci/run leaves out for most commits, and what it runs: all tests in both configurations, each
# header alone, transport/ with ThreadSanitizer, each fuzzer for a minute. Takes hours on two cores. The last lines
# say what each phase took; the exit code is 1 if something failed.
#
# Usage: scripts/full_gate.sh [CTEST-OPTION...]
#
# TROUPE_FIXTURES names a folder with recorded answers of providers, where there is one.
set -uo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top" || exit
budget=${TROUPE_GATE_SECONDS:-$((5 * 3600))}
source scripts/phases.sh
export CI=true
unset TROUPE_SLICE

kept scripts/test.sh "$@"
kept ctest --preset release -L "^gate$" --output-junit "$top/build/release/gate.xml"
kept scripts/test.sh --asan "$@"
kept scripts/test.sh --tsan "$@"
kept scripts/fuzz.sh 60
finish
