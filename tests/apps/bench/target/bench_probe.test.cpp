// Whether somebody is there, before a run.
#include "apps/bench/target/http/http_target.hpp"
#include "tests/apps/bench/target/bench_target_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"

namespace bench_probe_test {

using namespace troupe;
using namespace troupe::test;
using bench::target_kind;

TEST_CASE("a target whose answer to a probe never ends is there", "[apps][bench]") {
  raw_server endless{[](raw_connection& in) {
    in.request();
    in.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
    in.request(); // until the client leaves
  }};
  for (const auto kind : {target_kind::ai_sdk, target_kind::openai, target_kind::troupe}) {
    target_fixture side{plan_of(kind, endless.url())};
    CHECK_FALSE(side.factory().check());
  }
}

TEST_CASE("a refused probe says why with its body, however that comes", "[apps][bench]") {
  raw_server unready{[](raw_connection& in) {
    in.request();
    in.send("HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n");
    in.send("5\r\nstill\r\n");
    in.send("9\r\n starting\r\n0\r\n\r\n");
  }};
  target_fixture side{plan_of(target_kind::troupe, unready.url())};
  const auto why = side.factory().check();
  CHECK(why.code == errc::config_invalid);
  CHECK_THAT(why.message, Catch::Contains("503") && Catch::Contains("still starting"));
}

TEST_CASE("a target that closes without an answer is not there", "[apps][bench]") {
  raw_server closing{[](raw_connection& in) { in.request(); }};
  target_fixture side{plan_of(target_kind::openai, closing.url())};
  CHECK(side.factory().check().code == errc::config_invalid);
}

} // namespace bench_probe_test
