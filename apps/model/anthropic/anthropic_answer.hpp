// Answers in the JSON of Anthropic's messages: streamed, in one piece, refused.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// dialect::frames: message_start, the blocks one after the other, message_delta, message_stop.
std::unique_ptr<frame_writer> anthropic_frames(const answer& what, const chat_call& call);

/// dialect::whole.
std::string anthropic_message(const answer& what, const chat_call& call);

/// dialect::refuse: {"type":"error","error":{...},"request_id":"..."}, with Retry-After and
/// anthropic-ratelimit fields where it is about the rate.
http_answer refuse_anthropic(const refusal& why);

/// Returns a call's id as Anthropic has it: "toolu_000001" for "call_000001".
std::string anthropic_call_id(std::string_view id);

} // namespace troupe::scripted
