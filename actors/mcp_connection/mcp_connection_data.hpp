// What an mcp_connection actor knows; what it does is in mcp_connection_state.hpp.
//
//   open --opened--> initializing --result--> listing_tools --last page--> connected
//    ^                    |                        |                           |
//    '--- mcp_backoff ---- waiting_to_reconnect, given_up <--- closed, dropped -'
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <caf/all.hpp>

#include "actors/alarm_clock.hpp"
#include "actors/mcp_connection/connection_log.hpp"
#include "actors/mcp_connection/mcp_backoff.hpp"
#include "actors/mcp_connection/mcp_calls.hpp"
#include "actors/mcp_connection/mcp_client_tasks.hpp"
#include "actors/mcp_connection/mcp_listing.hpp"
#include "actors/mcp_connection/mcp_log_limit.hpp"
#include "actors/mcp_connection/mcp_requests.hpp"
#include "actors/mcp_connection/secret_filter.hpp"
#include "actors/mcp_connection/server_requests.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// The members of mcp_connection_state.
struct mcp_connection_data {
  using clock = std::chrono::steady_clock;

  mcp_hub_actor hub;
  mcp_port* port = nullptr;
  mcp_server_config config;
  secret_filter secrets;
  server_status status;
  connection_log diary;
  mcp_backoff backoff{0, false};
  std::minstd_rand random{std::random_device{}()};

  std::unique_ptr<mcp_channel> channel;
  uint64_t channel_number = 0; ///< of the current channel; inbound of others is dropped
  int64_t related = 0;         ///< mcp_inbound::related of the messages that are read now
  clock::time_point opened_at;
  clock::time_point connect_by = never; ///< initialize has to be answered, or a lost session closed
  clock::time_point heard_at;
  int64_t ping_id = 0;     ///< of the last ping
  bool recovering = false; ///< the session was lost; calls wait, and the offer stays
  bool expired = false;    ///< the session is lost, the channel about to close
  bool disconnecting = false;
  std::vector<caf::typed_response_promise<atom::done>> disconnected;

  alarm_clock alarm;
  mcp_requests requests;
  mcp_calls calls{1};
  std::unordered_map<int64_t, uint64_t> task_tokens; ///< progress of calls that became tasks
  std::unordered_map<std::string_view, const mcp::tool*> tools; ///< of status.offered
  std::array<mcp_listing, 4> lists{mcp_listing{mcp_list::tools}, mcp_listing{mcp_list::resources},
                                   mcp_listing{mcp_list::templates},
                                   mcp_listing{mcp_list::prompts}};
  std::set<std::string> subscriptions; ///< uris
  std::string log_params;              ///< of the logging/setLevel in force; "" = none
  server_requests asks;
  mcp_client_tasks client_tasks;
  mcp_log_limit log_limit;
};

} // namespace troupe
