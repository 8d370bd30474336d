// How much a model is asked to think, and how long its answer may be.
#pragma once

#include <cstdint>
#include <string>

#include "messages/wire/anthropic/anthropic_model.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// What a request says of thinking. `max_tokens` is demanded by the API and counts thoughts, too.
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

} // namespace troupe
