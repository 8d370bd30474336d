// All MCP servers of an engine: their connections, the tools index, the leases.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <caf/local_actor.hpp>

#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// How a server's settings are written down, as JSON like an entry of `mcpServers`. Any thread.
struct mcp_entry_format {
  std::function<std::string(const mcp_server_config&)> print;
  std::function<failure(std::string_view name, std::string_view entry, mcp_server_config& out)>
      parse; ///< reads what `print` made
};

/// The configured servers, in the order that decides about names.
struct mcp_hub_config {
  mcp_port* port = nullptr; ///< outlives the actors
  std::vector<mcp_server_config> servers;
  bool always_prefix = false; ///< tools are called "server_tool" also where their own name is free

  /// Lets a model answer this sampling/createMessage; client_answer, failure and tokens come back
  /// to `hub`. Returns whom to end when the question is over before. Empty: servers are told that
  /// there is no model.
  std::function<caf::actor(caf::local_actor& hub, const client_ask& ask)> sample = {};

  /// Set where a conversation_store runs: changes of servers are kept there as `mcpServers/NAME`,
  /// and hold again after a restart. Without it they hold as long as the hub runs.
  mcp_entry_format entries = {};

  /// The tools that automatic approvals hold for are kept there, too, as `mcpTools/NAME`.
  bool keeps_tools = false;
  std::shared_ptr<log_port> log = {}; ///< told when kept settings are dropped; may be nullptr
};

/// Spawns the hub, linked to its parent, and a connection for each enabled server. A connection
/// that crashes is started anew after a delay. A caller that dies gives its leases back, and its
/// calls are cancelled. What was asked of a hub that crashes is answered with an error.
///
/// Where changes are kept, the hub asks the conversation_store for them before it connects any
/// server, and a change is kept before it is made: its failure says that nothing was changed. So
/// start the hub after that store.
///
/// A hub that finds a resource store running is the successor of one that crashed, and cannot know
/// which chats have attachments: it tells all that they may have some. So start it before the
/// store.
mcp_hub_actor spawn_mcp_hub(caf::local_actor& parent, mcp_hub_config config);

} // namespace troupe
