// Settings that each new session of a server has to be told again.
#pragma once

#include <set>
#include <string>

namespace troupe {

struct mcp_call;
struct mcp_wire;

/// The part of an mcp_connection that knows the log level and the subscriptions in force. Owned by
/// the connection's state; the actor's thread only.
class mcp_standing_requests {
public:
  explicit mcp_standing_requests(mcp_wire& wire) : wire_{wire} {}

  void start(const std::string& log_level); ///< "" = none
  void remember(const mcp_call& call);      ///< if it was a subscription or a log level
  void send(bool takes_log_level);          ///< to a new session

private:
  mcp_wire& wire_;
  std::string log_params_;              ///< of the logging/setLevel in force; "" = none
  std::set<std::string> subscriptions_; ///< uris
};

} // namespace troupe
