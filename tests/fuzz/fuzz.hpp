// What the fuzzers share: input cut into pieces as a network would, and a check that always counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

/// Ends the process when a property does not hold, whatever NDEBUG says.
inline void require(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "property broken: %s\n", what);
  std::abort();
}

/// Returns the bytes of an input as text.
inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An input whose last byte chooses one of several parsers, or how one is used.
struct chosen_input {
  std::string_view text;
  uint8_t last = 0;
  uint8_t choice = 0; ///< of `count`: '0' is the first one, '1' the second, ...
};

/// Takes the last byte off an input. @param size at least 1
inline chosen_input choose(const uint8_t* data, size_t size, uint8_t count) {
  const auto last = data[size - 1];
  return {text_of(data, size - 1), last,
          static_cast<uint8_t>(static_cast<uint8_t>(last - '0') % count)};
}

/// Has the reader that the last byte of an input chooses read the rest. Returns 0, as a fuzzer
/// does.
template <class Readers>
int read_by_choice(const Readers& readers, const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto input = choose(data, size, static_cast<uint8_t>(std::size(readers)));
  readers[input.choice](input.text);
  return 0;
}

/// Takes the first line off `text`, without its end.
inline std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
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
