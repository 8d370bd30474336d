// What the terminal chat makes of the texts of models, and of the bytes of a terminal. The last
// byte chooses the parser, in the order of `readers`.
#include <string>

#include "apps/troupe/editor/key_reader.hpp"
#include "apps/troupe/markdown/markdown_stream.hpp"
#include "messages/terminal_text.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace troupe;

namespace {

/// Returns the text without the sequences that paint it.
std::string unpainted(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto end = text.substr(at, 2) == "\x1b[" ? text.find_first_not_of("0123456789;", at + 2)
                                                   : std::string_view::npos;
    if (end != std::string_view::npos && text[end] == 'm')
      at = end;
    else
      out.push_back(text[at]);
  }
  return out;
}

template <class Feed>
std::string shown(Feed feed) {
  std::string out;
  markdown_stream stream{[] { return size_t{40}; }, [&](std::string_view lines) { out += lines; }};
  feed([&](std::string_view piece) { stream.add(piece); });
  stream.end();
  return out;
}

void read_markdown(std::string_view text) {
  // A sequence that paints is no fault of ours to begin with: it would be taken for one of ours.
  std::string foreign{text};
  for (auto& c : foreign)
    c = c == '\x1b' ? 'E' : c;
  const auto whole = shown([&](auto add) { add(foreign); });
  const auto cut = shown([&](auto add) { feed_in_pieces(foreign, 7, add); });
  require(whole == cut, "an answer looks the same however it was cut");
  const auto plain = unpainted(whole);
  require(terminal_text(plain, true) == plain, "nothing of a model's steers the terminal");
  shown([&](auto add) { add(text); });
}

template <class Feed>
std::string keys_of(Feed feed) {
  std::string out;
  key_reader keys;
  typed_key key;
  const auto take = [&](bool quiet) {
    while (keys.next(key, quiet))
      out += std::to_string(static_cast<int>(key.what)) + ':' +
             std::to_string(static_cast<uint32_t>(key.code)) + ':' + key.text + ' ';
  };
  feed([&](std::string_view piece) {
    keys.feed(piece);
    take(false);
  });
  take(true);
  return out;
}

void read_keys(std::string_view text) {
  const auto whole = keys_of([&](auto add) { add(text); });
  const auto cut = keys_of([&](auto add) { feed_in_pieces(text, 7, add); });
  require(whole == cut, "keys are the same however their bytes came");
}

constexpr void (*readers[])(std::string_view){read_markdown, read_keys};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
