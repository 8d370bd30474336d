#!/usr/bin/env bash
# Installs what the tests need, builds and runs them. The last lines and the exit code are ctest's.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$top"
log_folder=$top/build/logs

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--asan | --tsan] [CTEST-OPTION...]

  (nothing)      release build, unit and integration tests
  --asan         the same with AddressSanitizer and UndefinedBehaviorSanitizer
  --tsan         the tests of transport/ with ThreadSanitizer
  CTEST-OPTION   handed to ctest, for example: -R integration

TROUPE_SKIP_PACKAGES=1 leaves the system's packages alone. TROUPE_SLICE=5 runs of the tests that the
gate cuts into slices (tests/CMakeLists.txt) only the fifth slice. Each test's time: build/PRESET/tests.xml
TEXT
}

preset=release
cmake_options=()
case ${1:-} in
--asan) preset=asan && shift ;;
--tsan) preset=tsan-transport && shift ;;
-h | --help) usage && exit 0 ;;
esac

# node runs the tests' clients; npm fetches it in the version that they are written for.
need_node() {
  local names
  mapfile -t names < <(node_packages)
  require_packages "${build_packages[@]}" "${test_packages[@]}" "${names[@]}"
}

# install_node_packages FOLDER: its pinned packages, unless this very lock file was installed before.
install_node_packages() (
  cd -- "$1"
  stamp=node_modules/.installed-lock
  if cmp -s package-lock.json "$stamp"; then return; fi
  npm ci --no-audit --no-fund </dev/null
  cp package-lock.json "$stamp"
)

build() {
  cmake --preset "$preset" "${cmake_options[@]}" -DTROUPE_BUILD_TESTS=ON
  cmake --build --preset "$preset" -j "$(jobs_at_once)" "$@"
}

if [ "$preset" = tsan-transport ]; then
  require_packages "${build_packages[@]}" "${test_packages[@]}"
  step "Building CAF with ThreadSanitizer" "Is there a network, and has the archive CAF's source?" \
    scripts/caf_tsan.sh
  cmake_options=(-U 'TROUPE_*_caf_core') # a folder that was configured before has Debian's
  phase "Building ($preset)" build --target transport
else
  need_node
  step "Installing the libraries of troupe-bench" "Is there a network?" \
    install_node_packages tests/libraries
  step "Installing the node packages" "Is there a network?" install_node_packages tests/integration
  step "Installing the packages of the page's tests" "Is there a network?" \
    install_node_packages tests/page
  phase "Building ($preset)" build
fi

say "==> Testing ($preset)"
# What a sanitizer cannot see differently has the label "once", and runs in the release build only.
# The label "gate" is for .ci/run.
skip=gate
[ "$preset" = release ] || skip+="|once"
[ -z "${TROUPE_SLICE:-}" ] || skip+="|$(labels_of_other_slices "$TROUPE_SLICE")"
# One more than there are cores: a test waits for a quarter of its time. Those with deadlines count as two.
exec ctest --preset "$preset" -j "$(($(nproc) + 1))" -LE "^($skip)\$" \
  --output-junit "$top/build/$preset/tests.xml" "$@" </dev/null
