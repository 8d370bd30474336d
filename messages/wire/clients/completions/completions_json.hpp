// Pieces that a streamed and a whole chat completion have in common.
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

/// Appends the members of a call of the client's, without the braces.
void append_completions_call(json_buffer& out, const tool_args_complete& call);

/// Returns OpenAI's spelling; what it has no word for is "stop". Clients take "tool_calls" without
/// calls for a defect, so a turn that may run no more of them ends with "length".
std::string_view completions_reason(finish_reason why, bool has_calls);

/// Returns whether the client is to run the call: one with arguments that are no object is not, the
/// model is told of it and goes on.
bool is_for_client(const tool_args_complete& call);

/// Returns what a client is told of a turn that was stopped.
std::string aborted_text(const abort_event& what);

} // namespace troupe
