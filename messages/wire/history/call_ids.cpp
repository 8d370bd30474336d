#include "messages/wire/history/call_ids.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "messages/stable_hash.hpp"

namespace troupe {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool takes(char c, const call_id_rule& rule) {
  return is_letter_or_digit(c) || (rule.dashes && (c == '-' || c == '_'));
}

std::string in_base_36(uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (; number > 0; number /= 36)
    text.push_back(digits[number % 36]);
  text.resize(std::max<size_t>(text.size(), 13), '0');
  return text;
}

} // namespace

std::string call_id_for(std::string_view id, const call_id_rule& rule) {
  const auto right_size = rule.exact_bytes > 0 ? id.size() == rule.exact_bytes
                                               : !id.empty() && id.size() <= rule.max_bytes;
  if (right_size &&
      (rule.any_characters || std::ranges::all_of(id, [&](char c) { return takes(c, rule); })))
    return std::string{id};
  const auto hash = in_base_36(stable_hash(id));
  if (rule.exact_bytes > 0)
    return hash.substr(0, rule.exact_bytes); // at most the 13 characters of a hash
  std::string made;
  const auto room = rule.max_bytes - std::min(rule.max_bytes, hash.size() + 1);
  for (char c : id.substr(0, std::min<size_t>(room, 32)))
    if (takes(c, rule))
      made.push_back(c);
  if (rule.dashes && !made.empty())
    made.push_back('_');
  return made + hash;
}

} // namespace troupe
