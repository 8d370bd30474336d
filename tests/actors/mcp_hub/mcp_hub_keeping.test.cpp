#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"
#include "tests/actors/mcp_hub/settings_store.hpp"
#include "tests/support/kept_log.hpp"

namespace mcp_hub_keeping_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Entries with a command only; "bad" cannot be read.
mcp_entry_format commands() {
  return {[](const mcp_server_config& server) {
            return fmt::format(R"({{"command":{},"enabled":{}}})", to_json(server.command),
                               server.enabled);
          },
          [](std::string_view name, std::string_view entry, mcp_server_config& out) -> failure {
            std::string_view command, enabled;
            json_source text{entry};
            read_members(text.root(), {{"command", &command}, {"enabled", &enabled}});
            if (json_string(command) == "bad")
              return {errc::config_invalid, "bad"};
            out.name = name;
            out.type = "stdio";
            out.command = json_string(command);
            out.enabled = enabled == "true";
            return {};
          }};
}

mcp_server_config with_command(const std::string& name, const std::string& command) {
  auto server = stdio_server(name);
  server.command = command;
  return server;
}

/// A hub whose servers are kept; a new one can be started on what the last one left.
class kept_servers : public mcp_hub_fixture {
public:
  kept_servers() {
    settings.entries = commands();
    settings.log = log;
    store = start_settings_store(*this, kept);
  }

  ~kept_servers() {
    sys.registry().erase(conversation_store_name);
    crash(*this, store);
    kept->held.clear();
    kept->held_lists.clear();
  }

  /// The process ends, and begins again with these servers configured.
  void reopen(const strings& names) {
    crash(*this, parent);
    settings.servers.clear();
    mcp.links.clear();
    mcp_hub_fixture::open(names);
  }

  /// Names, and how they are switched, in order.
  strings servers() {
    strings out;
    for (const auto& each : ask<server_list>(hub, atom::status_v).servers)
      out.push_back(each.name + (each.enabled ? "" : " off"));
    return out;
  }

  std::string kept_of(const std::string& server) { return kept->values["mcpServers/" + server]; }

  strings logged() const {
    strings out;
    for (const auto& each : log->lines("mcp_settings"))
      out.push_back(each.members);
    return out;
  }

  std::shared_ptr<kept_settings> kept = std::make_shared<kept_settings>();
  std::shared_ptr<kept_log> log = std::make_shared<kept_log>();
  conversation_store_actor store;
};

} // namespace

TEST_CASE_METHOD(kept_servers, "what is done to servers holds again after a restart",
                 "[actors][mcp_hub]") {
  open({"one", "two", "three", "four"});
  CHECK_FALSE(put(with_command("zeta", "first")));
  CHECK_FALSE(put(with_command("alpha", "second")));
  CHECK_FALSE(change("one", server_verb::remove));
  CHECK_FALSE(change("two", server_verb::disable));
  CHECK_FALSE(put(with_command("three", "another")));
  CHECK_FALSE(change("alpha", server_verb::disable));
  reopen({"one", "two", "three", "four"});
  CHECK(servers() == strings{"two off", "three", "four", "zeta", "alpha off"});
  CHECK(link("three").config.command == "another");
  CHECK(link("four").config.command == "true");
  CHECK(link("zeta").config.command == "first");
  CHECK(mcp.links.size() == 3);
  CHECK(logged().empty());
}

TEST_CASE_METHOD(kept_servers, "what is done back leaves nothing", "[actors][mcp_hub]") {
  open({"one", "two"});
  CHECK_FALSE(change("one", server_verb::disable));
  CHECK_FALSE(put(with_command("two", "another")));
  CHECK_FALSE(put(with_command("three", "x")));
  CHECK(kept->values.size() == 3);
  CHECK_FALSE(change("one", server_verb::enable));
  CHECK_FALSE(put(stdio_server("two")));
  CHECK_FALSE(change("three", server_verb::remove));
  CHECK(kept->values.empty());
}

TEST_CASE_METHOD(kept_servers, "a server that was removed and added again is there",
                 "[actors][mcp_hub]") {
  open({"one", "two"});
  CHECK_FALSE(change("one", server_verb::remove));
  CHECK_FALSE(put(with_command("one", "another")));
  reopen({"one", "two"});
  CHECK(servers() == strings{"one", "two"});
  CHECK(link("one").config.command == "another");
}

TEST_CASE_METHOD(kept_servers, "a configuration that has changed since wins", "[actors][mcp_hub]") {
  open({"one", "two", "three"});
  CHECK_FALSE(change("one", server_verb::disable));
  CHECK_FALSE(change("two", server_verb::remove));
  CHECK_FALSE(change("three", server_verb::disable));
  CHECK_FALSE(put(with_command("four", "mine")));
  crash(*this, parent);
  settings.servers = {with_command("one", "changed"), with_command("two", "changed"),
                      with_command("four", "theirs")};
  mcp.links.clear();
  mcp_hub_fixture::open();
  CHECK(servers() == strings{"one", "two", "four"});
  CHECK(link("four").config.command == "theirs");
  CHECK(kept->values.size() == 1); // of "three", which another configuration may have
  CHECK(kept->values.begin()->first == "mcpServers/three");
  CHECK(logged().size() == 3);
  CHECK(contains(logged()[0], "dropped"));
}

TEST_CASE_METHOD(kept_servers, "settings that cannot be read are left alone, and told",
                 "[actors][mcp_hub]") {
  kept->values = {{"mcpServers/a", "no JSON"},
                  {"mcpServers/b", R"({"place":1,"entry":{"command":"bad"}})"},
                  {"mcpServers/c", R"({"removed":true})"},
                  {"mcpServers/d", R"({"place":2,"entry":{"command":"x","enabled":true}})"},
                  {"other/e", "x"}};
  open({"one"});
  CHECK(servers() == strings{"one", "d"});
  CHECK(kept->values.size() == 5);
  CHECK(logged().size() == 3);
}

