// An answer as the server-sent events of OpenAI's responses.
#pragma once

#include <memory>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// dialect::frames: response.created, the items one after the other, response.completed,
/// .incomplete or, behind an event `error`, .failed.
std::unique_ptr<frame_writer> responses_frames(const answer& what, const chat_call& call);

} // namespace troupe::scripted
