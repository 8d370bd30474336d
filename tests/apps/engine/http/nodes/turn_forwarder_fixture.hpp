// A node of a cluster with rows of the test, a directory that it speaks for, and another node that
// is a fake_http.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "apps/engine/http/http_api.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"
#include "tests/support/fake_ports.hpp"
#include "tests/support/noted_response.hpp"

namespace troupe::test {

inline constexpr uint64_t this_start = 7;

/// What this node's rows would answer, and which of them ran. Rows are plain functions.
struct local_rows {
  std::deque<uint16_t> statuses; ///< of the next ones; then 200
  std::string ran;
  bool late = false; ///< answers after the row has returned
  std::vector<std::shared_ptr<http_response>> waiting;

  uint16_t next() {
    if (statuses.empty())
      return 200;
    const auto out = statuses.front();
    statuses.pop_front();
    return out;
  }
};
inline local_rows rows;

inline void run_row(http_call& in) {
  rows.ran += in.request.method + ' ' + in.request.target + ' ' + in.who.owner + '\n';
  if (rows.late)
    return rows.waiting.push_back(std::move(in.response));
  in.response->send(rows.next(), {}, "local");
}

inline constexpr std::array row_table{
    http_route{"POST", "/turn/{}", run_row, route_access::owners, false, turn_place::here},
    http_route{"POST", "/turn", run_row, route_access::owners, false, turn_place::here},
    http_route{"POST", "/stop/{}", run_row, route_access::owners, false, turn_place::owner},
    http_route{"POST", "/fresh", run_row, route_access::owners, false, turn_place::fresh},
    http_route{"GET", "/list", run_row},
    http_route{"GET", "/admin", run_row, route_access::admins},
};
inline const std::array<route_table, 1> row_tables{row_table};

struct forwarder_fixture : deterministic {
  forwarder_fixture()
      : api{sys, settings, row_tables, [] { return client_load{}; }},
        nodes{{sys, http, "a", "a secret of sixteen letters", [] { return this_start; }, nullptr}} {
    rows = {};
    api.forward_to(nodes, {});
    directory = sys.spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const find_owner& ask) { return answer("find " + ask.session_id); },
              [this](const pick_node&) { return answer("pick"); },
              [this](const list_nodes&) { return living; },
              [this](const claim_orphan& ask) {
                return answer("orphan " + ask.session_id + ' ' + std::to_string(ask.incarnation) +
                              ' ' + std::to_string(ask.epoch));
              }};
    });
    hub = sys.spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const find_busy_chats& ask) {
        busy_chats out;
        std::ranges::copy_if(ask.session_ids, std::back_inserter(out.session_ids),
                             [this](const std::string& chat) { return chat == busy; });
        return out;
      }};
    });
    sys.registry().put(cluster_directory_name, caf::actor_cast<caf::strong_actor_ptr>(directory));
    sys.registry().put(session_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  }
  ~forwarder_fixture() {
    for (auto& each : answers)
      if (each->tell)
        each->tell(response_signal::gone);
    api.end_streams();
    sys.registry().erase(cluster_directory_name);
    sys.registry().erase(session_hub_name);
    caf::anon_send_exit(directory, caf::exit_reason::kill);
    caf::anon_send_exit(hub, caf::exit_reason::kill);
    run();
    CHECK(nodes.searches() == 0);
    CHECK(nodes.counts()->open == 0);
  }

  chat_owner answer(const std::string& question) {
    asked += question + '\n';
    if (owners.empty())
      return {};
    auto out = owners.front();
    if (owners.size() > 1)
      owners.pop_front();
    return out;
  }

  static server_request request_of(std::string method, std::string target, std::string body) {
    server_request in;
    in.method = std::move(method);
    in.path = in.target = std::move(target);
    in.body = std::move(body);
    return in;
  }

  noted_response& ask(std::string method, std::string target, std::string body = {}) {
    answers.push_back(std::make_shared<noted_response>());
    api.answer(request_of(std::move(method), std::move(target), std::move(body)), answers.back());
    run();
    return *answers.back();
  }

  /// Sends what another node forwards.
  noted_response& ask_as_node(const forward_terms& terms, std::string method, std::string target,
                              std::string body = {}) {
    auto in = request_of(std::move(method), std::move(target), std::move(body));
    const forward_signature theirs{"a secret of sixteen letters"};
    in.fields = make_forward(in, terms, {"b", theirs}, "http://a").fields;
    answers.push_back(std::make_shared<noted_response>());
    api.answer_node(std::move(in), answers.back());
    run();
    return *answers.back();
  }

  /// The other node answers its last request.
  void node_says(uint16_t status, headers fields, std::string bytes, bool last = true) {
    http_part part;
    part.status = status;
    part.head = std::move(fields);
    part.bytes = std::move(bytes);
    part.last = last;
    deliver(std::move(part));
  }
  void node_fails(errc why) {
    http_part part;
    part.last = true;
    part.error = why;
    deliver(std::move(part));
  }
  void deliver(http_part part) {
    auto to = http.calls.back()->deliver;
    REQUIRE(to);
    to(std::move(part));
    run();
  }
  void node_denies() { node_says(421, {{std::string{not_taken_field}, "turn"}}, "no"); }

  static chat_owner other(uint64_t start = 42) {
    chat_owner out;
    out.incarnation = start;
    out.epoch = 5;
    out.address = "http://10.0.0.2:9";
    return out;
  }

  static node_list nodes_of(uint64_t start, cluster_state state = cluster_state::serving,
                            int64_t lease_left_ms = 1000) {
    return {{}, {{start, "b", "", "", state, lease_left_ms}}};
  }

  engine_config settings;
  fake_http http;
  std::string busy; ///< the chat whose turn runs here
  std::string asked;
  std::deque<chat_owner> owners; ///< the directory's next answers; the last one stays
  node_list living = nodes_of(42);
  caf::actor directory, hub;
  std::vector<std::shared_ptr<noted_response>> answers;
  http_api api;
  turn_forwarder nodes;
};

} // namespace troupe::test
