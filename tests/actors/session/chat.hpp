// A whole chat without a network: session_hub, mcp_hub, subscribers, and fakes at every port.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "actors/mcp_hub/mcp_hub.hpp"
#include "actors/registry.hpp"
#include "actors/session/subscriber.hpp"
#include "actors/session_hub/session_hub.hpp"
#include "tests/actors/mcp_connection/server_answers.hpp"
#include "tests/actors/model/model_chunks.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace troupe::test {

using strings = std::vector<std::string>;

/// What a client hears of a turn whose answer is one piece of text.
inline const strings plain_turn{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT",
                                "MODEL_GENERATION_STOP", "SESSION_END"};

inline std::vector<uint64_t> numbers_from_one(size_t n) {
  std::vector<uint64_t> out(n);
  std::iota(out.begin(), out.end(), uint64_t{1});
  return out;
}

class chat : public deterministic {
public:
  chat() {
    settings.http = &http;
    model_config model;
    model.name = "default";
    model.base_url = "http://model.test/v1";
    model.max_attempts = 1; // a failure shows at once
    model.timeouts = {{}, {}, {}, {}};
    settings.models["default"] = model;
    settings.default_model = "default";
    settings.chats.session_idle = std::chrono::minutes{10};
  }

  ~chat() {
    for (const auto& each : parents)
      crash(*this, each);
    run();
    sys.registry().erase(session_hub_name);
    sys.registry().erase(mcp_hub_name);
  }

  /// Starts the session hub; settings cannot be changed any more.
  void open(size_t max_sessions = 100) {
    settings.chats.max_sessions = max_sessions;
    session_hub_config made{std::make_shared<const chat_settings>(settings), turns_running};
    parents.push_back(make_parent(*this, ends, [this, made](caf::local_actor& parent) {
      hub = spawn_session_hub(parent, made);
    }));
    sys.registry().put(session_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  }

  /// Starts an MCP hub with one connected server that has these tools.
  void open_tools(const strings& names) {
    mcp_server_config server_config;
    server_config.name = "one";
    mcp_hub_config made{&mcp, {server_config}};
    parents.push_back(make_parent(*this, ends, [this, made](caf::local_actor& parent) {
      tools = spawn_mcp_hub(parent, made);
    }));
    sys.registry().put(mcp_hub_name, caf::actor_cast<caf::strong_actor_ptr>(tools));
    shake_hands(*this, *mcp.links.back(), names);
  }

  static turn_request request(const std::string& text, const std::string& session = "s") {
    turn_request made;
    made.session_id = session;
    made.messages.push_back({role::user, text, {}, {}, {}});
    return made;
  }

  /// Asks without running anything.
  std::shared_ptr<received> send(turn_request what) {
    auto into = std::make_shared<received>();
    spawn_subscriber(sys, std::move(what), std::make_unique<recording_sink>(into));
    return into;
  }

  std::shared_ptr<received> send(const std::string& text, const std::string& session = "s") {
    auto into = send(request(text, session));
    run();
    return into;
  }

  /// Opens a turn whose client takes nothing, and lets the model send so many pieces of text, each
  /// its own number from 0. Nothing is run after the last piece.
  std::shared_ptr<received> stalled_client(int pieces) {
    auto into = std::make_shared<received>();
    into->wants_more = false;
    spawn_subscriber(sys, request("hi"), std::make_unique<recording_sink>(into));
    run();
    auto& call = *http.calls.at(0);
    call.head(200, "text/event-stream");
    for (int i = 0; i < pieces; ++i)
      call.bytes("data: " + text_chunk(std::to_string(i)) + "\n\n");
    return into;
  }

  /// The model answers the last request.
  void answer(const strings& chunks) {
    REQUIRE(!http.calls.empty());
    http.calls.back()->stream(chunks);
    run();
  }

  fake_mcp::link& server() { return *mcp.links.back(); }

  session_counts counts() { return ask<session_counts>(hub, atom::status_v); }

  fake_http http;
  fake_mcp mcp;
  chat_settings settings;
  std::shared_ptr<running_turn_count> turns_running = std::make_shared<running_turn_count>();
  endings ends = std::make_shared<std::vector<caf::error>>();
  std::vector<caf::actor> parents;
  session_hub_actor hub;
  mcp_hub_for_callers tools;
};

} // namespace troupe::test
