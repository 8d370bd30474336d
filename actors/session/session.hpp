// One chat: its history, its running turn, and the events on their way to the subscriber.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "actors/turn/turn.hpp"
#include "messages/interfaces.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// What all sessions of an engine share; never changes while they live.
struct session_config {
  http_port* http = nullptr; ///< outlives the actors
  std::map<std::string, model_config> models;
  std::string default_model; ///< a key of `models`
  std::string system_prompt; ///< put before the history where that has none; "" = none
  turn_limits limits;
  bool keeps = false;            ///< chats are kept by the conversation_store
  bool waits_saved = false;      ///< what is saved must be durable before the turn goes on
  size_t max_waiting_turns = 16; ///< of one chat, with busy_policy::wait
  size_t max_log_bytes = 16 * 1024 * 1024; ///< of a resumable turn's events; then it ends
  std::chrono::milliseconds idle_timeout{30 * 60 *
                                         1000}; ///< without a turn, then the hub ends the session
};

/// The reason of an abort that makes way for the next turn, which waits for no client.
inline constexpr auto replaced_reason = "replaced";

/// Spawns the session of a chat. It dies when its parent tells it to expire, or with it.
///
/// It reports the end of each turn to its parent by one turn_ended. Once it has said `unsaved`
/// there, the next turn_ended that does not say so tells only that everything is saved, and ends no
/// turn: it may cross a start_turn. One that is told to expire while something is unsaved stays,
/// and says so.
session_actor spawn_session(session_hub_actor::pointer parent, std::string session_id,
                            std::shared_ptr<const session_config> config);

} // namespace troupe
