// Which ids are taken from others: clients choose those of chats and messages, providers those of
// tool calls.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Most bytes of the id of a chat, a message or an approval, and of a tool's name from a client.
inline constexpr size_t max_id_bytes = 256;

/// Most bytes of a tool call's id. Gateways put a thought signature into it, of a kilobyte and more
/// (LiteLLM: "call_x__thought__<base64>"), and want it back as it was.
inline constexpr size_t max_call_id_bytes = size_t{16} * 1024;

/// What is said of one that is_call_id() does not allow.
inline constexpr std::string_view call_id_rule = "must be a string of 1 to 16384 bytes";

/// Returns whether it may be the id of a tool call.
inline bool is_call_id(std::string_view id) noexcept {
  return !id.empty() && id.size() <= max_call_id_bytes;
}

} // namespace troupe
