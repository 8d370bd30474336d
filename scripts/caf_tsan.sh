#!/usr/bin/env bash
# Builds the installed CAF once more, with ThreadSanitizer, into build/caf-tsan, where the preset
# tsan-transport looks for it. In Debian's build ThreadSanitizer does not see the atomics that order
# what actors do, and takes all of it for races.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

prefix=$top/build/caf-tsan
read -r name version < <(dpkg-query -W -f='${source:Package} ${source:Version}\n' libcaf-dev)
if [ "$(cat "$prefix/version" 2>/dev/null)" = "$version" ]; then exit; fi

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# The archives that this machine uses, asked for sources, in folders of our own.
mkdir -p "$work"/{sources,lists/partial,cache}
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
  if [ ! -f "$list" ]; then continue; fi
  sed -E 's/^Types:.*/Types: deb-src/; s/^deb([[:space:]])/deb-src\1/' "$list" \
    >"$work/sources/$(basename -- "${list/%sources.list/main.list}")"
done
from=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources"
  -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache")
apt-get "${from[@]}" update -q
(cd -- "$work" && apt-get "${from[@]}" source --tar-only --download-only "$name=$version")
mkdir "$work/caf"
tar -xf "$work/$name"_*.orig.tar.* -C "$work/caf" --strip-components=1

without=()
for part in IO OPENSSL OPENCL PYTHON TOOLS EXAMPLES UNIT_TESTS; do
  without+=("-DCAF_NO_$part=yes")
done
rm -rf -- "$prefix"
cmake -G Ninja -S "$work/caf" -B "$work/build" "${without[@]}" -DCAF_LOG_LEVEL=QUIET \
  -DCMAKE_CXX_STANDARD=17 -DCMAKE_CXX_FLAGS="-O1 -g1 -fno-omit-frame-pointer -fsanitize=thread -w" \
  -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_INSTALL_PREFIX="$prefix"
CCACHE_BASEDIR=$work cmake --build "$work/build" -j "$(jobs_at_once)" --target install
printf '%s\n' "$version" >"$prefix/version"
