#include "messages/wire/anthropic/anthropic_model.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

namespace troupe {

namespace {

/// A version as major * 100 + minor.
constexpr int version(int major, int minor) {
  return major * 100 + minor;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the number that begins at `at`, if it has one or two digits, and steps behind it: longer
/// ones are dates.
std::optional<int> short_number(std::string_view text, size_t& at) {
  auto end = at;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  if (end == at || end - at > 2)
    return std::nullopt;
  const auto number = std::stoi(std::string{text.substr(at, end - at)});
  at = end;
  return number;
}

/// Returns the first version in the name behind "claude": 405 for "claude-opus-4-5-20251101".
std::optional<int> version_in(std::string_view name) {
  for (size_t at = 1; at < name.size(); ++at) {
    const auto begins = name[at - 1] == '-' || name[at - 1] == '_' || name[at - 1] == '/';
    if (!begins || !is_digit(name[at]))
      continue;
    const auto major = short_number(name, at);
    if (!major)
      continue;
    size_t minor_at = at + 1;
    const auto goes_on = at < name.size() && (name[at] == '-' || name[at] == '.');
    const auto minor = goes_on ? short_number(name, minor_at) : std::nullopt;
    return version(*major, minor.value_or(0));
  }
  return std::nullopt;
}

uint64_t default_max_tokens(int claude) {
  if (claude < version(3, 5))
    return 4096;
  return claude < version(3, 7) ? 8192 : 32'000;
}

} // namespace

anthropic_model anthropic_model_of(std::string_view name) {
  std::string lower{name};
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto at = lower.find("claude");
  if (at == std::string::npos)
    return {};
  const auto claude = version_in(std::string_view{lower}.substr(at)).value_or(version(99, 0));
  anthropic_model made;
  made.max_tokens = default_max_tokens(claude);
  made.takes_sampling = claude < version(4, 7);
  made.takes_both = claude < version(4, 1);
  made.takes_strict = claude >= version(4, 5);
  made.takes_most_effort = claude >= version(4, 7);
  made.hides_thoughts = claude >= version(4, 7);
  if (claude < version(3, 7))
    made.thinking = anthropic_thinking_style::none;
  else if (claude >= version(4, 7))
    made.thinking = anthropic_thinking_style::adaptive;
  else if (claude >= version(4, 6))
    made.thinking = anthropic_thinking_style::either;
  return made;
}

} // namespace troupe
