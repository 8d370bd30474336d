// The parts of a connection that are no actors.
#include "actors/alarm_clock.hpp"
#include "actors/mcp_connection/lost_requests.hpp"
#include "actors/mcp_connection/mcp_backoff.hpp"
#include "actors/mcp_connection/mcp_calls.hpp"
#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "actors/mcp_connection/mcp_listing.hpp"
#include "actors/mcp_connection/mcp_peer_requests.hpp"
#include "actors/mcp_connection/secret_filter.hpp"

#include "tests/actors/mcp_connection/server_answers.hpp"
#include "tests/support/catch.hpp"

namespace mcp_connection_parts_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const std::chrono::steady_clock::time_point start{1h};

using step = mcp_backoff::step;

} // namespace

TEST_CASE("a diary keeps 100 lines and counts equal neighbours", "[actors][connection_log]") {
  connection_log diary;
  diary.add("a", 1);
  diary.add("a", 2);
  diary.add("b", 3);
  diary.add("a", 4);
  auto lines = diary.snapshot()->lines;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].times == 2);
  CHECK(lines[0].time_ms == 2);
  CHECK(lines[2].times == 1);
  CHECK(&diary.snapshot()->lines == &diary.snapshot()->lines);
  for (int i = 0; i < 1000; ++i)
    diary.add(std::to_string(i), i);
  CHECK(diary.snapshot()->lines.size() == 100);
  CHECK(diary.snapshot()->lines.front().text == "900");
  diary.add(std::string(5000, 'x'), 0);
  CHECK(diary.snapshot()->lines.back().text.size() == connection_log::max_line_bytes);
}

TEST_CASE("delays double up to 30 s, and fall only after a lasting success",
          "[actors][mcp_backoff]") {
  mcp_backoff backoff{0, false};
  for (auto delay : {1s, 2s, 4s})
    CHECK(backoff.lost(start, false, 0).delay == delay);
  backoff.connected(start);
  CHECK(backoff.lost(start + 9s, false, 0).delay == 8s);
  CHECK(backoff.attempt() == 4);
  backoff.connected(start);
  CHECK(backoff.lost(start + 10s, false, 0).delay == 1s);
}

TEST_CASE("jitter takes a part of the delay", "[actors][mcp_backoff]") {
  mcp_backoff backoff{0, true};
  CHECK(backoff.lost(start, false, 0).delay == 0ms);
  CHECK(backoff.lost(start, false, 0.5).delay == 1s);
  CHECK(backoff.lost(start, false, 0.999).delay == 3996ms);
}

TEST_CASE("a crash loop comes to its end", "[actors][mcp_backoff]") {
  mcp_backoff backoff{3, false};
  for (int i = 0; i < 3; ++i) {
    backoff.connected(start);
    CHECK(backoff.lost(start + 1s, false, 0).next == step::wait);
  }
  CHECK(backoff.lost(start, false, 0).next == step::give_up);
  backoff.reset();
  CHECK(backoff.lost(start, false, 0).next == step::wait);
}

TEST_CASE("a lost session is made anew at once, but not in a loop", "[actors][mcp_backoff]") {
  mcp_backoff backoff{0, false};
  CHECK(backoff.lost(start, true, 0).next == step::wait); // there was none yet
  backoff.connected(start);
  CHECK(backoff.lost(start + 1s, true, 0).next == step::at_once);
  backoff.connected(start + 1s);
  CHECK(backoff.lost(start + 10s, true, 0).next == step::wait);
  backoff.connected(start + 10s);
  CHECK(backoff.lost(start + 11s, true, 0).next == step::at_once);
}

TEST_CASE("a request is sent again only once, and only when that is safe", "[actors][mcp_replay]") {
  struct row {
    lost_request request; // not_run, repeatable, replayed, is_tool
    lost_fate fate;
  };
  const row rows[] = {
      {{true, false, false, true}, lost_fate::send_again},
      {{false, true, false, true}, lost_fate::send_again},
      {{false, true, false, false}, lost_fate::send_again},
      {{false, false, false, true}, lost_fate::unknown},
      {{false, false, false, false}, lost_fate::lost},
      {{true, false, true, true}, lost_fate::lost},
      {{false, true, true, true}, lost_fate::unknown},
      {{false, true, true, false}, lost_fate::lost},
  };
  for (const auto& each : rows)
    CHECK(fate_of(each.request) == each.fate);
}

