// A response as its API writes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/responses/response_items.hpp"
#include "messages/wire/clients/responses/response_tools.hpp"

namespace troupe {

/// The members of a response that do not come from the model.
struct response_head {
  std::string id;
  std::string model;                  ///< as the client asked for it
  int64_t created = 0;                ///< Unix time, seconds
  std::string previous;               ///< previous_response_id; "" = none
  bool stored = false;                ///< it can be asked for again
  std::string place;                  ///< place_text() of one that is stored
  std::string echo;                   ///< response_request::echo
  std::vector<response_tool> special; ///< tools that the model sees in another form
};

/// How far a response is.
enum class response_state : uint8_t { in_progress, completed, incomplete, failed };

std::string_view to_string(response_state state);

/// The outcome of a response.
struct response_outcome {
  response_state state = response_state::in_progress;
  std::string_view incomplete_reason; ///< "max_output_tokens", "content_filter"; "" = none
  failure error;
  usage used; ///< written unless in_progress or failed
};

/// Returns the outcome of a turn that ended. One that may run no more calls is incomplete.
response_outcome outcome_of(finish_reason why, const usage& used, bool has_calls);

/// Appends the response object.
void append_response(json_buffer& out, const response_head& head, const response_outcome& outcome,
                     const std::vector<response_item>& items);

} // namespace troupe
