#!/usr/bin/env bash
# Builds and runs the micro-benchmarks; arguments go to Google Benchmark, as
# --benchmark_filter=encode. About a minute. BENCH_BUILD is the build's folder.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source scripts/lib.sh
build=${BENCH_BUILD:-build/release}
log_folder=$build/logs

require_packages "${build_packages[@]}" libbenchmark-dev
if [ "$build" = build/release ]; then cmake --preset release >/dev/null; else cmake "$build" >/dev/null; fi
cmake --build "$build" --target bench-micro -j "$(jobs_at_once)" >&2
exec "$build/bin/bench-micro" "$@"
