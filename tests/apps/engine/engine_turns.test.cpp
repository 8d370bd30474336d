// Turns of programs that embed the engine: what is refused, approvals, viewers, callbacks that
// throw.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/apps/engine/engine_questions.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"

namespace engine_turns_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

errc error_of(const std::vector<event>& events) {
  const auto* error = std::get_if<session_error>(&events.back());
  return error != nullptr ? error->error : errc::none;
}

engine_config with_demo_server() {
  auto config = small();
  config.mcp_servers.push_back(demo_server_entry());
  return config;
}

} // namespace

TEST_CASE("a chat with an id that no client could name is refused", "[apps][engine]") {
  engine running{small()};
  for (const auto& id : {std::string{}, std::string{"a\nb"}, std::string(257, 'x')}) {
    CHECK(error_of(run(running, ask(id, "text"))) == errc::request_invalid);
    CHECK(running.conversations().get({id}).error.code == errc::request_invalid);
  }
  CHECK(running.status().sessions == 0);
}

TEST_CASE("parameters that are no JSON object are refused, not left out", "[apps][engine]") {
  engine running{small()};
  for (const char* parameters : {"[1]", R"({"temperature":0.5)", R"({"seed":1} x)"}) {
    auto request = ask("a", "text");
    request.options.parameters = parameters;
    CHECK(error_of(run(running, request)) == errc::request_invalid);
  }
}

TEST_CASE("a turn waits for its approvals, which the library gives as well", "[apps][engine]") {
  auto config = with_demo_server();
  config.limits.turn.approval.always = true;
  engine running{config};
  REQUIRE(running.wait_for_servers(1min));
  bool ran = false;
  for (const auto& batch : running.stream(ask("a", "call")))
    for (const auto& each : batch.events) {
      if (const auto* asked = std::get_if<tool_approval_request>(&each))
        running.answer_approvals("a", {{"nobody-asked", true, ""}, {asked->approval_id, true, ""}});
      ran = ran || std::holds_alternative<mcp_tool_success>(each);
    }
  CHECK(ran);
}

TEST_CASE("a resumable turn whose reader has left is viewed by another", "[apps][engine]") {
  engine running{small()};
  auto request = ask("a", "paced");
  request.options.resumable = true;
  uint64_t seen = 0;
  {
    auto events = running.stream(request);
    const auto& first = *events.begin();
    seen = first.first_seq + first.events.size() - 1;
  }
  std::vector<event> rest;
  auto view = running.view("a", seen);
  for (const auto& batch : view) {
    if (rest.empty())
      CHECK(batch.first_seq == seen + 1);
    rest.insert(rest.end(), batch.events.begin(), batch.events.end());
    if (std::holds_alternative<text_delta>(rest.back()))
      running.abort("a");
  }
  CHECK(std::holds_alternative<session_end>(rest.back()));
  for (const auto& batch : running.view("nobody"))
    CHECK(error_of(batch.events) == errc::turn_not_running);
}

TEST_CASE("a callback that throws ends its turn, and the log says why", "[apps][engine]") {
  auto log = std::make_shared<kept_log>(log_level::error);
  auto config = small();
  config.log = log;
  engine running{config};
  CHECK_THROWS_AS(running.start_turn(ask("a", "text"), nullptr), std::invalid_argument);
  std::atomic<int> batches{0};
  running.start_turn(ask("a", "paced"), [&](const event_batch&) {
    if (++batches == 8) // by then the session itself delivers
      throw std::runtime_error{"the disk is gone"};
  });
  while (log->lines("callback").empty())
    std::this_thread::yield();
  CHECK(log->lines("callback").front().members.find("the disk is gone") != std::string::npos);
  while (running.status().running_turns > 0)
    std::this_thread::yield();
  running.shutdown(0ms);
  CHECK(batches == 8);
}

TEST_CASE("servers are checked alike, whenever they come", "[apps][engine]") {
  engine running{small()};
  auto entry = demo_server_entry();
  entry.type.clear();
  CHECK_FALSE(running.mcp().put_server(entry));
  entry.request_timeout = 0ms;
  CHECK(running.mcp().put_server(entry).code == errc::config_invalid);
  auto config = small();
  config.mcp_servers = {entry};
  CHECK_THROWS_AS(engine{config}, std::invalid_argument);
  config.mcp_servers = {demo_server_entry(), demo_server_entry()};
  CHECK_THROWS_AS(engine{config}, std::invalid_argument);
}

TEST_CASE("a conversation that cannot be deleted is left alone", "[apps][engine]") {
  engine running{small()};
  run(running, ask("a", "text"));
  CHECK(running.conversations().remove({"a"}).code == errc::capability_missing);
  CHECK(running.status().sessions == 1);
}

} // namespace engine_turns_test
