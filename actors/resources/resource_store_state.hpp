// The state of the resource store; its member functions are in resource_store.cpp (reads, the hub)
// and resource_store_attachments.cpp. For these only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <caf/result.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "actors/resources/resource_store.hpp"

namespace troupe {

/// The resource store's state and handlers. Only the actor touches it.
struct resource_store_state {
  static inline const char* name = "troupe.resource_store";

  using reader = caf::typed_response_promise<mcp_answer>;
  using consumer = caf::typed_response_promise<attachment_list>;
  using time_point = resource_cache::time_point;

  /// A request under way.
  struct read {
    uint64_t number = 0;
    std::vector<reader> now;
    std::vector<reader> later; ///< asked after the resource had changed: they get the next read
    bool again = false;        ///< it changed after the request was sent
  };

  struct waiting {
    std::vector<consumer> consumers;
    time_point until;
  };

  explicit resource_store_state(resource_store_actor::pointer ptr) : self{ptr} {}
  resource_store_actor::behavior_type make_behavior();

  // -- reading

  caf::result<mcp_answer> on_read(const read_resource& ask);
  void on_forget(const resource_key& what);
  void start(const resource_key& key); ///< sends the request of a read that is in `reads`
  void on_answer(const resource_key& key, uint64_t number, const mcp_answer& got);
  void finish(const resource_key& key, mcp_answer got);
  void fail_reads(const failure& why);
  atom::done on_clear();

  // -- attachments

  attachment on_add(const add_attachment& ask);
  failure on_remove(const remove_attachment& ask);
  caf::result<attachment_list> on_list(const list_attachments& ask);
  void on_expire(const std::string& session_id);
  void describe(const add_attachment& ask, const std::string& id);
  void on_described(const std::string& session_id, const std::string& id, const resource_key& key,
                    const server_list& list);
  void read_attached(const resource_key& key);
  void on_loaded(const resource_key& key, const mcp_answer& got);
  attachment_list take(const std::string& session_id);
  void settle(const std::string& session_id); ///< answers a chat's consumers if nothing is loading
  void answer_waiting(const std::string& session_id);
  void after_bounds();

  // -- the hub

  bool find_hub(); ///< returns whether there is a hub; tells a new one which chats have attachments
  void look_for_hub();
  void look_later();
  void on_down(const caf::down_msg& msg);
  void tell(const std::string& session_id, bool any);
  void emit(mcp_event what);
  void emit_changed(const attachments::change& changed);
  void emit_removed(const std::string& session_id, const std::string& server,
                    const std::string& id);

  time_point now() const { return self->clock().now(); }

  resource_store_actor::pointer self;
  resource_store_config config;
  resource_cache cache{{}};
  attachments held{{}};
  std::map<resource_key, read> reads;
  uint64_t last_read = 0;
  std::unordered_map<std::string, waiting> waits; ///< consumers that wait for a read, by chat
  mcp_hub_for_resources hub;                      ///< monitored
  bool looking = false;
};

} // namespace troupe
