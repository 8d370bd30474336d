// Answers that a stored message shows, and that say nothing to a model.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace troupe {

/// Stands in a message's body before the id of such an answer (chat_message::shown).
inline constexpr std::string_view silent_answer = R"({"type":"assistant","value":)";

/// Adds the ids of such answers, as JSON strings: their turns belong to the message.
void add_silent_ids(std::string_view body, std::unordered_set<std::string>& to);

} // namespace troupe
