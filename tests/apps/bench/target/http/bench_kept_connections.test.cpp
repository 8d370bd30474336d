// What becomes of turns over HTTP when the server ends the connection that was kept for them.
#include <atomic>

#include "apps/bench/target/http/http_target.hpp"
#include "tests/apps/bench/target/bench_target_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"

namespace bench_kept_connections_test {

using namespace troupe;
using namespace troupe::test;
using bench::target_kind;

namespace {

std::string an_answer() {
  return plain_answer("data: [DONE]\n\n");
}

} // namespace

TEST_CASE("a turn whose kept connection breaks before its answer has failed, and is not sent again",
          "[apps][bench]") {
  std::atomic<int> asked{0};
  raw_server breaking{[&](raw_connection& in) {
    for (; in.request(); ++asked)
      if (asked % 2 == 1 || !in.send(an_answer())) {
        ++asked;
        return in.reset_at_end();
      }
  }};
  for (const auto kind : {target_kind::troupe, target_kind::native, target_kind::openai}) {
    asked = 0;
    target_fixture side{plan_of(kind, breaking.url())};
    side.run(ask_of("s"));
    CHECK(as_text(side.run(ask_of("t"))) == "failed(connection_cut)");
    CHECK(asked == 2);
  }
}

TEST_CASE("a turn after its connection was closed by an idle server takes a new one",
          "[apps][bench]") {
  mailbox<bool> closed;
  raw_server idle{[&](raw_connection& in) {
    in.request();
    in.send(an_answer());
    in.end();
    closed.put(true);
  }};
  target_fixture side{plan_of(target_kind::ai_sdk, idle.url())};
  for (size_t turns = 1; turns <= 8; ++turns) {
    CHECK(as_text(side.run(ask_of("s"))) == "event end");
    CHECK(closed.take());
    CHECK(idle.accepted() == turns);
  }
}

} // namespace bench_kept_connections_test
