// Pieces that streamed and whole answers to Anthropic's clients share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/chat/tool_events.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe {

/// The members of one answer that do not come from the model.
struct claude_identity {
  std::string id;    ///< "msg_..."
  std::string model; ///< as the client asked for it
};

/// Appends `{"id":...,"type":"message","role":"assistant","model":...,`.
void append_claude_head(json_buffer& out, const claude_identity& of);

/// Appends the usage object: what came from a cache or went into it is not in `input_tokens`.
void append_claude_usage(json_buffer& out, const usage& used);

/// Appends `"id":...,"name":...` of a call for the client, and what its provider wants back.
void append_claude_call(json_buffer& out, const tool_args_complete& call);

/// Returns Anthropic's spelling. A turn that may run no more calls ends with "max_tokens": clients
/// treat "tool_use" without calls as a defect.
std::string_view claude_stop_reason(finish_reason why, bool has_calls);

/// Returns the HTTP status that has Anthropic's clients do what is right: they try again after 408,
/// 409, 429 and 5xx. @param otherwise the status of other codes
uint16_t claude_status(errc code, uint16_t otherwise);

/// Returns an error as Anthropic's clients read it: {"type":"error","error":{"type","message"}}.
/// @param status as claude_status() has it, which decides about the type
/// @param details JSON of `error.details`; "" = none
std::string claude_error(const failure& why, uint16_t status, std::string_view details = {});

/// `error.details` with which Anthropic's clients send the whole history instead of a thread.
inline constexpr std::string_view claude_thread_refusal =
    R"({"error_code":"thread_unsupported_request","unsupported":["thread"]})";

} // namespace troupe
