// What the makers of random answers of any provider have in common.
#pragma once

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

/// Draws numbers, words and cuts; the same ones for the same seed.
class random_server {
public:
  explicit random_server(uint32_t seed) : random_{seed} {}

  /// Cuts bytes as a network does.
  std::vector<std::string_view> cut(std::string_view bytes) {
    std::vector<std::string_view> out;
    while (!bytes.empty()) {
      out.push_back(bytes.substr(0, 1 + below(one_in(2) ? 8 : 300)));
      bytes.remove_prefix(out.back().size());
    }
    return out;
  }

protected:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  bool one_in(uint32_t count) { return below(count) == 0; }

  /// Begins and ends with a word, because space next to tags belongs to neither side.
  std::string words(uint32_t count) {
    static constexpr std::string_view all[] = {
        "a",    "<",  "</", "</thi", ">",  "\n",           " ",
        "\n\n", "\"", "\\", "{}",    "}}", "w\xC3\xB6rld", "\xF0\x9F\x8C\x8D"};
    std::string out = "so";
    while (count-- > 0)
      out += all[below(std::size(all))];
    return out + "on";
  }

  /// Cuts a text between its characters.
  std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> out;
    for (size_t i = 0; i < text.size(); ++i) {
      const auto continues = (static_cast<uint8_t>(text[i]) & 0xC0) == 0x80;
      if (i == 0 || (!continues && one_in(3)))
        out.emplace_back();
      out.back().push_back(text[i]);
    }
    return out;
  }

private:
  std::mt19937 random_;
};

} // namespace troupe::test
