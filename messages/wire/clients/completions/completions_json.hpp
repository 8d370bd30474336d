// Pieces that streamed and whole chat completions share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/chat/tool_events.hpp"
#include "messages/chat/turn_events.hpp"
#include "messages/chat/usage.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends `{"id":...,"object":...,"created":...,"model":...,`.
void append_completions_head(json_buffer& out, std::string_view object, std::string_view id,
                             int64_t created, std::string_view model);

/// Appends the usage object with its details.
void append_completions_usage(json_buffer& out, const usage& used);

/// Appends the members of a client-side call, without the braces.
void append_completions_call(json_buffer& out, const tool_args_complete& call);

/// Returns OpenAI's spelling; "stop" for reasons that OpenAI does not have. Clients treat
/// "tool_calls" without calls as a defect: a turn that may run no more calls ends with "length".
std::string_view completions_reason(finish_reason why, bool has_calls);

/// Returns whether the client must run the call. A call whose arguments are no object is not shown:
/// the model is told and goes on.
bool is_for_client(const tool_args_complete& call);

/// Returns the text for a client whose turn was stopped.
std::string aborted_text(const abort_event& what);

} // namespace troupe
