// What is right and wrong in a history, message by message.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/history/request_history.hpp"

namespace troupe {

/// Returns whether a provider takes the call as it is.
bool is_sound(const tool_call& call);

/// Returns the test whether a file of a result has to be shown by the user behind it.
std::function<bool(const message_file&)> is_shown_by_user(const history_rules& rules);

/// Returns whether the message is left out, since it says nothing to the model.
bool is_left_out(const chat_message& message, const history_rules& rules);

/// Returns whether providers take the history as it is, but for a system message at its beginning.
/// Looks at each message once.
bool is_in_order(const std::vector<chat_message>& history, const history_rules& rules);

} // namespace troupe
