// A WebSocket that the test holds both ends of, and a hub of sessions that remembers what it is
// asked.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "apps/engine/access/key_meter.hpp"
#include "apps/engine/http/websocket/ws_connection.hpp"
#include "tests/support/deterministic.hpp"

namespace troupe::test {

/// The client: what it was sent, and what it sends.
struct fake_websocket : websocket {
  explicit fake_websocket(bool& is_destroyed) : destroyed{is_destroyed} {}
  ~fake_websocket() override { destroyed = true; }

  void watch(std::function<void(websocket_inbound&&)> receiver) override {
    tell = std::move(receiver);
  }
  bool send(std::string_view text) override {
    texts.emplace_back(text);
    return takes_more;
  }
  void close(uint16_t code, std::string_view) override { closed_with = code; }

  bool& destroyed;
  std::function<void(websocket_inbound&&)> tell;
  std::vector<std::string> texts;
  bool takes_more = true;
  uint16_t closed_with = 0;
};

struct ws_fixture : deterministic {
  /// Makes the other nodes, for connections that have some.
  using node_maker = std::function<turn_forwarder*(caf::actor_system&)>;

  explicit ws_fixture(ws_limits limits = {}, const node_maker& nodes = {}) {
    hub = sys.spawn([this](caf::event_based_actor* me) -> caf::behavior {
      return {
          [this, me](const start_turn& what) {
            turns.push_back(what.request);
            credit = what.credit;
            viewers.push_back(caf::actor_cast<subscriber_actor>(me->current_sender()));
          },
          [this, me](const watch_turn& what) {
            watched.push_back(what);
            viewers.push_back(caf::actor_cast<subscriber_actor>(me->current_sender()));
          },
          [this](const abort_turn& what) { aborted.push_back(what); },
          [this](const leave_turn& what) { left.push_back(what.session_id); },
          [this](const grant_credit& what) { granted.push_back(what); },
          [this](const answer_approvals& what) { approvals.push_back(what); },
      };
    });
    sys.registry().put(session_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
    auto made = std::make_shared<fake_websocket>(socket_destroyed);
    client = made.get();
    ws_origin origin{"req_1", "trace"};
    origin.who.meter = meter;
    if (nodes)
      origin.nodes = nodes(sys);
    spawn_ws_connection(sys, std::move(made), std::move(origin), limits);
    run();
  }
  ~ws_fixture() {
    leave();
    caf::anon_send_exit(hub, caf::exit_reason::kill);
    run();
    sys.registry().erase(session_hub_name);
  }

  void says(std::string text) {
    client->tell({websocket_inbound::kind::text, std::move(text), 0});
    run();
  }

  void drains() {
    client->takes_more = true;
    client->tell({websocket_inbound::kind::drained, {}, 0});
    run();
  }

  /// The connection is gone.
  void leave() {
    if (std::exchange(gone, true))
      return;
    client->tell({websocket_inbound::kind::closed, {}, 1006});
    client->tell = nullptr;
    run();
  }

  /// What the client was sent since the last call, one text a line.
  std::string heard() {
    std::string out;
    for (const auto& each : std::exchange(client->texts, {}))
      out += each + "\n";
    return out;
  }

  /// Sends events to the viewer with that index.
  void happens(size_t viewer, uint64_t first_seq, std::vector<event> events) {
    event_batch batch;
    batch.session_id = viewer < turns.size() ? turns[viewer].session_id : "s";
    batch.turn_id = "t";
    batch.first_seq = first_seq;
    batch.events = std::move(events);
    caf::anon_send(viewers.at(viewer), batch);
    run();
  }

  static std::vector<event> texts(size_t count) {
    return std::vector<event>(count, text_delta{"x"});
  }

  caf::actor hub;
  std::vector<turn_request> turns;
  std::vector<watch_turn> watched;
  std::vector<abort_turn> aborted;
  std::vector<std::string> left;
  std::vector<grant_credit> granted;
  std::vector<answer_approvals> approvals;
  std::vector<subscriber_actor> viewers;
  uint32_t credit = 0;
  std::shared_ptr<key_meter> meter = std::make_shared<key_meter>(0); ///< of the client's key
  fake_websocket* client = nullptr;
  bool socket_destroyed = false;
  bool gone = false;
};

inline size_t count(std::string_view text, std::string_view what) {
  size_t found = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

} // namespace troupe::test
