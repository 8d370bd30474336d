// The parameters of a request in Anthropic's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/json.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// How a model is asked to think.
enum class anthropic_thinking_style : uint8_t {
  none,     ///< it cannot
  budget,   ///< thinking.budget_tokens
  either,   ///< budget, or as it likes, with output_config.effort
  adaptive, ///< as it likes only: a budget is refused
};

/// The parameters that models with one name take. The names are "claude-FAMILY-4-5",
/// "claude-3-7-sonnet" and the like, with words of gateways around them. A model of Anthropic whose
/// version is not to be seen is taken for a new one, any other model for one that takes the
/// parameters of Anthropic's first ones.
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

/// The thinking that a request asks for. `max_tokens` is demanded by the API and counts thoughts,
/// too.
struct anthropic_thinking {
  uint64_t max_tokens = 0;
  std::string thinking; ///< JSON of the member; "" = left out
  std::string effort;   ///< of output_config; "" = left out
  bool is_on = false;   ///< the model was asked to think

  static constexpr int64_t least_budget = 1024;
};

/// Translates effort and budget into what the model takes: efforts into budgets and the other way
/// round, budgets down to half of a bound that the request has. A bound that leaves no room for the
/// least budget switches thinking off.
/// @param asked a member `thinking` of its `others` is taken out, and wins
/// @param may_think false: thinking is not asked for, because the request would be refused
anthropic_thinking decide_thinking(request_parameters& asked, const anthropic_model& model,
                                   bool may_think);

/// Appends `,"key":value` for what was asked. What Anthropic has no word for is left out: seed,
/// penalties, log probabilities, an answer of JSON without a schema; and so is what the model
/// refuses: temperature and top_k beside thinking, all three of newer models.
/// @param tools whether the request has tools
void append_anthropic_parameters(json_buffer& out, request_parameters asked,
                                 const anthropic_thinking& thinking, const anthropic_model& model,
                                 bool tools);

} // namespace troupe
