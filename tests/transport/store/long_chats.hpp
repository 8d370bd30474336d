// Chats of so many messages that stores change and read them in pieces.
#pragma once

#include <memory>
#include <string>

#include "tests/support/store_asks.hpp"
#include "tests/transport/store/change_asks.hpp"

namespace troupe::test {

inline constexpr size_t many = 1000; ///< messages

// -- changes --------------------------------------------------------------------------------------

/// An import of messages, and of a turn of every other one.
inline change_conversation importing(const std::string& id, size_t messages) {
  change_conversation out;
  out.verb = conversation_verb::import;
  out.session_id = id;
  for (size_t i = 0; i < messages; ++i)
    out.content.messages.push_back(
        {said(role::user, "word " + std::to_string(i), "m" + std::to_string(i)),
         1'600'000'000'000 + static_cast<int64_t>(i)});
  for (size_t i = 0; i < messages; i += 2) {
    turn_record turn;
    turn.turn_id = "t" + std::to_string(i);
    turn.message_id = "m" + std::to_string(i);
    turn.state = turn_state::ended;
    out.content.turns.push_back(turn);
  }
  return out;
}

inline std::unique_ptr<staged_change> staged(store_connection& store, change_conversation ask) {
  auto out = store.stage(ask);
  REQUIRE(out != nullptr);
  return out;
}

/// Does all pieces that are left; returns the last failure.
/// @param pieces counted up for each
inline failure finish(staged_change& work, int* pieces = nullptr) {
  conversation_info info;
  for (bool more = true; more;) {
    if (auto error = work.step(more, info))
      return error;
    if (pieces != nullptr)
      ++*pieces;
  }
  CHECK(info.messages > 0);
  return {};
}

inline void do_pieces(staged_change& work, int count) {
  conversation_info info;
  bool more = true;
  for (int i = 0; i < count; ++i) {
    REQUIRE_FALSE(work.step(more, info));
    REQUIRE(more);
  }
}

/// Does a change at once.
inline void change_at_once(store_connection& store, const change_conversation& ask) {
  const auto error = store.change(ask).error;
  INFO(error.text());
  REQUIRE_FALSE(error);
}

// -- readings -------------------------------------------------------------------------------------

/// A save of a chat with events of a turn that runs.
inline save_chat long_chat(const std::string& id, size_t messages = many) {
  auto out = saving(id, {});
  for (size_t i = 0; i < messages; ++i)
    out.more.push_back(said(role::user, "word " + std::to_string(i), "m" + std::to_string(i)));
  out.more.back().tool_calls.push_back({"c", "tool", "{}"});
  out.turn.turn_id = "t";
  out.turn.resumable = true;
  out.turn.state = turn_state::running;
  event_batch events;
  events.turn_id = "t";
  events.first_seq = 1;
  events.events.emplace_back(text_delta{"hi"});
  out.events.push_back(std::move(events));
  return out;
}

inline std::unique_ptr<chat_reading> reading_of(store_port& port, const std::string& id) {
  failure why;
  auto out = port.read_chat({id, {}, 5}, why);
  INFO(why.text());
  REQUIRE(out != nullptr);
  return out;
}

/// Reads all pieces that are left. @param pieces counted up for each
inline chat_record finish(chat_reading& reading, int* pieces = nullptr) {
  chat_record out;
  for (bool more = true; more;) {
    more = reading.step(out);
    if (pieces != nullptr)
      ++*pieces;
  }
  return out;
}

} // namespace troupe::test
