#include "apps/troupe/editor/key_reader.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace key_reader_test {

using namespace troupe;
using kind = typed_key::kind;

namespace {

/// Reads bytes that come in pieces of `step`, and then no more. @return keys in words
std::string read(std::string_view bytes, size_t step) {
  key_reader keys;
  typed_key key;
  std::string out;
  const auto take = [&](bool quiet) {
    while (keys.next(key, quiet)) {
      if (key.what == kind::character)
        out += '<' + std::to_string(static_cast<uint32_t>(key.code)) + '>';
      else
        out += key.what == kind::paste ? "paste(" + key.text + ')' : "new_line";
    }
  };
  for (size_t at = 0; at < bytes.size(); at += step) {
    keys.feed(bytes.substr(at, step));
    take(false);
  }
  take(true);
  return out;
}

struct example {
  std::string bytes;
  std::string keys;
};

} // namespace

TEST_CASE("keys are the same for every way of cutting their bytes", "[apps][key_reader]") {
  const auto each = GENERATE(values<example>({
      {"a\r", "<97><13>"},
      {"\xC3\xA9\xF0\x9F\x99\x82", "<233><128578>"},
      {"\x1b[D", "<27><91><68>"},
      {"\x1b\r\x1b\nx", "new_linenew_line<120>"},
      {"\x1b[13;2u\x1b[27;2;13~", "new_linenew_line"},
      {"\x1b", "<27>"},
      {"\x1b[20", "<27><91><50><48>"},
      {std::string{"a\0b", 3}, "<97><98>"},
      {"\xC2\x9Bx", "<120>"},
      {"\xFFx", "<65533><120>"},
      {"\x1b[200~if a:\r  b\r\n\tc\n\x1b[201~\r", "paste(if a:\n  b\n\tc\n)<13>"},
      {"\x1b[200~\x1b[31mred\x07\x1b[201~x", "paste([31mred)<120>"},
      {"\x1b[200~\x1b[201~\x1b[200~b\x1b[201~", "paste()paste(b)"},
  }));
  for (size_t step = 1; step <= each.bytes.size(); ++step) {
    INFO("in pieces of " << step);
    CHECK(read(each.bytes, step) == each.keys);
  }
}

TEST_CASE("a paste waits for its end, however long it takes", "[apps][key_reader]") {
  key_reader keys;
  typed_key key;
  keys.feed("\x1b[200~abc");
  CHECK_FALSE(keys.next(key, true));
  CHECK_FALSE(keys.has_begun());
  keys.feed("\x1b[201~");
  REQUIRE(keys.next(key, false));
  CHECK(key.text == "abc");
}

TEST_CASE("a paste that was interrupted is forgotten", "[apps][key_reader]") {
  key_reader keys;
  typed_key key;
  keys.feed("\x1b[200~abc");
  CHECK_FALSE(keys.next(key, false));
  keys.clear();
  keys.feed("x");
  REQUIRE(keys.next(key, false));
  CHECK(key.code == U'x');
}

TEST_CASE("a paste of a megabyte is one key", "[apps][key_reader]") {
  const std::string text(size_t{1} << 20, 'x');
  key_reader keys;
  typed_key key;
  keys.feed("\x1b[200~");
  for (size_t at = 0; at < text.size(); at += 4096) {
    keys.feed(std::string_view{text}.substr(at, 4096));
    REQUIRE_FALSE(keys.next(key, false));
  }
  keys.feed("\x1b[201~");
  REQUIRE(keys.next(key, false));
  CHECK(key.text == text);
}

} // namespace key_reader_test
