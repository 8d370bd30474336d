// What a model takes, as far as its name tells.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// How a model is asked to think.
enum class anthropic_thinking_style : uint8_t {
  none,     ///< it cannot
  budget,   ///< thinking.budget_tokens
  either,   ///< budget, or as it likes, with output_config.effort
  adaptive, ///< as it likes only: a budget is refused
};

/// What models with one name take. The names are "claude-FAMILY-4-5", "claude-3-7-sonnet" and the
/// like, with words of gateways around them. A model of Anthropic whose version is not to be seen
/// is taken for a new one, any other model for one that takes what Anthropic's took first.
struct anthropic_model {
  anthropic_thinking_style thinking = anthropic_thinking_style::budget;
  uint64_t max_tokens = 8192; ///< of an answer, where nobody says how many; no more than it takes
  bool takes_sampling = true; ///< temperature, top_p and top_k
  bool takes_both = true;     ///< temperature and top_p at once
  bool takes_strict = false;  ///< tools with `strict`
  bool takes_most_effort = true; ///< the effort "xhigh"
  bool hides_thoughts = false;   ///< unless they are asked for
};

/// Returns what the model takes. @param name in any case
anthropic_model anthropic_model_of(std::string_view name);

} // namespace troupe
