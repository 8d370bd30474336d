// OpenAI's chat completions, as the scripted model speaks them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "apps/model/dialect/dialect.hpp"
#include "apps/model/script/answer.hpp"
#include "apps/model/script/chat_call.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

/// Appends `{"id":...,"object":...,"created":...,"model":...,"system_fingerprint":...`, the object
/// left open. Id and time are the same in every answer.
void append_completion_head(json_buffer& out, std::string_view object, std::string_view model);

/// Appends the usage object: 10 tokens of prompt, whatever it is, and `tokens` of completion.
void append_usage_counts(json_buffer& out, const answer& what, size_t tokens);

/// Returns `finish_reason`.
std::string_view finish_of_chat(const answer& what);

/// Returns the answer to a request without `stream`.
std::string completion_body(const answer& what, const chat_call& call);

/// POST /v1/chat/completions.
extern const dialect chat_dialect;

} // namespace troupe::scripted
