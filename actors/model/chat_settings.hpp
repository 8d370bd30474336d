// Settings that the chats of an engine share.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "messages/chat/model_config.hpp"
#include "messages/chat/model_names.hpp"
#include "messages/cluster/node_lease.hpp"
#include "messages/limits.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Settings that all chats of an engine share; they never change while the engine lives.
struct chat_settings {
  http_port* http = nullptr; ///< outlives the actors
  std::map<std::string, model_config> models;
  std::string default_model;                       ///< a key of `models`
  std::map<std::string, std::string> aliases = {}; ///< other names of models; "*": of all unknown
  std::string system_prompt; ///< put before the history where that has none; "" = none
  turn_limits limits;
  chat_limits chats;
  bool keeps = false;       ///< chats are kept by the conversation_store
  bool waits_saved = false; ///< what is saved must be durable before the turn continues
  bool shares = false; ///< other nodes have the same chats: a turn begins when it has claimed its
  std::shared_ptr<const node_lease> lease = nullptr; ///< in the cluster; nullptr: in none
  bool has_quota = false;    ///< the store may refuse the beginning of a turn, which waits for that
  bool error_details = true; ///< clients get the texts of models and MCP servers about failures
  std::shared_ptr<log_port> log = nullptr; ///< gets the log lines; nullptr: nobody does

  /// Returns the key of `models` that an asked name stands for (model_key).
  const std::string& model_for(const std::string& asked) const {
    return model_key(asked, default_model, models, aliases);
  }

  /// Returns whether the store may refuse the beginning of a turn.
  bool refuses() const noexcept { return has_quota || shares; }
};

} // namespace troupe
