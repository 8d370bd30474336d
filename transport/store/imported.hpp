// What a store takes of a conversation that is imported.
#pragma once

#include <cstdint>
#include <string>

#include "messages/store/conversation.hpp"

namespace troupe {

/// Returns a time of an import; a missing or future time becomes now.
int64_t imported_time(int64_t time_ms, int64_t now_ms);

/// Returns the title of an import, or the automatic one if it has none.
std::string imported_title(const conversation& content);

/// Returns the message as it is to be stored: without pending approvals, since an import must not
/// be able to choose the calls that run. @param made holds it if it differs from `message`, which
/// is not copied otherwise: it may be very long
const chat_message& imported_message(const chat_message& message, chat_message& made);

/// Returns the turn as it is to be stored: no process runs it here.
turn_record imported_turn(turn_record turn);

} // namespace troupe
