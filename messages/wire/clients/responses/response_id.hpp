// The id of a response: where it is found again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// The place of a response that is kept.
struct response_place {
  std::string chat; ///< the client's id of the conversation
  size_t from = 0;  ///< messages before the answer, without the one that holds `instructions`
};

/// Returns the place as a text: "FROM_CHAT".
std::string place_text(const response_place& place);

/// Returns the place that such a text says; nothing for other texts.
std::optional<response_place> place_in(std::string_view text);

/// Returns an id that says the place: "resp_KEY_FROM_CHAT" with a new KEY.
std::string make_response_id(const response_place& place);

/// Returns the place that an id says; nothing for an id of a response that is not kept, or of
/// another server.
std::optional<response_place> place_of_response(std::string_view id);

} // namespace troupe
