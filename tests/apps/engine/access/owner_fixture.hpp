// The HTTP interface with two owners, whose keys it knows, before actors that write down what they
// are asked.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "apps/engine/access/api_keys.hpp"
#include "apps/engine/http/http_api.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "tests/apps/engine/http/websocket/ws_fixture.hpp"
#include "tests/support/deterministic.hpp"
#include "tests/support/noted_response.hpp"

namespace troupe::test {

/// What a client was answered, who may go on with a WebSocket.
struct kept_response : noted_response {
  std::unique_ptr<websocket> upgrade(const server_request&, std::string_view) override {
    auto made = std::make_unique<fake_websocket>(socket_destroyed);
    socket = made.get();
    return made;
  }

  fake_websocket* socket = nullptr;
  bool socket_destroyed = false;
};

/// One world for a few requests; everything that reached an actor is in `asked`.
class owner_fixture : public deterministic {
public:
  owner_fixture() : api{sys, settings(), route_tables(), [] { return client_load{}; }} {
    key_list all;
    for (auto* each : {&alice, &bob})
      all.keys.push_back(make(*each));
    api.keys()->update(all);
    for (auto name : {session_hub_name, mcp_hub_name, resource_store_name, conversation_store_name,
                      conversation_reader_name, conversation_importer_name, file_store_name})
      start(name);
  }

  ~owner_fixture() {
    for (auto& each : answers)
      leave(*each);
    api.end_streams();
    for (auto& [name, who] : actors) {
      sys.registry().erase(name);
      caf::anon_send_exit(who, caf::exit_reason::kill);
    }
    run();
  }

  /// Sends a request with a key ("" = none) and lets everything run.
  kept_response& request(const std::string& key, std::string_view method, std::string_view path,
                         std::string body = {}, headers fields = {}) {
    server_request in;
    in.method = method;
    in.path = in.target = path.substr(0, path.find('?'));
    in.query = path.substr(std::min(path.size(), in.path.size() + 1));
    in.body = std::move(body);
    in.fields = std::move(fields);
    if (!key.empty())
      in.fields.push_back({"authorization", "Bearer " + key});
    answers.push_back(std::make_shared<kept_response>());
    auto& answer = *answers.back();
    api.answer(std::move(in), answers.back());
    run();
    return answer;
  }

  /// What actors were asked since the last call.
  std::string heard() { return std::exchange(asked, {}); }

  struct key_of_owner {
    std::string owner;
    bool admin = false;
    std::string key;
  };

  // Made ids, which have small letters, may hold any word, but not these.
  key_of_owner alice{"ALICE", true, {}};
  key_of_owner bob{"BOB", false, {}};
  std::string asked;
  http_api api;

private:
  static const engine_config& settings() {
    static const engine_config out = [] {
      engine_config made;
      made.auth.keys = true;
      return made;
    }();
    return out;
  }

  static api_key make(key_of_owner& of) {
    api_key out;
    out.owner = of.owner;
    out.admin = of.admin;
    if (auto bad = make_key(out, of.key))
      throw std::runtime_error{bad.text()};
    return out;
  }

  /// Answers what a request has to have answered before it goes on, and nothing else.
  void start(caf::atom_value name) {
    auto made = sys.spawn([this](caf::event_based_actor* me) -> caf::behavior {
      using answer = caf::result<caf::message>;
      me->set_default_handler([this](caf::scheduled_actor* to, caf::message_view& what) {
        asked += caf::to_string(what.content()) + '\n';
        auto waits = to->current_mailbox_element()->mid.is_request() &&
                     !what.content().match_elements<start_turn>(); // it was read
        return waits ? answer{caf::sec::unexpected_message} : answer{caf::message{}};
      });
      return {[this](const end_session& what) {
        asked += caf::deep_to_string(what) + '\n';
        return failure{};
      }};
    });
    sys.registry().put(name, caf::actor_cast<caf::strong_actor_ptr>(made));
    actors.emplace_back(name, made);
  }

  static void leave(kept_response& answer) {
    if (answer.socket != nullptr && !answer.socket_destroyed)
      answer.socket->tell({websocket_inbound::kind::closed, {}, 1006});
    if (answer.tell)
      answer.tell(response_signal::gone);
  }

  std::vector<std::pair<caf::atom_value, caf::actor>> actors;
  std::vector<std::shared_ptr<kept_response>> answers;
};

} // namespace troupe::test
