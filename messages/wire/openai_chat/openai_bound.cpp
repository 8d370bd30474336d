#include "messages/wire/openai_chat/openai_bound.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace troupe {

namespace {

/// How servers say that they do not take a member, in lower case.
constexpr std::array<std::string_view, 8> not_taken{"unsupported", "not supported", "unrecognized",
                                                    "unknown",     "unexpected",    "extra inputs",
                                                    "not allowed", "instead"};

/// How they lead to the name that they want: "Use 'max_completion_tokens' instead".
constexpr std::array<std::string_view, 3> wanted{"use ", "requires ", "expects "};

std::string in_lower_case(std::string_view text) {
  std::string made{text};
  for (auto& c : made)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return made;
}

constexpr bound_name other(bound_name name) {
  return name == bound_name::old ? bound_name::newer : bound_name::old;
}

/// Returns which name the refusal is about: the one that it mentions first, unless it asks for
/// that.
bound_name refused_name(std::string_view text) {
  const auto old = text.find(old_bound);
  const auto newer = text.find(new_bound);
  if (old == newer)
    return bound_name::usual; // it mentions neither
  const auto first = old < newer ? bound_name::old : bound_name::newer;
  auto before = text.substr(0, std::min(old, newer));
  while (before.ends_with('\'') || before.ends_with('"') || before.ends_with('`'))
    before.remove_suffix(1);
  const auto asks = std::ranges::any_of(
      wanted, [before](std::string_view words) { return before.ends_with(words); });
  return asks ? other(first) : first;
}

} // namespace

std::string_view usual_bound(const model_config& model, const openai_dialect& dialect) {
  const auto learned = model.lessons.bound();
  if (learned == bound_name::usual)
    return dialect.has_new_bound ? new_bound : old_bound;
  return learned == bound_name::newer ? new_bound : old_bound;
}

bool learn_openai_bound(const model_config& model, std::string_view refusal) {
  const auto text = in_lower_case(refusal);
  const auto is_of_name = std::ranges::any_of(
      not_taken, [&text](auto words) { return text.find(words) != std::string::npos; });
  if (!is_of_name)
    return false;
  const auto refused = refused_name(text);
  if (refused == bound_name::usual)
    return false;
  return model.lessons.use_bound(other(refused));
}

} // namespace troupe
