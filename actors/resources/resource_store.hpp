// Contents of MCP resources, read through a cache, and the attachments of chats.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include <caf/local_actor.hpp>

#include "actors/resources/attachments.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Bounds of the store. Times are those of the actor system's clock.
struct resource_store_config {
  std::chrono::milliseconds cache_ttl{5 * 60 * 1000};
  size_t cache_entries = 50;
  size_t cache_bytes = 64 * 1024 * 1024;
  attachment_limits attached;
  bool error_details = true;     ///< chats are told what servers say about their failures
  std::shared_ptr<log_port> log; ///< has it where they are not
};

/// Spawns the store, linked to its parent. It asks the actor registered as mcp_hub_name; without
/// one, reads fail with server_unavailable.
/// - Readers of the same resource share one request; a failure is not kept.
/// - A refused add_attachment is answered with an attachment that has an error and no id.
/// - mcp_event to the hub: "attachment" with {"sessionId", the attachment's members but its text,
///   "textBytes"}, "attachmentRemoved" with {"sessionId","id"}.
resource_store_actor spawn_resource_store(caf::local_actor& parent,
                                          resource_store_config config = {});

} // namespace troupe
