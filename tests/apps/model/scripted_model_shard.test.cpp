#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/model_shard.hpp"
#include "apps/model/script/scripts.hpp"
#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace scripted_model_shard_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

constexpr auto patience = std::chrono::seconds{30};

/// Records an answer. Touched on the loop's thread only, apart from `ended`.
struct fake_response : http_response {
  void watch(std::function<void(response_signal)> to) override { watcher = std::move(to); }
  void send(uint16_t code, const headers&, std::string text) override {
    status = code;
    body = std::move(text);
    end("send");
  }
  void start(uint16_t code, const headers&) override { status = code; }
  bool write(std::string_view bytes) override {
    body += bytes;
    ++writes;
    return !is_full;
  }
  void finish() override { end("finish"); }
  void reset() override { end("reset"); }

  void end(std::string how) { ended.set_value(std::move(how)); }

  std::function<void(response_signal)> watcher;
  uint16_t status = 0;
  std::string body;
  int writes = 0;
  bool is_full = false;
  std::promise<std::string> ended;
};

/// One shard on a loop of its own.
struct fixture {
  explicit fixture(size_t max_running = 0) : shard{home, counters, max_running} {}

  loop home{0};
  model_counters counters;
  model_shard shard;

  ~fixture() {
    home.call([this] { shard.drop_answers(); });
  }

  std::shared_ptr<fake_response> ask(std::string_view model, bool stream = true,
                                     bool is_full = false) {
    auto to = std::make_shared<fake_response>();
    to->is_full = is_full;
    home.call([&] {
      server_request request;
      request.body = R"({"model":")" + std::string{model} + R"(","stream":)" +
                     (stream ? "true" : "false") +
                     R"(,"messages":[{"role":"user","content":"hi"}]})";
      shard.complete(std::move(request), {&chat_dialect}, to);
    });
    return to;
  }

  std::string end_of(const std::shared_ptr<fake_response>& what) {
    auto end = what->ended.get_future();
    REQUIRE(end.wait_for(patience) == std::future_status::ready);
    home.call([] {}); // what the loop did after it is seen
    return end.get();
  }
};

size_t frames_in(std::string_view body) {
  size_t count = 0;
  for (auto at = body.find("data: "); at != std::string_view::npos;
       at = body.find("data: ", at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("an instant answer is one write, and equal every time", "[apps][scripted_model]") {
  fixture model;
  const auto first = model.ask("text");
  const auto second = model.ask("text");
  CHECK(model.end_of(first) == "finish");
  CHECK(model.end_of(second) == "finish");
  CHECK(first->writes == 1);
  CHECK(first->body == second->body);
  answer fifty;
  fifty.text = fifty_tokens();
  CHECK(first->body == all_frames(fifty, {"text", true, false}, chat_dialect));
  CHECK(model.counters.completed == 2);
  CHECK(model.counters.open == 0);
}

TEST_CASE("a paced answer takes its time and is written token by token", "[apps][scripted_model]") {
  fixture model;
  const auto begin = std::chrono::steady_clock::now();
  const auto told = model.ask("paced-100-5");
  CHECK(model.end_of(told) == "finish");
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{40});
  CHECK(frames_in(told->body) == 8); // role, five tokens, finish, [DONE]
  CHECK(told->writes >= 2);
  CHECK(model.counters.completed == 1);
}

TEST_CASE("a paced answer without stream comes whole, at its end", "[apps][scripted_model]") {
  fixture model;
  const auto begin = std::chrono::steady_clock::now();
  const auto told = model.ask("paced-100-5", false);
  CHECK(model.end_of(told) == "send");
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{50});
  CHECK(told->body.find(R"("completion_tokens":5)") != std::string::npos);
}

TEST_CASE("a client that leaves stops the script", "[apps][scripted_model]") {
  fixture model;
  for (auto name : {"silent", "stall", "paced-1", "slow-start", "long"}) {
    INFO(name);
    const auto before = model.counters.aborted.load();
    const auto told = model.ask(name, true, true);
    CHECK(model.counters.open == 1);
    const auto seen = told->writes;
    model.home.call([&] { told->watcher(response_signal::gone); });
    CHECK(model.counters.open == 0);
    CHECK(model.counters.aborted == before + 1);
    model.home.call([&] { told->watcher(response_signal::drained); });
    CHECK(told->writes == seen);
    CHECK(told.use_count() == 1); // nobody holds the answer any more
  }
}

TEST_CASE("a long answer waits for its client", "[apps][scripted_model]") {
  fixture model;
  const auto told = model.ask("long", true, true);
  CHECK(told->writes == 1);
  CHECK(told->body.size() < 64 * 1024);
  model.home.call([&] { told->watcher(response_signal::drained); });
  CHECK(told->writes == 2);
  model.home.call([&] {
    told->is_full = false;
    told->watcher(response_signal::drained);
  });
  CHECK(model.end_of(told) == "finish");
  CHECK(frames_in(told->body) == 100'003);
  CHECK(model.counters.completed == 1);
}

TEST_CASE("a pace goes on after the client was full", "[apps][scripted_model]") {
  fixture model;
  const auto told = model.ask("paced-1000-5", true, true);
  CHECK(told->writes == 1);
  model.home.call([&] {
    told->is_full = false;
    told->watcher(response_signal::drained);
  });
  CHECK(model.end_of(told) == "finish");
  CHECK(frames_in(told->body) == 8);
}

TEST_CASE("broken answers end as their names say", "[apps][scripted_model]") {
  fixture model;
  for (bool stream : {true, false}) {
    const auto cut = model.ask("cut", stream);
    CHECK(model.end_of(cut) == "reset");
    const auto clean = model.ask("cut-clean", stream);
    CHECK(model.end_of(clean) == "finish");
    CHECK(cut->status == 200);
    CHECK_FALSE(cut->body.empty());
    CHECK(clean->body.find("[DONE]") == std::string::npos);
    CHECK(clean->body.find(R"("finish_reason":"stop")") == std::string::npos);
  }
  CHECK(model.counters.completed == 4);
}

TEST_CASE("a refused request is answered in OpenAI's shape and logged", "[apps][scripted_model]") {
  fixture model;
  const auto told = model.ask("no-such-script");
  CHECK(model.end_of(told) == "send");
  CHECK(told->status == 404);
  CHECK(
      told->body.starts_with(R"({"error":{"message":"The model 'no-such-script' does not exist)"));
  CHECK(told->body.find("paced") != std::string::npos);
  std::vector<logged_request> seen;
  model.home.call([&] { model.shard.log().copy_to(seen); });
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].model == "no-such-script");
  CHECK(seen[0].is_json);
}

TEST_CASE("answers beyond --max-running wait for one that ends", "[apps][scripted_model]") {
  fixture model{1};
  const auto first = model.ask("silent");
  const auto second = model.ask("paced-1000-2");
  const auto left = model.ask("silent");
  CHECK(model.counters.open == 3);
  CHECK(second->writes == 0);
  model.home.call([&] { left->watcher(response_signal::gone); }); // while it waits
  CHECK(model.counters.open == 2);
  model.home.call([&] { first->watcher(response_signal::gone); });
  CHECK(model.end_of(second) == "finish");
  CHECK(model.counters.completed == 1);
  CHECK(model.counters.aborted == 2);
}

TEST_CASE("answers that take no time do not wait for a place", "[apps][scripted_model]") {
  fixture model{1};
  model.ask("silent");
  const auto told = model.ask("text");
  CHECK(model.end_of(told) == "finish");
}

} // namespace scripted_model_shard_test
