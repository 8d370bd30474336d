// What tests ask of a store of conversations, and its clock.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "messages/json.hpp"
#include "messages/store/store_port.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

/// Milliseconds since 1970 for the stores of a test; one more at each look.
inline int64_t& store_time() {
  static int64_t now = 1'700'000'000'000;
  return now;
}

inline int64_t next_store_time() {
  return ++store_time();
}

inline std::unique_ptr<store_connection> connected(store_port& port,
                                                   durability how = durability::normal) {
  failure why;
  auto made = port.open(how, why);
  INFO(why.text());
  REQUIRE(made != nullptr);
  return made;
}

inline chat_message said(role who, std::string text, std::string id = {}) {
  chat_message out;
  out.who = who;
  out.text = std::move(text);
  out.id = std::move(id);
  return out;
}

inline save_chat saving(std::string session_id, std::vector<chat_message> more, uint64_t keep = 0) {
  save_chat out;
  out.session_id = std::move(session_id);
  out.more = std::move(more);
  out.keep = keep;
  return out;
}

/// Saves and returns the version.
inline uint64_t save(store_connection& store, const save_chat& what) {
  auto answer = store.save(what);
  INFO(answer.error.text());
  CHECK(answer.error.code == errc::none);
  return answer.version;
}

inline std::vector<std::string> texts_of(const std::vector<chat_message>& history) {
  std::vector<std::string> out;
  for (const auto& message : history)
    out.push_back(message.text);
  return out;
}

/// Does the upkeep until none is left.
inline void tidy_up(store_connection& store) {
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
}

} // namespace troupe::test
