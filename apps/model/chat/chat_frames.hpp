// A chat completion as the server-sent events that OpenAI streams it in.
#pragma once

#include <memory>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// dialect::frames: role, one event per token, finish_reason, usage if it was asked for, [DONE].
std::unique_ptr<frame_writer> chat_frames(const answer& what, const chat_call& call);

} // namespace troupe::scripted