TEST_CASE_METHOD(kept_servers, "nothing is connected before the kept settings are there",
                 "[actors][mcp_hub]") {
  heard got;
  kept->silent = true;
  open({"one", "two"});
  CHECK(mcp.links.empty());
  auto who = caller(got);
  SECTION("a chat that lists its tools gets those of the servers that connect then") {
    list(who);
    answer_held(*this, store);
    CHECK(got.snapshots.empty());
    shake_hands(*this, link("one"), {"echo"});
    shake_hands(*this, link("two"), {"echo"});
    REQUIRE(got.snapshots.size() == 1);
    CHECK(got.tools() == strings{"echo", "two_echo"});
  }
  SECTION("and waits no longer than for servers, whatever it names") {
    list(who, {"added", "one"});
    advance(199ms);
    CHECK(got.snapshots.empty());
    advance(1ms);
    REQUIRE(got.snapshots.size() == 1);
    CHECK(got.snapshots[0].unknown_server.empty());
    CHECK(got.tools().empty());
  }
}

TEST_CASE_METHOD(kept_servers, "a change is made when it is kept", "[actors][mcp_hub]") {
  open({"one"});
  kept->silent = true;
  auto answered = ask_later<failure>(*this, hub, put_server{with_command("two", "x")});
  auto next = ask_later<failure>(*this, hub, change_server{"two", server_verb::disable});
  CHECK(servers() == strings{"one"});
  CHECK(kept->puts.size() == 1);
  CHECK(answered->answers.empty());
  answer_held(*this, store);
  CHECK(servers() == strings{"one", "two"});
  CHECK(answered->answers.size() == 1);
  CHECK(next->answers.empty());
  answer_held(*this, store);
  CHECK(servers() == strings{"one", "two off"});
  REQUIRE(next->answers.size() == 1);
  CHECK_FALSE(next->answers[0]);
}

TEST_CASE_METHOD(kept_servers, "a change that cannot be kept is not made", "[actors][mcp_hub]") {
  open({"one"});
  kept->fails = {errc::store_full, ""};
  CHECK(put(with_command("two", "x")).code == errc::store_full);
  CHECK(change("one", server_verb::remove).code == errc::store_full);
  CHECK(servers() == strings{"one"});
  CHECK_FALSE(link("one").closing);
  kept->fails = {};
  CHECK(put(with_command("two", "bad")).code == errc::config_invalid);
  CHECK(change("none", server_verb::enable).code == errc::server_unknown);
  CHECK(put(mcp_server_config{}).code == errc::config_invalid);
  CHECK(kept->values.empty());
  CHECK_FALSE(change("one", server_verb::enable)); // it is so already
  CHECK_FALSE(change("one", server_verb::retry));
  CHECK(kept->puts.size() == 2);
}

TEST_CASE_METHOD(kept_servers, "a store that is silent about a change is asked what it has",
                 "[actors][mcp_hub]") {
  open({"one"});
  kept->silent = true;
  auto answered = ask_later<failure>(*this, hub, change_server{"one", server_verb::disable});
  advance(4s);
  REQUIRE(answered->answers.size() == 1);
  CHECK(answered->answers[0].code == errc::store_timeout);
  CHECK(servers() == strings{"one"});
  auto refused = change("one", server_verb::remove);
  CHECK(refused.code == errc::store_timeout);
  CHECK(kept->puts.size() == 1);
  kept->silent = false;
  advance(4s); // the question after it had no answer either
  advance(1s);
  CHECK(servers() == strings{"one off"});
  CHECK_FALSE(change("one", server_verb::enable));
  CHECK(kept->values.empty());
}

TEST_CASE_METHOD(kept_servers, "while the settings cannot be read, those configured are there",
                 "[actors][mcp_hub]") {
  kept->values["mcpServers/two"] = R"({"place":1,"entry":{"command":"x","enabled":true}})";
  kept->fails = {errc::store_locked, ""};
  open({"one"});
  CHECK(mcp.links.size() == 1);
  CHECK(change("one", server_verb::remove).code == errc::store_locked);
  CHECK(kept->puts.empty());
  CHECK(logged().size() == 1);
  advance(1s);
  CHECK(kept->lists == 2);
  CHECK(logged().size() == 1);
  kept->fails = {};
  advance(1s);
  CHECK(servers() == strings{"one", "two"});
  CHECK(mcp.links.size() == 2);
  advance(10s);
  CHECK(kept->lists == 3);
  CHECK_FALSE(change("one", server_verb::remove));
}

TEST_CASE_METHOD(kept_servers, "a hub that crashes answers the changes that wait",
                 "[actors][mcp_hub]") {
  open({"one"});
  kept->silent = true;
  auto answered = ask_later<failure>(*this, hub, change_server{"one", server_verb::disable});
  auto next = ask_later<failure>(*this, hub, change_server{"one", server_verb::enable});
  crash(*this, hub);
  REQUIRE(answered->answers.size() == 1);
  REQUIRE(next->answers.size() == 1);
  CHECK(answered->answers[0].code == errc::server_lost);
}

TEST_CASE_METHOD(kept_servers, "without a format changes hold as long as the hub",
                 "[actors][mcp_hub]") {
  settings.entries = {};
  open({"one"});
  CHECK_FALSE(change("one", server_verb::remove));
  CHECK(kept->lists == 0);
  CHECK(kept->puts.empty());
  reopen({"one"});
  CHECK(servers() == strings{"one"});
}

} // namespace mcp_hub_keeping_test
