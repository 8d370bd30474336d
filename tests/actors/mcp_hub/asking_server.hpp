// An mcp_hub whose server asks things of the client.
#pragma once

#include <chrono>
#include <string>

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace troupe::test {

inline const std::string form =
    R"({"message":"who?","requestedSchema":{"type":"object","properties":{)"
    R"("name":{"type":"string"},"age":{"type":"integer","default":7}},"required":["name"]}})";

inline const std::string optional_form =
    R"({"message":"age?","requestedSchema":{"type":"object","properties":{)"
    R"("age":{"type":"integer","default":7}}}})";

inline const std::string prompt =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10})";

inline const std::string sampled =
    R"({"role":"assistant","content":{"type":"text","text":"hello"},"model":"m"})";

/// A hub with the server "one", and its side of what it asks of the client.
class asking : public mcp_hub_fixture {
public:
  void open_one(client_policy sampling = client_policy::ask,
                client_policy elicitation = client_policy::ask) {
    auto server = stdio_server("one");
    server.sampling = sampling;
    server.elicitation = elicitation;
    server.ask_timeout = std::chrono::seconds{30};
    settings.servers.push_back(server);
    open();
    shake_hands(*this, link("one"), {"echo"});
  }

  void call_as(const tool_client_actor& by, const std::string& id, const std::string& session,
               bool answers) {
    caf::send_as(by, hub, call_tool{id, "one", "echo", "{}", session, answers});
    run();
  }

  /// The server asks, on the answer stream of the newest call where there is one.
  void server_asks(int64_t id, const std::string& method, const std::string& params,
                   int64_t related = 0) {
    mcp_inbound in;
    in.channel = link("one").number;
    in.related = related;
    in.messages = {R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
                   R"(","params":)" + params + "}"};
    link("one").deliver(std::move(in));
    run();
  }

  void elicit(int64_t id, const std::string& params = form, int64_t related = 0) {
    server_asks(id, "elicitation/create", params, related);
  }

  /// What the server was answered, "" if nothing.
  std::string answered(int64_t id) {
    auto start = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + ",";
    for (const auto& each : link("one").sent)
      if (each.json.starts_with(start) && each.method.empty())
        return each.json.substr(start.size());
    return "";
  }

  failure answer(const std::string& id, const std::string& action,
                 const std::string& content = "") {
    return ask<failure>(hub, client_answer{id, action, {content}});
  }
};

/// What a server is told whose form nobody fills in.
inline const std::string declined = R"("result":{"action":"decline"}})";

} // namespace troupe::test
