// Columns that all databases have in one order: how a row becomes a value.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/store/api_key.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/usage_messages.hpp"
#include "transport/store/save_checks.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

/// The row that a query is at; columns count from 0.
template <class T>
concept stored_row = requires(const T& row) {
  { row.integer(0) } -> std::same_as<int64_t>;
  { row.natural(0) } -> std::same_as<uint64_t>;
  { row.view(0) } -> std::same_as<std::string_view>;
  { row.text(0) } -> std::same_as<std::string>;
};

/// Columns from `at`: name, title, created, updated, messages, version. The number of messages is
/// bounded: a damaged one must not lead to the messages of other conversations, or let a reader
/// wait for ever.
template <stored_row Row>
conversation_info read_info_columns(const Row& row, int at) {
  return {row.text(at),
          row.text(at + 1),
          row.integer(at + 2),
          row.integer(at + 3),
          std::min(row.natural(at + 4), most_kept_messages),
          row.natural(at + 5)};
}

/// Columns from `at`: turn_id, message_id, state, error, error_text, model, resumable, started,
/// ended, used.
/// @return store_damaged if they are no turn
template <stored_row Row>
failure read_turn_columns(const Row& row, turn_record& out, int at = 0) {
  out.turn_id = row.view(at);
  out.message_id = row.view(at + 1);
  out.state = static_cast<turn_state>(row.integer(at + 2));
  if (!row.view(at + 3).empty())
    out.error = {errc_from(row.view(at + 3)), row.text(at + 4)};
  out.model = row.view(at + 5);
  out.resumable = row.integer(at + 6) != 0;
  out.started_ms = row.integer(at + 7);
  out.ended_ms = row.integer(at + 8);
  if (stored::read_text(row.view(at + 9), out.used))
    return {};
  return {errc::store_damaged, "a turn cannot be read; restore the database from a copy"};
}

/// Columns: id, owner, name, hash, admin, requests_per_minute, concurrent_turns, created, revoked.
template <stored_row Row>
api_key read_key_columns(const Row& row) {
  return {row.text(0),
          row.text(1),
          row.text(2),
          row.text(3),
          row.integer(4) != 0,
          static_cast<uint32_t>(row.integer(5)),
          static_cast<uint32_t>(row.integer(6)),
          row.integer(7),
          row.integer(8)};
}

/// Columns: day, model, turns, requests, input, output, total, reasoning, cached.
template <stored_row Row>
usage_row read_usage_columns(const Row& row) {
  return {row.text(0),
          row.text(1),
          row.natural(2),
          row.natural(3),
          {row.natural(4), row.natural(5), row.natural(6), row.natural(7), row.natural(8)}};
}

} // namespace troupe
