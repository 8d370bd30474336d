// Reads the array of messages of a request, for all formats of a message.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"

namespace troupe {

/// Most calls that one message may hold.
inline constexpr size_t max_message_calls = 1024;

/// Reads each element with `read_one(slice, place, message)`, whose failure ends the walk; at most
/// max_request_messages elements.
/// @param array a slice of a json_source
template <class ReadOne>
failure read_message_list(std::string_view array, std::vector<chat_message>& out,
                          ReadOne read_one) {
  return read_list(array, "messages", max_request_messages,
                   [&](std::string_view text, const std::string& place) {
                     return read_one(text, place, out.emplace_back());
                   });
}

} // namespace troupe
