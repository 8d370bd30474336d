// Changes of conversations, and a conversation to change.
#pragma once

#include <string>
#include <utility>

#include "tests/support/store_asks.hpp"

namespace troupe::test {

inline change_conversation changing(std::string session_id, conversation_verb verb) {
  change_conversation out;
  out.session_id = std::move(session_id);
  out.verb = verb;
  return out;
}

inline change_conversation branching(std::string from, std::string to) {
  auto out = changing(std::move(from), conversation_verb::branch);
  out.to = std::move(to);
  return out;
}

/// Does a change as the store does it: in pieces if it is long.
inline failure do_change(store_connection& store, change_conversation ask) {
  auto work = store.stage(ask);
  if (!work)
    return store.change(ask).error;
  conversation_info info;
  for (bool more = true; more;)
    if (auto error = work->step(more, info))
      return error;
  return {};
}

/// Keeps a chat of two turns: u1, a1 (an answer with a call and its result), u2.
inline void keep_chat(store_connection& store, const std::string& id) {
  auto ask = saving(id, {said(role::user, "question", "u1"), said(role::assistant, "", "a1"),
                         said(role::tool, "result", "a1"), said(role::assistant, "answer", "a1"),
                         said(role::user, "more", "u2")});
  ask.turn.turn_id = "t1";
  ask.turn.message_id = "a1";
  ask.turn.state = turn_state::ended;
  save(store, ask);
  ask = saving(id, {}, 5);
  ask.turn.turn_id = "t2";
  ask.turn.message_id = "a2";
  save(store, ask);
}

} // namespace troupe::test
