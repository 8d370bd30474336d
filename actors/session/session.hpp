// One chat: its history, its running turn, and the events on their way to the subscriber.
#pragma once

#include <memory>
#include <string>

#include "actors/model/chat_settings.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// The reason of an abort that makes way for the next turn, which waits for no client.
inline constexpr auto replaced_reason = "replaced";

/// Spawns the session of a chat. It dies when its parent tells it to expire, or with it.
///
/// It reports the end of each turn to its parent by one turn_ended. Where that says `unsaved`, one
/// chat_saved follows when everything is saved; it may cross a start_turn. A session that is told
/// to expire while something is unsaved stays, and answers expire_refused.
session_actor spawn_session(session_hub_actor::pointer parent, std::string session_id,
                            std::shared_ptr<const chat_settings> config);

} // namespace troupe
