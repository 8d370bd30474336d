// A resource store whose hub is the test.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/resources/resource_store.hpp"
#include "messages/json.hpp"
#include "tests/actors/mcp_hub/fake_mcp_hub.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

/// A store, and a hub that is the test.
class resource_fixture : public deterministic {
public:
  using strings = std::vector<std::string>;

  resource_fixture() { hub = start_fake_hub(*this, notes); }

  ~resource_fixture() {
    for (const auto& each : parents)
      crash(*this, each);
    crash(*this, hub);
    sys.registry().erase(mcp_hub_name);
    notes->asks.clear();
  }

  void open(resource_store_config limits = {}) {
    parents.push_back(make_parent(*this, ends, [this, limits](caf::local_actor& parent) {
      store = spawn_resource_store(parent, limits);
    }));
  }

  static mcp_answer text(const std::string& what) {
    return {{}, {R"({"contents":[{"uri":"x","text":)" + to_json(what) + "}]}"}};
  }

  /// Begins to read; the answer goes to `into`.
  std::shared_ptr<std::vector<mcp_answer>> read(const std::string& uri, bool refresh = false) {
    auto into = std::make_shared<std::vector<mcp_answer>>();
    request(read_resource{"one", uri, refresh}, into);
    return into;
  }

  std::shared_ptr<std::vector<attachment_list>> consume(const std::string& chat) {
    auto into = std::make_shared<std::vector<attachment_list>>();
    request(list_attachments{chat, true}, into);
    return into;
  }

  template <class Ask, class Answer>
  void request(Ask what, std::shared_ptr<std::vector<Answer>> into) {
    sys.spawn([=, this](caf::event_based_actor* me) {
      me->request(store, caf::infinite, what)
          .then([=](Answer& got) { into->push_back(std::move(got)); }, [](const caf::error&) {});
    });
    run();
  }

  attachment add(const std::string& uri, const std::string& chat = "s") {
    return ask<attachment>(store, add_attachment{chat, "one", uri});
  }

  attachment_list list(const std::string& chat = "s") {
    return ask<attachment_list>(store, list_attachments{chat, false});
  }

  /// The hub answers the request number `at`.
  void answer(size_t at, mcp_answer what) {
    REQUIRE(at < notes->asks.size());
    notes->ready.emplace_back(at, std::move(what));
    self->send(hub, atom::tick_v);
    run();
  }

  strings news() const {
    strings out;
    for (const auto& each : notes->news)
      out.push_back(each.session_id + (each.any ? " some" : " none"));
    return out;
  }

  shared_notes notes = std::make_shared<hub_notes>();
  fake_hub_actor hub;
  endings ends = std::make_shared<std::vector<caf::error>>();
  std::vector<caf::actor> parents;
  resource_store_actor store;
};

} // namespace troupe::test
