#include "messages/mcp/server_status.hpp"

namespace troupe {

std::string to_string(server_health what) {
  switch (what) {
  case server_health::idle:
    return "idle";
  case server_health::connecting:
    return "connecting";
  case server_health::success:
    return "success";
  case server_health::error:
    return "error";
  }
  return "idle";
}

std::string to_string(server_phase what) {
  switch (what) {
  case server_phase::idle:
    return "Idle";
  case server_phase::transport_creating:
    return "TransportCreating";
  case server_phase::initializing:
    return "Initializing";
  case server_phase::listing_tools:
    return "ListingTools";
  case server_phase::connected:
    return "Connected";
  case server_phase::waiting_to_reconnect:
    return "WaitingToReconnect";
  case server_phase::given_up:
    return "GivenUp";
  case server_phase::disconnecting:
    return "Disconnecting";
  case server_phase::disconnected:
    return "Disconnected";
  }
  return "Idle";
}

} // namespace troupe
