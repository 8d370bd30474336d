// The state of an mcp_connection actor; its life is in mcp_connection.cpp, its calls in
// mcp_connection_calls.cpp.
//
//   open --opened--> initializing --result--> listing_tools --last page--> connected
//    ^                    |                        |                           |
//    '--- reconnect_delay ---------- waiting_to_reconnect <-- closed, dropped -'
#pragma once

#include <deque>
#include <memory>
#include <string>

#include <caf/all.hpp>

#include "actors/mcp_requests.hpp"
#include "actors/tools_listing.hpp"
#include "messages/interfaces.hpp"
#include "messages/mcp.hpp"
#include "messages/ports.hpp"
#include "messages/wire/jsonrpc.hpp"

namespace troupe {

struct mcp_connection_state {
  static inline const char* name = "troupe.mcp_connection";
  using clock = mcp_requests::clock;

  explicit mcp_connection_state(mcp_connection_actor::pointer ptr) : self{ptr} {}

  mcp_connection_actor::behavior_type make_behavior();

  // -- life --------------------------------------------------------------------------------------
  void open();
  void on_inbound(const mcp_inbound& in);
  void on_initialized(const jsonrpc::response& answer);
  void start_listing();
  void list_page(const std::string& cursor);
  void on_page(const jsonrpc::response& answer);
  void on_connected();
  void drop(const failure& why);      ///< gives up a connection that can not be used
  void on_closed(const failure& why); ///< answers what is in flight, then waits to connect again
  void on_reconnect(uint64_t number);
  caf::result<atom::done> on_disconnect();
  void end();
  void report(server_health health, server_phase phase);
  std::string describe(const failure& why) const;
  clock::time_point now() const { return self->clock().now(); }

  // -- messages ----------------------------------------------------------------------------------
  void request(mcp_request what, std::string_view method, const std::string& params, uint64_t call,
               std::chrono::milliseconds timeout);
  void notify(std::string_view method, const std::string& params);
  void on_message(const jsonrpc::response& answer);
  void on_message(const jsonrpc::request& ask);
  void on_message(const jsonrpc::notification& note);
  void on_message(const jsonrpc::malformed& noise);
  void on_list_changed();

  // -- calls -------------------------------------------------------------------------------------
  void on_call(server_call& call);
  void send_call(const server_call& call);
  void on_result(uint64_t call, const jsonrpc::response& got);
  void answer(uint64_t call, errc error, std::string text, std::string result = {});
  void lose_calls(const failure& why);
  void call_over();
  void on_cancel(const server_cancel& cancel);
  void on_failed(int64_t id, const failure& why);
  void on_tick();

  mcp_connection_actor::pointer self;
  mcp_hub_actor hub;
  mcp_port* port = nullptr;
  mcp_server_config config;
  server_status status;
  std::unique_ptr<mcp_channel> channel;
  uint64_t channel_number = 0; ///< of the current channel; inbound of others is dropped
  mcp_requests requests;
  tools_listing listing;
  std::deque<server_call> waiting; ///< for a free slot
  uint32_t calls_in_flight = 0;
  clock::time_point connected_at;
  bool ticking = false;
  bool disconnecting = false;
  caf::typed_response_promise<atom::done> disconnected;
};

} // namespace troupe
