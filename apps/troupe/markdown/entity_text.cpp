#include "apps/troupe/markdown/entity_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"

namespace troupe {

std::string entity_text(std::string_view entity) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named{{{"&amp;", "&"},
                                                                                {"&lt;", "<"},
                                                                                {"&gt;", ">"},
                                                                                {"&quot;", "\""},
                                                                                {"&apos;", "'"},
                                                                                {"&nbsp;", " "}}};
  for (const auto& [name, text] : named)
    if (entity == name)
      return std::string{text};
  if (!entity.starts_with("&#"))
    return std::string{entity};
  auto digits = entity.substr(2, entity.size() - 3);
  const auto is_hex = digits.starts_with('x') || digits.starts_with('X');
  digits.remove_prefix(is_hex ? 1 : 0);
  uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  std::string out;
  append_code_point(out, code);
  return terminal_text(out);
}

} // namespace troupe
