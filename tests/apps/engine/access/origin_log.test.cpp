#include "apps/engine/access/origin_log.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace origin_log_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct lines final : log_port {
  bool takes(log_level level) const noexcept override { return level >= least; }
  void write(log_level, std::string_view event, std::string_view members) override {
    all.push_back(std::string{event} + ' ' + std::string{members});
  }

  log_level least = log_level::info;
  std::vector<std::string> all;
};

const failure foreign{errc::origin_refused, "Pages of http://a.example may not use this server."};

server_request chat_request() {
  server_request made;
  made.path = "/api/chat";
  return made;
}

} // namespace

TEST_CASE("a page that is refused is logged, at most every ten seconds", "[apps][origin_log]") {
  lines log;
  origin_log refusals;
  const origin_log::clock::time_point start{1h};
  refusals.note(&log, chat_request(), foreign, start);
  REQUIRE(log.all.size() == 1);
  CHECK(log.all[0] == R"(origin_refused "path":"/api/chat","message":)"
                      R"("Pages of http://a.example may not use this server.")");
  refusals.note(&log, chat_request(), foreign, start + 9s);
  CHECK(log.all.size() == 1);
  refusals.note(&log, chat_request(), foreign, start + 10s);
  CHECK(log.all.size() == 2);
}

TEST_CASE("other refusals, and levels that nobody takes, leave no line", "[apps][origin_log]") {
  lines log;
  origin_log refusals;
  refusals.note(&log, chat_request(), {errc::unauthorized, ""}, {});
  log.least = log_level::error;
  refusals.note(&log, chat_request(), foreign, {});
  refusals.note(nullptr, chat_request(), foreign, {});
  CHECK(log.all.empty());
  log.least = log_level::info;
  refusals.note(&log, chat_request(), foreign, {});
  CHECK(log.all.size() == 1);
}

TEST_CASE("what a client writes takes little of a line", "[apps][origin_log]") {
  lines log;
  origin_log refusals;
  auto request = chat_request();
  request.path = std::string(100'000, 'x');
  refusals.note(&log, request, {errc::origin_refused, std::string(16'000, 'y')}, {});
  REQUIRE(log.all.size() == 1);
  CHECK(log.all[0].size() < 1100);
}

} // namespace origin_log_test
