// An engine that keeps its chats in a real folder.
#include <filesystem>
#include <future>
#include <system_error>
#include <utility>

#include <stdlib.h>

#include "apps/engine/engine.hpp"
#include "apps/engine/keys.hpp"
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"
#include "transport/sqlite/sqlite_store.hpp"

namespace engine_store_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

/// A folder that is gone after the test.
class data_folder {
public:
  data_folder() {
    auto pattern = (fs::temp_directory_path() / "troupe-store-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~data_folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  engine_config config() const {
    engine_config out; // no model: the scripted ones answer
    out.shards = 1;
    out.store.folder = path;
    return out;
  }

  /// What is kept of a chat, while no engine runs.
  chat_record load(const std::string& session) const {
    failure why;
    auto store = open_sqlite_store(path, why);
    INFO(why.text());
    REQUIRE(store);
    return store->open(durability::normal, why)->load({session});
  }

  std::string path;
};

/// Runs a turn; returns its last event.
event run(engine& running, const std::string& session, const std::string& text,
          const std::string& script = "text") {
  turn_request request;
  request.session_id = session;
  request.options.model = script;
  chat_message said;
  said.text = text;
  request.messages.push_back(said);
  event last;
  for (const auto& batch : running.stream(std::move(request)))
    last = batch.events.back();
  return last;
}

std::vector<std::string> users_texts(const chat_record& record) {
  std::vector<std::string> out;
  for (const auto& each : record.history)
    if (each.who == role::user)
      out.push_back(each.text);
  return out;
}

bool holds(const std::string& text, const std::string& what) {
  UNSCOPED_INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a chat goes on after a restart of the engine on the same folder", "[apps][store]") {
  auto how = GENERATE(durability::full, durability::normal, durability::none);
  data_folder place;
  auto config = place.config();
  config.store.durable = how;
  for (const auto* text : {"one", "two"}) {
    engine running{config};
    CHECK(std::holds_alternative<session_end>(run(running, "a", text)));
  }
  auto kept = place.load("a");
  CHECK(users_texts(kept) == std::vector<std::string>{"one", "two"});
  CHECK(kept.history.size() == 4);
  CHECK(kept.last_turn.state == turn_state::ended);
  CHECK(kept.last_turn.used.total_tokens > 0);
}

TEST_CASE("a turn that the end of the engine aborted is kept as it was", "[apps][store]") {
  data_folder place;
  {
    engine running{place.config()};
    turn_request request;
    request.session_id = "a";
    request.options.model = "paced";
    chat_message said;
    said.text = "hi";
    request.messages.push_back(said);
    std::promise<void> answering;
    running.start_turn(std::move(request), [&, said = false](const event_batch& batch) mutable {
      auto text = std::holds_alternative<text_delta>(batch.events.back());
      if (text && !std::exchange(said, true))
        answering.set_value();
    });
    answering.get_future().wait();
  }
  auto kept = place.load("a");
  CHECK(kept.last_turn.state == turn_state::aborted);
  REQUIRE(kept.history.size() == 2);
  CHECK_FALSE(kept.history[1].text.empty());
}

TEST_CASE("two engines cannot use one folder at once", "[apps][store]") {
  data_folder place;
  engine first{place.config()};
  try {
    engine second{place.config()};
    FAIL("it started");
  } catch (const start_error& what) {
    CHECK(what.why().code == errc::store_locked);
    CHECK(holds(what.what(), place.path));
  }
  CHECK(std::holds_alternative<session_end>(run(first, "a", "hi")));
}

TEST_CASE("a folder that cannot be made ends the start with the reason", "[apps][store]") {
  data_folder place;
  auto config = place.config();
  config.store.folder = "/proc/self/nothing";
  CHECK_THROWS_AS(engine{config}, start_error);
}

TEST_CASE("status, metrics and the log say how the store is", "[apps][store]") {
  data_folder place;
  auto config = place.config();
  auto log = std::make_shared<kept_log>();
  config.log = log;
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  run(running, "a", "hi");
  CHECK(fetch(running.port(), "GET", "/readyz").status == 200);
  auto status = fetch(running.port(), "GET", "/v1/status").body;
  CHECK(holds(status, R"("store":{"path":")" + place.path));
  CHECK(holds(status, R"("durability":"normal","saves":2,)"));
  auto metrics = fetch(running.port(), "GET", "/metrics").body;
  CHECK(holds(metrics, "\ntroupe_store_up 1\n"));
  CHECK(holds(metrics, "\ntroupe_store_saves_total 2\n"));
  REQUIRE(log->lines("start").size() == 1);
  CHECK(holds(log->lines("start")[0].members,
              R"("data":")" + place.path + R"(","durability":"normal")"));
}

TEST_CASE("without a folder nothing is kept and nothing is said of a store", "[apps][store]") {
  engine_config config;
  config.shards = 1;
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  CHECK(std::holds_alternative<session_end>(run(running, "a", "hi")));
  CHECK_FALSE(holds(fetch(running.port(), "GET", "/v1/status").body, R"("store")"));
  CHECK_FALSE(holds(fetch(running.port(), "GET", "/metrics").body, "troupe_store"));
}

TEST_CASE("keys without a folder that has them are refused", "[apps][store]") {
  engine_config config;
  config.shards = 1;
  config.auth.keys = true;
  engine running{config};
  CHECK(running.listen("127.0.0.1:0").code == errc::config_invalid);
}

TEST_CASE("a key of the process's own lets its holder in, and nobody else", "[apps][store]") {
  data_folder place;
  auto config = GENERATE(false, true) ? place.config() : engine_config{};
  config.shards = 1;
  std::string text;
  REQUIRE_FALSE(grant_own_key(config, text));
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  const auto* body = R"({"command":"true"})";
  CHECK(fetch(running.port(), "PUT", "/v1/mcp/servers/x", body).status == 401);
  auto fields = "Authorization: Bearer " + text + "\r\n";
  CHECK(fetch(running.port(), "PUT", "/v1/mcp/servers/x", body, fields).status == 200);
}

TEST_CASE("a key of the process's own can open the chats of single-user mode", "[apps][store]") {
  data_folder place;
  auto config = place.config();
  config.shards = 1;
  {
    engine before{config};
    run(before, "kept", "hello");
  }
  std::string text;
  REQUIRE_FALSE(grant_own_key(config, text, ""));
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  auto fields = "Authorization: Bearer " + text + "\r\n";
  CHECK(fetch(running.port(), "GET", "/v1/conversations/kept", "", fields).status == 200);
  CHECK(fetch(running.port(), "GET", "/v1/conversations/kept").status == 401);
}

TEST_CASE("a key is good from the first request on, until it is revoked", "[apps][store]") {
  data_folder place;
  api_key key;
  key.owner = "ann";
  key.admin = true;
  std::string text;
  REQUIRE_FALSE(create_key(place.path, key, text));
  auto config = place.config();
  config.auth.keys = true;
  engine running{config};
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  auto fields = "Authorization: Bearer " + text + "\r\n";
  auto ask = [&] { return fetch(running.port(), "GET", "/v1/status", "", fields).status; };
  CHECK(ask() == 200);
  CHECK(fetch(running.port(), "GET", "/v1/status").status == 401);
  REQUIRE_FALSE(revoke_key(place.path, key.id));
  auto limit = std::chrono::steady_clock::now() + 20s;
  while (ask() == 200 && std::chrono::steady_clock::now() < limit) {
  }
  CHECK(ask() == 401);
}

} // namespace engine_store_test
