// The requests to /v1/conversations, and the actors that they ask, without sockets and threads.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "tests/apps/engine/http/recorded_response.hpp"
#include "tests/apps/engine/http/routes/conversations/importer_parent.hpp"
#include "tests/support/deterministic.hpp"
#include "tests/support/memory_store.hpp"

namespace troupe::test {

/// What a request carries beside its path.
struct request_parts {
  std::string body = {};
  headers fields = {};
  std::string owner = {};
};

/// Stands in for the actors of an engine with a data folder.
class conversation_routes_fixture : public deterministic {
public:
  conversation_routes_fixture() : store_side{store}, reader_side{store} {
    sys.registry().put(conversation_store_name, spawn([this](auto* me) { return store_of(me); }));
    sys.registry().put(conversation_reader_name, spawn([this](auto* me) { return reader_of(me); }));
    sys.registry().put(session_hub_name, spawn([this](auto* me) { return hub_of(me); }));
    spawn([this](auto* me) { return importer_parent(me, settings.store); });
    run();
  }

  ~conversation_routes_fixture() {
    for (auto name : {conversation_store_name, conversation_reader_name, session_hub_name})
      sys.registry().erase(name);
    for (const auto& each : spawned)
      caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    run();
  }

  /// Sends a request to its route. @param target with its query
  std::shared_ptr<recorded_response> fetch(const std::string& method, const std::string& target,
                                           request_parts with = {}) {
    auto response = std::make_shared<recorded_response>();
    server_request request;
    request.method = method;
    request.target = request.path = target.substr(0, target.find('?'));
    if (target.size() > request.path.size())
      request.query = target.substr(request.path.size() + 1);
    request.body = std::move(with.body);
    request.fields = std::move(with.fields);
    path_ids ids;
    for (const auto& row : conversation_routes())
      if (row.method == method && matches(row, request, ids)) {
        const auto known = read_known_fields(request);
        http_call in{sys,   settings,       services, std::move(request),
                     known, std::move(ids), response, {with.owner}};
        row.run(in);
        in.response.reset();
        run();
        return response;
      }
    return response;
  }

  memory_store store;
  memory_connection store_side;
  memory_connection reader_side;
  engine_config settings;
  std::vector<std::string> log; ///< what was asked of the session hub and the store, in order
  failure hub_says;             ///< to end_session
  std::function<void()> ending; ///< called at each end_session
  list_conversations asked;     ///< last
  bool silent = false;          ///< the store and the reader answer nothing

private:
  caf::strong_actor_ptr spawn(auto make) {
    return caf::actor_cast<caf::strong_actor_ptr>(
        spawned.emplace_back(sys.spawn([make](caf::event_based_actor* me) { return make(me); })));
  }

  caf::behavior store_of(caf::event_based_actor* me) {
    return {[this, me](const change_conversation& what) -> caf::result<info_answer> {
      log.push_back("store " + std::to_string(static_cast<int>(what.verb)));
      if (silent)
        return me->make_response_promise<info_answer>();
      return store_side.change(what);
    }};
  }

  caf::behavior reader_of(caf::event_based_actor* me) {
    return {[this, me](const list_conversations& what) -> caf::result<conversation_page> {
              asked = what;
              if (silent)
                return me->make_response_promise<conversation_page>();
              return reader_side.list(what);
            },
            [this](const search_conversations& what) { return reader_side.search(what); },
            [this](const get_conversation& what) { return reader_side.get(what); },
            [this](const usage_query& what) { return reader_side.used(what); }};
  }

  caf::behavior hub_of(caf::event_based_actor*) {
    return {[this](const end_session& what) {
      log.push_back((what.aborts ? "abort " : "end ") + what.session_id);
      if (ending)
        ending();
      return hub_says;
    }};
  }

  std::vector<caf::actor> spawned;
  http_services services;
};

} // namespace troupe::test
