// The messages of a request, as Anthropic wants them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/json.hpp"
#include "messages/wire/history/request_history.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Marks a block: what comes up to it is kept in the provider's cache for the next request.
inline constexpr std::string_view anthropic_cache_mark = R"(,"cache_control":{"type":"ephemeral"})";

/// The facts about the messages that the rest of the request needs.
struct anthropic_messages_facts {
  std::vector<std::string> called; ///< names of tools in the history, sorted, each once
  /// The running loop of calls began without thoughts of this model: a request that asks for them
  /// by budget is refused.
  bool loop_lacks_thoughts = false;
};

/// Returns what Anthropic demands of a history. An answer stands at its end only if the provider
/// paused in it.
history_rules anthropic_history_rules(const model_request& asked);

/// Appends the array of messages: user and assistant in turn, neighbours of one role as one
/// message, results first. Answers of this model go back block by block as they came
/// (anthropic_sealed).
/// @param marks whether the last two messages of the user get cache marks
anthropic_messages_facts append_anthropic_messages(json_buffer& out, const model_request& asked,
                                                   const request_history& history, bool marks);

} // namespace troupe
