// Differences between servers of the chat-completions protocol.
#pragma once

#include "messages/chat/model_config.hpp"
#include "messages/wire/history/call_ids.hpp"

namespace troupe {

/// The properties of a server by its address, and of a model by its name. Servers that nobody knows
/// get the properties of most.
struct openai_dialect {
  /// It takes members that others have added to messages: reasoning, signatures. The owners of the
  /// protocol refuse what they do not know.
  bool takes_extras = true;
  bool takes_stream_options = true;
  bool says_any = false;      ///< `tool_choice`: "any" for "required"
  bool has_new_bound = false; ///< `max_completion_tokens` where nobody has chosen
  call_id_rule call_ids{.any_characters = true};
};

/// Returns the dialect of a model's server. Looks at address and name; once for a request.
openai_dialect dialect_of(const model_config& model);

} // namespace troupe
