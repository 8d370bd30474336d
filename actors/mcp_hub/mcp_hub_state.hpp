// The state of an mcp_hub actor. Its member functions are in mcp_hub.cpp (life of the hub and of
// its connections), mcp_hub_servers.cpp, mcp_hub_calls.cpp and mcp_hub_events.cpp (watchers). Two
// parts are classes of their own: mcp_hub_keeping and mcp_hub_questions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp> // caf/result.hpp forgets it
#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "actors/mcp_hub/mcp_hub.hpp"
#include "actors/mcp_hub/mcp_hub_keeping.hpp"
#include "actors/mcp_hub/mcp_hub_questions.hpp"
#include "actors/mcp_hub/mcp_hub_server.hpp"
#include "actors/mcp_hub/mcp_subscribers.hpp"
#include "actors/mcp_hub/tool_leases.hpp"
#include "actors/mcp_hub/tool_sets.hpp"
#include "messages/interfaces/type_ids.hpp"
#include "messages/mcp/resource_messages.hpp"

namespace troupe {

/// States of the hub that callers wait for.
enum class hub_milestone : uint8_t {
  settled,     ///< every server is connected or has failed
  listed,      ///< and every connected one has told its lists
  disconnected ///< all connections are closed
};

/// The promises to these callers, each of which is answered in the end. The hub's state owns them.
/// Not thread safe.
class mcp_hub_waiters {
public:
  using promise = caf::typed_response_promise<atom::done>;

  mcp_hub_waiters() = default;
  mcp_hub_waiters(const mcp_hub_waiters&) = delete;
  mcp_hub_waiters& operator=(const mcp_hub_waiters&) = delete;

  /// The hub ends: the milestones will not come.
  ~mcp_hub_waiters() {
    for (auto& each : waiting_)
      each.second.deliver(caf::make_error(errc::server_lost));
  }

  /// Adds a caller. Returns the promise, for the handler to return.
  promise add(hub_milestone milestone, promise caller) {
    return waiting_.emplace(milestone, std::move(caller))->second;
  }

  /// Returns whether a caller waits for the milestone.
  bool any(hub_milestone milestone) const { return waiting_.contains(milestone); }

  /// Answers all callers that wait for the milestone.
  void answer(hub_milestone milestone) {
    auto [first, last] = waiting_.equal_range(milestone);
    for (auto each = first; each != last; ++each)
      each->second.deliver(atom::done_v);
    waiting_.erase(first, last);
  }

private:
  std::multimap<hub_milestone, promise> waiting_; ///< in order of arrival for each milestone
};

/// The chats with attached resources, as the resource store reported them. Not thread safe.
class attached_chats {
public:
  /// The store has fewer chats; this bounds what a defect of it can cost.
  static constexpr size_t limit = 100'000;

  void note(const attachment_news& news) {
    if (!news.any)
      chats_.erase(news.session_id);
    else if (chats_.size() < limit)
      chats_.insert(news.session_id);
    else
      lose_count();
  }

  /// From now on every chat may have some.
  void lose_count() noexcept { counted_ = false; }

  /// Returns false if the chat certainly has none. @param session_id empty: no chat
  bool maybe(const std::string& session_id) const {
    return !session_id.empty() && (!counted_ || chats_.contains(session_id));
  }

private:
  std::unordered_set<std::string> chats_;
  bool counted_ = true;
};

/// State and handlers of an mcp_hub. Owned by its actor; lives on the actor's thread.
struct mcp_hub_state {
  static inline const char* name = "troupe.mcp_hub";

  explicit mcp_hub_state(mcp_hub_actor::pointer ptr) : self{ptr} {}
  ~mcp_hub_state(); ///< answers the calls that still run

  mcp_hub_actor::behavior_type make_behavior();

  // -- life --------------------------------------------------------------------------------------
  void start(mcp_hub_config config, caf::actor_addr parent_address);
  void connect(hub_server& server); ///< as soon as its predecessor has closed
  void close(hub_server& server);   ///< in order; also drops the questions of the server
  void on_left(const std::string& server, const caf::actor_addr& connection);
  void on_exit(const caf::exit_msg& msg);
  void on_crash(hub_server& server);
  void forgive(hub_server& server) const; ///< a crash long ago does not count
  void on_restart(const std::string& server);
  void on_down(const caf::actor_addr& who);
  caf::result<atom::done> on_disconnect();
  void close_when_idle();
  void all_closed();

  // -- servers -----------------------------------------------------------------------------------
  hub_server* find(const std::string& server);
  hub_server* sender_server(const std::string& server); ///< null if its connection did not send
  failure check_put(const put_server& put) const;
  void put(mcp_server_config server); ///< adds it, or changes the one of that name
  failure on_change(const change_server& change);
  void enable(hub_server& server);
  void disable(hub_server& server, std::string_view what);
  void remove(hub_server& server);
  failure retry(hub_server& server);
  failure unknown(const std::string& server) const;
  void on_status(server_status& status);
  void show(hub_server& server, server_status now); ///< and all that follows from a new status
  void show_phase(hub_server& server, server_phase phase);
  bool all_settled(bool with_lists = false) const;
  void settle(); ///< answers the callers that wait for settled servers, once all are
  caf::result<atom::done> on_settled(bool with_lists);
  server_list list_servers() const;

  // -- lists and calls ---------------------------------------------------------------------------
  void on_list(list_tools& ask);
  void on_tick();
  tool_snapshot snapshot_for(const list_tools& ask);
  bool knows(const std::string& choice);
  void tell_left_out(size_t count, size_t most) const;
  failure usable(const std::string& server);
  void on_call(call_tool& call, std::shared_ptr<tool_sink> sink);
  caf::result<mcp_answer> on_ask(mcp_ask& ask);
  uint64_t acquire(tool_lease lease);
  std::optional<tool_lease> release(uint64_t call);
  void on_outcome(server_outcome& outcome);
  void answer(const tool_lease& lease, tool_outcome how);
  void on_progress(const server_progress& report);
  void on_cancel(const cancel_call& cancelled);
  void cancel(uint64_t call, const std::string& reason);
  void lose_calls(const hub_server& server, const failure& why);

  // -- watchers, attachments ---------------------------------------------------------------------
  void on_watch(const watch_mcp& watch);
  void on_event(mcp_event& event);
  void tell(std::string_view kind, const std::string& server, std::string data) const;
  void tell_of_change(const hub_server& server, const server_status& before) const;
  void look_at_tools(hub_server& server); ///< whether they are as they were first seen
  void forget_resources_of(const std::string& server, const std::string& uri = {});

  mcp_hub_actor::pointer self;
  caf::actor_addr parent;
  mcp_hub_config config; ///< without the servers
  std::map<std::string, hub_server> servers;
  std::vector<hub_server*> order;                      ///< of the configuration; into `servers`
  std::map<std::string, mcp_connection_actor> leaving; ///< closing; at most one of each server
  tool_leases leases;
  tool_sets sets;
  std::vector<waiting_list> waiting;
  mcp_subscribers watchers;
  attached_chats attached;
  hub_end_phase ending = hub_end_phase::none;
  mcp_hub_questions questions{*this};
  mcp_hub_keeping keeping{*this};
  mcp_hub_waiters waiters;
};

} // namespace troupe
