// Where an engine serves HTTP.
#include <unistd.h>

#include <array>

#include "tests/apps/engine/engine_questions.hpp"
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/support/catch.hpp"

namespace engine_listen_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string to_host(const std::string& name) {
  return "GET /v1/status HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n";
}

int status_for(uint16_t port, const std::string& host) {
  raw_client client{port};
  client.send(to_host(host));
  return read_answer(client).status;
}

} // namespace

TEST_CASE("an address that cannot be had leaves room for another, and then it is the one",
          "[apps][engine]") {
  engine running{small()};
  CHECK(running.listen("nowhere").code == errc::config_invalid);
  CHECK(running.port() == 0);
  REQUIRE_FALSE(running.listen("127.0.0.1:0"));
  const auto port = running.port();
  const auto again = running.listen("127.0.0.1:0");
  CHECK(again.code == errc::address_unavailable);
  CHECK(again.message.find(std::to_string(port)) != std::string::npos);
  CHECK(running.port() == port);
  CHECK(fetch(port, "GET", "/healthz").status == 200);
}

TEST_CASE("an engine answers to the host that it was told to listen on", "[apps][engine]") {
  std::array<char, 256> name{};
  REQUIRE(::gethostname(name.data(), name.size() - 1) == 0);
  engine running{small()};
  REQUIRE_FALSE(running.listen("localhost:0"));
  CHECK(status_for(running.port(), "localhost") == 200);
  CHECK(status_for(running.port(), "elsewhere.example") == 403);
}

TEST_CASE("an address that others reach needs keys, or somebody who means it", "[apps][engine]") {
  for (const auto* each : {"0.0.0.0:0", "[::]:0"}) {
    INFO(each);
    auto config = small();
    {
      engine running{config};
      const auto refused = running.listen(each);
      CHECK(refused.code == errc::config_invalid);
      CHECK(refused.message.find("--anyone") != std::string::npos);
      CHECK(running.port() == 0);
      CHECK_FALSE(running.listen("127.0.0.1:0"));
    }
    config.auth.anyone = true;
    engine meant{config};
    CHECK_FALSE(meant.listen(each));
  }
}

TEST_CASE("an address of this machine alone needs no keys", "[apps][engine]") {
  for (const auto* each : {"127.0.0.1:0", "127.1.2.3:0", "localhost:0", "[::1]:0"}) {
    INFO(each);
    engine running{small()};
    CHECK_FALSE(running.listen(each));
  }
}

} // namespace engine_listen_test
