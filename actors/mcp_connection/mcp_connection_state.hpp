// The state of an mcp_connection actor: its life in mcp_connection.cpp, what passes over the
// channel in ..._messages.cpp, calls in ..._calls.cpp and ..._tasks.cpp, lists in ..._lists.cpp,
// what the server wants of us in ..._peer.cpp.
#pragma once

#include <string>
#include <string_view>

#include "actors/mcp_connection/mcp_connection_data.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

struct mcp_connection_state : mcp_connection_data {
  static inline const char* name = "troupe.mcp_connection";

  explicit mcp_connection_state(mcp_connection_actor::pointer ptr) : self{ptr} {}

  void start(mcp_hub_actor to, mcp_port* through, mcp_server_config with);
  mcp_connection_actor::behavior_type make_behavior();

  // -- life --------------------------------------------------------------------------------------
  void open();
  void on_inbound(const mcp_inbound& in);
  void on_received(const mcp_inbound& in);
  void on_initialized(const jsonrpc::response& answer);
  void on_connected();
  void keep_up();                     ///< sends again what a new session has to be told
  void drop(const failure& why);      ///< gives up a connection that can not be used
  void on_closed(const failure& why); ///< what is in flight ends or waits; then connects again
  void connect_again(const mcp_backoff::verdict& next);
  void on_reconnect(uint64_t number);
  void on_restart();
  caf::result<atom::done> on_disconnect();
  void end();
  void report(server_health health, server_phase phase);
  void report(server_phase phase); ///< on the way to be connected
  void report();
  void note(std::string line); ///< into the log; told with the next report
  std::string describe(const failure& why) const;
  clock::time_point now() const { return self->clock().now(); }

  // -- messages ----------------------------------------------------------------------------------
  int64_t request(mcp_requests::pending what, const std::string& params);
  void notify(std::string_view method, const std::string& params);
  void respond(std::string json);
  void wake_by(clock::time_point at);
  void on_tick();
  void expire_requests(clock::time_point at);
  void ping_if_silent(clock::time_point at);
  void on_message(jsonrpc::response& answer);
  void on_message(const jsonrpc::request& ask);
  void on_message(const jsonrpc::notification& note_of);
  void on_message(const jsonrpc::malformed& noise);
  void on_failed(int64_t id, const failure& why, bool not_run);
  void on_log(const std::string& params);
  void tell_dropped_logs();
  void tell(std::string kind, std::string data);

  // -- calls -------------------------------------------------------------------------------------
  void on_call(server_call& ask);
  failure prepare(mcp_call& call) const; ///< decides how it is run, or why it can not be
  failure prepare_tool(mcp_call& call) const;
  void send_waiting();
  void send_call(mcp_call& call);
  void on_progress(const std::string& params);
  void on_answer(mcp_call& call, jsonrpc::response& got);
  void on_tool_result(mcp_call& call, std::string& result);
  void on_refusal(mcp_call& call, const jsonrpc::response& got);
  bool on_call_failed(mcp_call& call, const failure& why, bool not_run); ///< false: sent again
  void remember(const mcp_call& call); ///< a subscription or log level that is in force now
  void on_cancel(const server_cancel& cancel);
  void leave(mcp_call& call, const std::string& reason); ///< tells the server
  void expire_calls(clock::time_point at);
  void lose_calls(const failure& why, bool comes_again);
  void finish(mcp_call& call, errc error, std::string text, std::string result = {});
  void alive(mcp_call& call); ///< moves its idle deadline

  // -- calls as tasks ----------------------------------------------------------------------------
  bool on_created(mcp_call& call, const std::string& result);
  void poll(mcp_call& call);
  void poll_later(mcp_call& call);
  void poll_due(clock::time_point at);
  void on_poll(mcp_call& call, const jsonrpc::response& got);
  void on_task(mcp_call& call, const mcp::task& known);
  void on_task_status(const std::string& params);
  void ask_result(mcp_call& call);
  void cancel_task(const std::string& task_id);
  void on_abandoned(const jsonrpc::response& got);

  // -- lists -------------------------------------------------------------------------------------
  mcp_listing& list_of(mcp_list what) { return lists.at(static_cast<size_t>(what)); }
  void read_list(mcp_listing& list);
  void read_page(mcp_listing& list, const std::string& cursor);
  clock::time_point lists_due() const;
  void read_due_lists(clock::time_point at);
  void on_list_changed(const std::string& notification);
  void on_page(mcp_listing& list, const jsonrpc::response& answer);
  void on_listed(mcp_listing& list);
  void swap_in(mcp_list what, mcp_listed found);
  void on_list_failed(mcp_listing& list, const failure& why);
  void clear_list(mcp_list what);
  // -- what the server asks ----------------------------------------------------------------------
  void on_ask(const jsonrpc::request& ask);
  void on_ask_as_task(const jsonrpc::request& ask, std::chrono::milliseconds ttl);
  void pass_on(const jsonrpc::request& ask, uint64_t number);
  void on_task_request(const jsonrpc::request& ask);
  void on_task_cancel(const jsonrpc::request& ask, mcp_client_task& task);
  void on_reply(const server_reply& reply);
  void on_cancelled(const std::string& params);
  void end_task(mcp_client_task& task, mcp::task_status as, mcp_task_end how);
  void answer_result(const std::string& request_id, const mcp_client_task& task);
  void ask_over(const open_server_request& ask);
  void answered();
  uint64_t call_of(const std::string& params);

  mcp_connection_actor::pointer self;
};

} // namespace troupe