TEST_CASE("calls get slots in their order, and those put back come first", "[actors][mcp_calls]") {
  mcp_calls calls{2};
  for (uint64_t number = 1; number <= 4; ++number) {
    mcp_call call;
    call.ask.call = number;
    calls.add(std::move(call));
  }
  auto* first = calls.next();
  CHECK(first->ask.call == 1);
  CHECK(calls.next()->ask.call == 2);
  CHECK(calls.next() == nullptr);
  calls.put_back(*first);
  CHECK(calls.next()->ask.call == 1);
  calls.remove(3);
  calls.remove(2);
  CHECK(calls.next()->ask.call == 4);
  CHECK(calls.in_flight() == 2);
  calls.remove(1);
  calls.remove(4);
  CHECK_FALSE(calls.remove(4));
  CHECK(calls.size() == 0);
  CHECK(calls.in_flight() == 0);
}

TEST_CASE("secrets are blackened wherever they stand", "[actors][secret_filter]") {
  mcp_server_config config;
  config.env = {{"KEY", "secret-1"}, {"SHORT", "yes"}};
  config.http_headers = {{"Authorization", "Bearer secret-2"}};
  config.url = "https://user:secret-3@host/mcp?token=secret-4";
  secret_filter secrets{config};
  CHECK(secrets.blacken("secret-1secret-1 yes secret-2") == "****** yes ***");
  CHECK(secrets.blacken("Bearer secret-2") == "***");
  CHECK(secrets.blacken(config.url) == "https://***@host/mcp?***");
  CHECK(secret_filter{}.blacken("as it is") == "as it is");
}

TEST_CASE("a bucket of 100 log messages fills with 20 in a second", "[actors][mcp_log_limit]") {
  mcp_log_limit limit;
  int passed = 0;
  for (int i = 0; i < 200; ++i)
    passed += limit.passes(start) ? 1 : 0;
  CHECK(passed == 100);
  CHECK(limit.take_dropped() == 100);
  CHECK(limit.take_dropped() == 0);
  for (int i = 0; i < 200; ++i)
    passed += limit.passes(start + 2s) ? 1 : 0;
  CHECK(passed == 140);
}

TEST_CASE("an alarm is armed once for the earliest wish", "[actors][alarm]") {
  alarm_clock alarm;
  CHECK_FALSE(alarm.wants(never));
  CHECK(alarm.wants(start + 10s));
  CHECK_FALSE(alarm.wants(start + 20s));
  CHECK(alarm.wants(start + 5s));
  CHECK(alarm.rings(start + 5s));
  CHECK(alarm.wants(start + 30s));
  CHECK_FALSE(alarm.rings(start + 10s)); // the first one, needless now
  CHECK(alarm.rings(start + 30s));
}

TEST_CASE("a list has its bounds", "[actors][mcp_listing]") {
  mcp_listing list{mcp_list::prompts};
  list.start({});
  jsonrpc::response page;
  failure bad;
  size_t pages = 0;
  while (!bad && pages < 2 * mcp_listing::max_pages) {
    page.result = R"({"prompts":[],"nextCursor":")" + std::to_string(++pages) + "\"}";
    bad = list.add(page);
  }
  CHECK(bad.code == errc::server_protocol);
  CHECK(pages == mcp_listing::max_pages);
}

TEST_CASE("a list knows whether it has changed", "[actors][mcp_listing]") {
  mcp_listing list{mcp_list::tools};
  auto run = [&](const std::string& name) {
    jsonrpc::response page;
    page.result = test::tools_page({name});
    list.start({});
    CHECK_FALSE(list.add(page));
    auto differs = list.finish();
    CHECK(list.take().tools.at(0).name == name);
    return differs;
  };
  CHECK(run("a"));
  CHECK_FALSE(run("a"));
  CHECK(run("b"));
  list.reset();
  CHECK(run("b"));
}

TEST_CASE("a table of tasks forgets the oldest that is over, never one that runs",
          "[actors][mcp_client_tasks]") {
  mcp_client_tasks tasks;
  for (size_t i = 0; i < mcp_client_tasks::max_tasks; ++i)
    REQUIRE(tasks.add("t" + std::to_string(i), 0ms, start) != nullptr);
  CHECK(tasks.add("one more", 0ms, start) == nullptr);
  tasks.find("t5")->waiting.emplace_back("7");
  CHECK(tasks.finish(*tasks.find("t5"), mcp::task_status::completed, {"{}", 0, ""}) ==
        std::vector<std::string>{"7"});
  CHECK(tasks.finish(*tasks.find("t5"), mcp::task_status::failed, {"", 1, "late"}).empty());
  CHECK(tasks.find("t5")->task.status == mcp::task_status::completed);
  auto* made = tasks.add("one more", 24h, start);
  REQUIRE(made != nullptr);
  CHECK(made->task.ttl == mcp_client_tasks::max_ttl);
  CHECK(tasks.find("t5") == nullptr);
  CHECK(tasks.size() == mcp_client_tasks::max_tasks);
}

} // namespace mcp_connection_parts_test
