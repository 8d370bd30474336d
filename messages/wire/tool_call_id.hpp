// Bounds of ids that others choose: clients for chats and messages, providers for tool calls.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Most bytes of the id of a chat, a message or an approval, and of a tool's name from a client.
inline constexpr size_t max_id_bytes = 256;

/// Most bytes of a tool call's id. Some gateways put a thought signature of more than a kilobyte
/// into it (LiteLLM: "call_x__thought__<base64>") and want the id back unchanged.
inline constexpr size_t max_call_id_bytes = size_t{16} * 1024;

/// The error text for an id that is_call_id() refuses.
inline constexpr std::string_view call_id_rule = "must be a string of 1 to 16384 bytes";

/// Returns whether it may be the id of a tool call.
inline bool is_call_id(std::string_view id) noexcept {
  return !id.empty() && id.size() <= max_call_id_bytes;
}

} // namespace troupe
