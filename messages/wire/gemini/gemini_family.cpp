#include "messages/wire/gemini/gemini_family.hpp"

#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

constexpr int newest_generation = 30;
constexpr int last_generation = 99; ///< larger numbers are dates: gemini-exp-1206

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the first number after "gemini", as "2.5" or "3", in tenths; 0 if there is none.
int number_in(std::string_view name) {
  size_t at = 0;
  while (at < name.size() && !(is_digit(name[at]) && name[at - 1] == '-'))
    ++at;
  int whole = 0;
  for (; at < name.size() && is_digit(name[at]) && whole <= last_generation; ++at)
    whole = whole * 10 + (name[at] - '0');
  const auto has_tenth = at + 1 < name.size() && name[at] == '.' && is_digit(name[at + 1]);
  const auto tenths = whole * 10 + (has_tenth ? name[at + 1] - '0' : 0);
  return tenths > last_generation ? 0 : tenths;
}

int generation_of(std::string_view name) {
  const auto at = name.find("gemini");
  if (at == std::string_view::npos)
    return 0;
  const auto numbered = number_in(name.substr(at));
  return numbered == 0 && name.ends_with("latest") ? newest_generation : numbered;
}

} // namespace

gemini_family gemini_family_of(const model_config& model) {
  const auto name = model_name(model);
  gemini_family made;
  made.generation = generation_of(name);
  made.is_pro = has(name, "-pro");
  made.is_lite = has(name, "-lite");
  made.is_gemma = has(name, "gemma");
  made.is_google =
      model.base_url.empty() || has(model.base_url, "generativelanguage.googleapis.com");
  return made;
}

} // namespace troupe
