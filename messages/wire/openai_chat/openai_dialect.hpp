// What a chat-completions server wants otherwise than the others.
#pragma once

#include <cstddef>
#include <string>

#include "messages/chat/model_config.hpp"

namespace troupe {

/// What is known of a server by its address, and of a model by its name. Servers that nobody knows
/// get what most take.
struct openai_dialect {
  /// It takes members that others have added to messages: reasoning, signatures. The owners of the
  /// protocol refuse what they do not know.
  bool takes_extras = true;
  bool takes_stream_options = true;
  bool says_any = false;        ///< `tool_choice`: "any" for "required"
  bool has_new_bound = false;   ///< `max_completion_tokens` where nobody has chosen
  size_t max_call_id = 64;      ///< bytes of a call's id
  bool has_ids_of_nine = false; ///< ids are nine letters and digits
};

/// Returns the dialect of a model's server.
openai_dialect dialect_of(const model_config& model);

/// Returns the id of a call as the server takes it: the same for the call and its result.
std::string chat_call_id(const std::string& id, const openai_dialect& dialect);

} // namespace troupe
