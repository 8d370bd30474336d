// A chat whose MCP hub, resource store and tool output store are the test.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/actors/mcp_hub/fake_mcp_hub.hpp"
#include "tests/actors/session/chat.hpp"

namespace troupe::test {

/// A chat whose MCP hub, resource store and tool output store are the test.
class tools_fixture : public chat {
public:
  tools_fixture() {
    tools = start_fake_hub(*this, notes);
    see({{"echo", "", R"({"type":"object"})", "one", "echo"}});
  }

  ~tools_fixture() {
    notes->act = nullptr;
    for (const auto& each : {resource_store_name, tool_output_store_name})
      sys.registry().erase(each);
    for (const auto& each : stores)
      crash(*this, each);
    crash(*this, tools);
  }

  /// The hub has these tools from now on.
  void see(std::vector<tool_definition> all) {
    tool_set made;
    made.tools = std::move(all);
    notes->tools.set = frozen<tool_set>{std::move(made)};
  }

  /// Each of them is answered when the test says so, or never.
  void open_resource_store() {
    auto store = sys.spawn([this](resource_store_actor::pointer me) {
      return resource_store_actor::behavior_type{
          [](const read_resource&) { return mcp_answer{}; },
          [](const forget_resources&) {},
          [](const add_attachment&) { return attachment{}; },
          [](const remove_attachment&) { return failure{}; },
          [this, me](const list_attachments& what) -> caf::result<attachment_list> {
            consumed.push_back(what);
            taking = me->make_response_promise<attachment_list>();
            return taking;
          },
          [](atom::clear) { return atom::done_v; },
          [this](atom::expire, const std::string&) { taking.deliver(attached); },
      };
    });
    resources = store;
    enter(resource_store_name, store);
  }

  void open_output_store() {
    auto store = sys.spawn([this](tool_output_store_actor::pointer) {
      return tool_output_store_actor::behavior_type{
          [this](const std::string& id, const std::string& text) {
            spilled.emplace_back(id, text);
            return path;
          }};
    });
    enter(tool_output_store_name, store);
  }

  template <class Handle>
  void enter(caf::atom_value name, const Handle& store) {
    stores.push_back(caf::actor_cast<caf::actor>(store));
    sys.registry().put(name, caf::actor_cast<caf::strong_actor_ptr>(store));
  }

  void give(std::vector<attachment> all) {
    attached.attachments = std::move(all);
    self->send(resources, atom::expire_v, std::string{"s"});
    run();
  }

  static attachment text(const std::string& uri, const std::string& what) {
    return {"res-1", "one", uri, uri, "text/plain", false, what, ""};
  }

  /// The call that the model asked for last ends.
  void end_call(const std::string& result) {
    REQUIRE(!notes->calls.empty());
    const auto& [call, sender] = notes->calls.back();
    self->send(caf::actor_cast<tool_client_actor>(sender),
               tool_outcome{call.tool_call_id, errc::none, result, {"{}"}});
    run();
  }

  const std::string& body() const { return http.calls.back()->request.body; }

  shared_notes notes = std::make_shared<hub_notes>();
  std::vector<caf::actor> stores;
  resource_store_actor resources;
  std::vector<list_attachments> consumed;
  caf::typed_response_promise<attachment_list> taking;
  attachment_list attached;
  std::vector<std::pair<std::string, std::string>> spilled;
  std::string path = "/data/tool-1.txt";
};

} // namespace troupe::test
