// What the fuzzers share: input cut into pieces as a network would, and a check that always counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

/// Ends the process when a property does not hold, whatever NDEBUG says.
inline void require(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "property broken: %s\n", what);
  std::abort();
}

/// Calls `feed` with each piece of `bytes`; each lies in memory of its own, so that a sanitizer
/// sees a byte too far. @param seed decides the lengths
template <class Feed>
void feed_in_pieces(std::string_view bytes, uint32_t seed, Feed feed) {
  while (!bytes.empty()) {
    seed = seed * 1664525 + 1013904223;
    auto length = std::min<size_t>(bytes.size(), (seed >> 24) % ((seed >> 20) % 3 == 0 ? 3 : 90));
    std::vector<char> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    feed(std::string_view{copy.data(), copy.size()});
    bytes.remove_prefix(length);
  }
}
