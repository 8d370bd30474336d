// Answers in the JSON of Gemini, streamed and in one piece.
#pragma once

#include <memory>
#include <string>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// dialect::frames: one response per token; a call comes whole, the first one with a signature if
/// the model thought. The last response has the finishReason. With chat_call::as_list the responses
/// are the elements of a JSON array, else server-sent events.
std::unique_ptr<frame_writer> gemini_frames(const answer& what, const chat_call& call);

/// dialect::whole.
std::string gemini_response(const answer& what, const chat_call& call);

} // namespace troupe::scripted
