// Opens channels to MCP servers: one row per transport.
#pragma once

#include <memory>

#include "messages/ports/ports.hpp"
#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_http.hpp"
#include "transport/mcp/mcp_stdio.hpp"
#include "transport/mcp/mcp_websocket.hpp"

namespace troupe {

/// Bounds and patience of all channels.
struct mcp_channel_limits {
  mcp_stdio_limits stdio;
  mcp_http_limits http;
  mcp_websocket_limits websocket{};
};

/// The `mcp_port` of this process. A channel lives on the loop of the thread that opens it, else on
/// the next loop in turn; its callback runs there. Channels may be used and destroyed on any
/// thread. A `type` without a row ends the channel with config_invalid and the list of the known
/// types.
///
/// A channel over HTTP that is destroyed without close() still deletes its session, in the
/// background. Destroying this object ends all channels at once, without deleting sessions. The
/// loops must outlive it; channels must not be used once the loops are destroyed.
class mcp_channels final : public mcp_port {
public:
  /// @param http carries the channels over HTTP; must outlive this
  mcp_channels(shards& on, http_port& http, const mcp_channel_limits& limits = {});
  ~mcp_channels() override;

  std::unique_ptr<mcp_channel> open(const mcp_server_config& config, uint64_t channel,
                                    receiver deliver) override;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
