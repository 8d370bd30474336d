// Answers in Ollama's JSON: streamed, in one piece, refused.
#pragma once

#include <memory>
#include <string>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// dialect::frames: one line per token, one per call, and the line with `done`.
std::unique_ptr<frame_writer> ollama_frames(const answer& what, const chat_call& call);

/// dialect::whole.
std::string ollama_body(const answer& what, const chat_call& call);

/// dialect::refuse: {"error":"..."}, without any hint when to try again.
http_answer refuse_ollama(const refusal& why);

} // namespace troupe::scripted
