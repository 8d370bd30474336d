// Registered names, as in OTP: how one long-lived actor finds another after either was restarted.
#pragma once

#include <caf/actor_registry.hpp>
#include <caf/actor_system.hpp>

#include "messages/interfaces/file_interfaces.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"

namespace troupe {

inline constexpr auto session_hub_name = caf::atom("sesshub");
inline constexpr auto mcp_hub_name = caf::atom("mcphub");
inline constexpr auto resource_store_name = caf::atom("resstore");
inline constexpr auto tool_output_store_name = caf::atom("toolout");
inline constexpr auto model_limiter_name = caf::atom("mlimiter");
inline constexpr auto conversation_store_name = caf::atom("convstore");
inline constexpr auto conversation_reader_name = caf::atom("convreader");
inline constexpr auto conversation_importer_name = caf::atom("convimport");
inline constexpr auto file_store_name = caf::atom("filestore");
inline constexpr auto telemetry_name = caf::atom("telemetry");
inline constexpr auto cluster_member_name = caf::atom("clumember");
inline constexpr auto cluster_directory_name = caf::atom("clusterdir");
inline constexpr auto cluster_limits_name = caf::atom("clulimits");

/// Returns the actor registered as `name`, or an invalid handle while there is none. Any thread.
template <class Handle>
Handle whereis(caf::actor_system& system, caf::atom_value name) {
  return caf::actor_cast<Handle>(system.registry().template get<caf::strong_actor_ptr>(name));
}

} // namespace troupe
