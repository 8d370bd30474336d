// The state of an mcp_connection actor: its life in mcp_connection.cpp, what passes over the
// channel in ..._messages.cpp. The rest is in its parts: mcp_server_calls, mcp_call_tasks,
// mcp_server_lists, mcp_peer_requests, mcp_standing_requests, mcp_unread_messages.
//
//   open --opened--> initializing --result--> listing_tools --last page--> connected
//    ^                    |                        |                           |
//    '--- mcp_backoff ---- waiting_to_reconnect, given_up <--- closed, dropped -'
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "actors/mcp_connection/mcp_backoff.hpp"
#include "actors/mcp_connection/mcp_call_tasks.hpp"
#include "actors/mcp_connection/mcp_peer_requests.hpp"
#include "actors/mcp_connection/mcp_server_calls.hpp"
#include "actors/mcp_connection/mcp_server_lists.hpp"
#include "actors/mcp_connection/mcp_standing_requests.hpp"
#include "actors/mcp_connection/mcp_unread_messages.hpp"
#include "actors/mcp_connection/mcp_wire.hpp"
#include "actors/mcp_connection/secret_filter.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/server_offer.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

/// The last lines; equal neighbours are one line with a count. Not thread safe.
class connection_log {
public:
  static constexpr size_t max_lines = 100;
  static constexpr size_t max_line_bytes = 1000;

  /// @param time_ms since the epoch
  void add(std::string text, int64_t time_ms) {
    if (text.size() > max_line_bytes)
      text.resize(max_line_bytes);
    changed_ = true;
    if (!log_.lines.empty() && log_.lines.back().text == text) {
      ++log_.lines.back().times;
      log_.lines.back().time_ms = time_ms;
      return;
    }
    if (log_.lines.size() == max_lines)
      log_.lines.erase(log_.lines.begin());
    log_.lines.push_back({time_ms, std::move(text), 1});
  }

  /// Returns the lines as they are now; the same value until there is a new line.
  const frozen<server_log>& snapshot() {
    if (std::exchange(changed_, false))
      frozen_ = frozen<server_log>{log_};
    return frozen_;
  }

private:
  server_log log_;
  frozen<server_log> frozen_;
  bool changed_ = false;
};

/// A token bucket. Not thread safe.
class mcp_log_limit {
public:
  using time_point = std::chrono::steady_clock::time_point;

  static constexpr double burst = 100;
  static constexpr double per_second = 20;

  /// Returns whether a message may pass now; counts it if not.
  bool passes(time_point now) {
    std::chrono::duration<double> past = now - std::max(last_, now - std::chrono::minutes{1});
    tokens_ = std::min(burst, tokens_ + past.count() * per_second);
    last_ = now;
    if (tokens_ < 1) {
      ++dropped_;
      return false;
    }
    tokens_ -= 1;
    return true;
  }

  /// Returns how many were held back since the last call.
  uint64_t take_dropped() { return std::exchange(dropped_, 0); }

  uint64_t dropped() const noexcept { return dropped_; }

private:
  double tokens_ = burst;
  uint64_t dropped_ = 0;
  time_point last_{};
};

/// The life of a connection and its messages. Owned by the actor. mcp_server_calls,
/// mcp_server_lists and mcp_unread_messages see it as a whole, the other parts see the mcp_wire.
struct mcp_connection_state : mcp_wire {
  static inline const char* name = "troupe.mcp_connection";

  explicit mcp_connection_state(mcp_connection_actor::pointer ptr) : mcp_wire{ptr} {}

  void start(mcp_hub_for_connections to, mcp_port* through, mcp_server_config with);
  mcp_connection_actor::behavior_type make_behavior();

  // -- life --------------------------------------------------------------------------------------
  void open();
  void on_inbound(const mcp_inbound& in);
  void on_received(const mcp_inbound& in);
  void on_initialized(const jsonrpc::response& answer);
  void on_connected();
  void drop(const failure& why);      ///< gives up a connection that cannot be used
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

  // -- messages ----------------------------------------------------------------------------------
  void on_tick();
  void expire_requests(clock::time_point at);
  void ping_if_silent(clock::time_point at);
  void on_any(jsonrpc::message& message, std::string_view text);
  void on_message(jsonrpc::response& answer);
  void on_message(const jsonrpc::notification& note_of);
  void on_failed(int64_t id, const failure& why, bool not_run);
  void on_log(const std::string& params);
  void tell_dropped_logs();
  void tell(std::string kind, std::string data);

  mcp_port* port = nullptr;
  secret_filter secrets;
  server_status status;
  connection_log diary;
  mcp_backoff backoff{0, false};
  std::minstd_rand random{std::random_device{}()};

  uint64_t channel_number = 0; ///< of the current channel; inbound of others is dropped
  clock::time_point opened_at;
  clock::time_point connect_by = never; ///< initialize has to be answered, or a lost session closed
  clock::time_point heard_at;
  int64_t ping_id = 0;     ///< of the last ping
  bool recovering = false; ///< the session was lost; calls wait, and the offer stays
  bool expired = false;    ///< the session is lost, the channel about to close
  bool disconnecting = false;
  std::vector<caf::typed_response_promise<atom::done>> disconnected;

  mcp_log_limit log_limit;
  mcp_server_calls calls{*this};
  mcp_call_tasks tasks{*this, calls};
  mcp_server_lists lists{*this};
  mcp_peer_requests peer{*this, calls};
  mcp_standing_requests standing{*this};
  mcp_unread_messages unread{*this};
};

} // namespace troupe
