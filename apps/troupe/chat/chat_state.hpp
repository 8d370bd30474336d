// What a chat in the terminal is at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/troupe/chat/attached_file.hpp"
#include "apps/troupe/chat/chat_client.hpp"
#include "apps/troupe/chat/chat_host.hpp"
#include "apps/troupe/chat/chat_signals.hpp"
#include "apps/troupe/chat/turn_view.hpp"

namespace troupe {

/// What turns used, as far as their models said.
struct chat_usage {
  uint64_t turns = 0;
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
};

/// A chat, and what was set for its next messages. Main thread.
struct chat_state {
  chat_host& host;
  chat_client client;
  std::shared_ptr<chat_signals> signals;
  view_style style;
  bool can_ask = false;   ///< a person can answer questions
  std::string model = {}; ///< key for the next turns; "": the chat's, or the default
  /// Goes with the next message, and takes the place of what the chat has; "": it has none then.
  std::optional<std::string> system = {};
  std::vector<attached_file> files = {}; ///< go with the next message
  chat_usage used = {};                  ///< since the program began
  chat_usage last = {};                  ///< of the last turn
};

} // namespace troupe
