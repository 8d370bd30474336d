// What the owner of a single_server_link has sent, as far as it must be known.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "messages/mcp/mcp_channel.hpp"
#include "messages/wire/mcp/jsonrpc_peek.hpp"

namespace troupe {

/// Requests without an answer, and those that were not sent, which their owner sends again on its
/// next link. Not thread safe.
class link_messages {
public:
  void sent(const mcp_outbound& message) {
    if (message.method == "initialize")
      first_ = message;
    if (message.request_id != 0)
      running_.insert(message.request_id);
    else if (message.method == "notifications/cancelled")
      running_.erase(jsonrpc::cancelled_request(message.json));
  }

  void heard(const mcp_inbound& in) {
    running_.erase(in.request_id);
    for (const auto& text : in.messages)
      for (const auto id : jsonrpc::response_ids(text))
        running_.erase(id);
  }

  /// There is no channel for it. Notifications are of no use to another one.
  void hold(mcp_outbound message) {
    if (message.method == "initialize")
      first_ = std::move(message);
    else if (message.request_id != 0)
      held_.push_back(message.request_id);
  }

  bool is_idle() const { return running_.empty(); } ///< no request runs
  const std::vector<int64_t>& held() const { return held_; }

  /// Returns `initialize`, which another node may have to answer, once it was sent.
  const std::optional<mcp_outbound>& first() const { return first_; }

private:
  std::optional<mcp_outbound> first_;
  std::set<int64_t> running_;
  std::vector<int64_t> held_;
};

} // namespace troupe
