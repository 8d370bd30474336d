#include "messages/wire/provider/earlier_reasoning.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "messages/ascii_case.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Parts of names, in lower case: providers put their own in front.
constexpr std::array<std::string_view, 4> all_turns{"kimi-k2.", "kimi-k2-thinking", "kimi-k3",
                                                    "deepseek-v4"};

/// How servers name it, and say that it is not there.
constexpr std::array<std::string_view, 2> reasoning_names{"reasoning_content", "thinking"};
constexpr std::array<std::string_view, 9> missing_words{"passed back", "pass back",    "missing",
                                                        "has no ",     "lacks",        "required",
                                                        "must be ",    "must include", "must have"};

/// Old models refuse what these want.
constexpr std::array<std::string_view, 5> unwanted_words{
    "not supported", "unsupported", "not allowed", "not permitted", "must not"};

template <size_t Count>
bool has_any_of(std::string_view text, const std::array<std::string_view, Count>& words) {
  return std::ranges::any_of(words, [text](auto each) { return text.find(each) != text.npos; });
}

} // namespace

reasoning_policy reasoning_policy_of(const model_config& model) {
  if (model.reasoning != reasoning_policy::keep)
    return model.reasoning;
  const auto all = model.lessons.wants_earlier_reasoning() ||
                   has_any_of(in_lower_case(model_name(model)), all_turns);
  return all ? reasoning_policy::all : reasoning_policy::keep;
}

bool learn_earlier_reasoning(const model_config& model, std::string_view refusal) {
  const auto text = in_lower_case(refusal);
  if (model.reasoning != reasoning_policy::keep && model.reasoning != reasoning_policy::all)
    return false; // somebody has chosen
  if (!has_any_of(text, reasoning_names) || !has_any_of(text, missing_words) ||
      has_any_of(text, unwanted_words))
    return false;
  model.lessons.want_earlier_reasoning();
  return true;
}

} // namespace troupe
