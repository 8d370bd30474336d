// Pieces that streamed and whole chat completions share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/chat/tool_events.hpp"
#include "messages/chat/turn_events.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends `{"id":...,"object":...,"created":...,"model":...,`.
void append_completions_head(json_buffer& out, std::string_view object, std::string_view id,
                             int64_t created, std::string_view model);

/// Appends the usage object with its details.
void append_completions_usage(json_buffer& out, const usage& used);

/// Appends `,"extra_content":{...}` of a call: some providers refuse the next request without it.
/// Nothing if there is none. @param metadata tool_call::provider_metadata
void append_call_metadata(json_buffer& out, std::string_view metadata);

/// Appends the members of a client-side call, without the braces.
void append_completions_call(json_buffer& out, const tool_args_complete& call);

/// Returns whether the client must run the call. A call whose arguments are no object is not shown:
/// the model is told and continues.
bool is_for_client(const tool_args_complete& call);

/// Returns the text for a client whose turn was stopped.
std::string aborted_text(const abort_event& what);

/// Returns the HTTP status for a model that cannot be had, as a gateway has it: 504 where it was
/// too slow, 502 where it failed. @param otherwise the status of other codes
uint16_t gateway_status(errc code, uint16_t otherwise);

} // namespace troupe
