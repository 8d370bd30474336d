#include "actors/mcp_connection/mcp_standing_requests.hpp"

#include <utility>

#include "actors/mcp_connection/mcp_calls.hpp"
#include "actors/mcp_connection/mcp_wire.hpp"
#include "messages/wire/mcp/logging.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

constexpr size_t max_subscriptions = 10'000;

} // namespace

void mcp_standing_requests::start(const std::string& log_level) {
  if (!log_level.empty())
    log_params_ = mcp::set_level_params(log_level);
}

void mcp_standing_requests::remember(const mcp_call& call) {
  std::string uri;
  if (call.ask.method == "logging/setLevel")
    log_params_ = call.ask.params;
  else if (call.ask.method == "resources/subscribe" && !mcp::parse_updated(call.ask.params, uri) &&
           subscriptions_.size() < max_subscriptions)
    subscriptions_.insert(std::move(uri));
  else if (call.ask.method == "resources/unsubscribe" && !mcp::parse_updated(call.ask.params, uri))
    subscriptions_.erase(uri);
}

void mcp_standing_requests::send(bool takes_log_level) {
  auto deadline = wire_.now() + wire_.config.request_timeout;
  if (takes_log_level && !log_params_.empty())
    wire_.request({mcp_request::upkeep, 0, "logging/setLevel", deadline}, log_params_);
  for (const auto& uri : subscriptions_)
    wire_.request({mcp_request::upkeep, 0, "resources/subscribe", deadline}, mcp::uri_params(uri));
}

} // namespace troupe
