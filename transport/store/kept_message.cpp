#include "transport/store/kept_message.hpp"

#include <string_view>

#include <fmt/format.h>

#include "transport/store/kept_bytes.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

constexpr size_t max_message_bytes = size_t{256} * 1024 * 1024; ///< of a message; SQLite takes 10^9

/// Returns whether a member is stored in `body`, because it has no column of its own.
bool stands_in_body(std::string_view name) {
  return name != "role" && name != "text" && name != "id";
}

} // namespace

failure check_message(const chat_message& message) {
  if (bytes_of(message) <= max_message_bytes)
    return {};
  return {errc::store_failed, fmt::format("a message can have {} bytes", max_message_bytes)};
}

bool append_body(json_buffer& out, const chat_message& message) {
  return stored::append_some(out, message, stands_in_body);
}

} // namespace troupe
