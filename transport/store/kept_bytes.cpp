#include "transport/store/kept_bytes.hpp"

#include <algorithm>

namespace troupe {

size_t bytes_of(const chat_message& message) {
  auto bytes = message.text.size() + message.reasoning.size() + message.provider_metadata.size();
  for (const auto& call : message.tool_calls)
    bytes += call.arguments.size() + call.provider_metadata.size();
  for (const auto& extra : message.extras)
    bytes += extra.content.size();
  for (const auto& file : message.files)
    bytes += file.url.size();
  for (const auto& part : message.shown)
    bytes += part.value.size();
  return bytes;
}

uint64_t kept_bytes(const turn_record& turn) {
  const uint64_t texts =
      turn.turn_id.size() + turn.message_id.size() + turn.model.size() + turn.error.message.size();
  return std::max(texts, kept_row_bytes);
}

uint64_t kept_bytes(const save_chat& ask) {
  uint64_t out = ask.turn.turn_id.empty() ? 0 : kept_row_bytes;
  for (const auto& message : ask.more)
    out += bytes_of(message) + message.id.size() + kept_row_bytes;
  return out;
}

uint64_t kept_bytes(const conversation& content) {
  uint64_t out = 0;
  for (const auto& each : content.messages)
    out += bytes_of(each.message) + kept_row_bytes;
  for (const auto& each : content.turns)
    out += kept_bytes(each);
  return out;
}

} // namespace troupe
