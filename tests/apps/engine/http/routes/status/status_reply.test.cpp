// What everybody may read of a server's state.
#include "apps/engine/http/routes/status/status_reply.hpp"

#include <memory>
#include <string>

#include "actors/registry.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/server_status.hpp"
#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace status_reply_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Hubs that are well, and a store that is not.
struct troubled_fixture : deterministic {
  troubled_fixture() {
    answers(session_hub_name, [](atom::status) { return session_counts{}; });
    answers(mcp_hub_name, [](atom::status) { return server_list{}; });
    answers(conversation_store_name, [](atom::status) {
      store_status out;
      out.path = "/srv/secret/troupe.db";
      out.error = {errc::store_full, "/srv/secret: make room"};
      return out;
    });
    settings.store.folder = "/srv/secret";
  }

  ~troubled_fixture() {
    for (auto& [name, who] : actors) {
      sys.registry().erase(name);
      caf::anon_send_exit(who, caf::exit_reason::kill);
    }
    run();
  }

  template <class Answer>
  void answers(caf::atom_value name, Answer answer) {
    auto made = sys.spawn([answer]() -> caf::behavior { return {answer}; });
    sys.registry().erase(name); // else the first one stays
    sys.registry().put(name, caf::actor_cast<caf::strong_actor_ptr>(made));
    actors.emplace_back(name, made);
  }

  kept_response& ask(void (*spawn)(http_call&)) {
    http_call call{sys, settings, services, {}, {}, {}, response};
    spawn(call);
    run();
    return *response;
  }

  std::vector<std::pair<caf::atom_value, caf::actor>> actors;
  engine_config settings;
  http_services services;
  std::shared_ptr<kept_response> response = std::make_shared<kept_response>();
};

} // namespace

TEST_CASE_METHOD(troubled_fixture, "readiness names the store's error without details",
                 "[apps][status]") {
  const auto& answer = ask(spawn_ready_reply);
  CHECK(answer.status == 503);
  CHECK(answer.body ==
        "chats cannot be kept: " + std::string{user_text(errc::store_full)} + " (store_full)\n");
}

TEST_CASE_METHOD(troubled_fixture, "a node without its lease is not ready", "[apps][status]") {
  answers(session_hub_name, [](atom::status) { return session_counts{0, 0, 0, false, true}; });
  const auto& answer = ask(spawn_ready_reply);
  CHECK(answer.status == 503);
  CHECK(answer.body == std::string{user_text(errc::store_unreachable)} + '\n');
}

TEST_CASE_METHOD(troubled_fixture, "only of a node that is cut off the status says so",
                 "[apps][status]") {
  CHECK(ask(spawn_status_reply).body.find("cutOff") == std::string::npos);
  answers(session_hub_name, [](atom::status) { return session_counts{0, 0, 0, false, true}; });
  CHECK(ask(spawn_status_reply).body.find(R"("cutOff":true)") != std::string::npos);
}

TEST_CASE_METHOD(troubled_fixture, "the status has the store's error with details",
                 "[apps][status]") {
  const auto& answer = ask(spawn_status_reply);
  CHECK(answer.status == 200);
  CHECK(answer.body.find("/srv/secret: make room") != std::string::npos);
}

} // namespace status_reply_test
