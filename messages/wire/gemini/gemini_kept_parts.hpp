// The parts of an earlier answer, as they go back to the model that made them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// The parts that gemini_parts kept, and how their calls are known to the model.
struct gemini_kept_parts {
  std::string list;                  ///< JSON, without the brackets; never empty
  std::vector<std::string> call_ids; ///< of each call, as JSON; "" where the model gave none
  bool calls_are_signed = true;      ///< the first call has its signature, or there is no call
};

/// Returns the parts of the message's answer; nothing where none were kept, another model made
/// them, or they no longer say what the message says: somebody changed its text or its calls.
std::optional<gemini_kept_parts> kept_gemini_parts(const chat_message& message,
                                                   std::string_view model);

} // namespace troupe
