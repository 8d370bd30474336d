#include "transport/http/authority.hpp"

#include "tests/support/catch.hpp"

namespace authority_test {

using namespace troupe;

TEST_CASE("a name, an address in four numbers or one in brackets is a host, with or without a port",
          "[transport][authority]") {
  for (const auto* each : {"chat.example", "localhost", "LOCALHOST:80", "localhost.:8080",
                           "a_b.lan", "127.0.0.1:8080", "[::1]", "[::1]:8080",
                           "[fe80::1]:", "[::ffff:127.0.0.1]:1", "x:", "caf%C3%A9.example:443"}) {
    INFO(each);
    CHECK(is_authority(each));
  }
}

TEST_CASE("what no URL could name is no host", "[transport][authority]") {
  for (const auto* each : {"",
                           ":80",
                           ".",
                           "....",
                           "..:80",
                           "[evil.example]",
                           "[::1].evil.example",
                           "[::1]evil.example",
                           "[::1",
                           "[]",
                           "[::1]:8080x",
                           "[::1]]",
                           "::1",
                           "localhost:evil",
                           "localhost:80:80",
                           "a:-1",
                           "user@host",
                           "a b",
                           "a/b",
                           "a%",
                           "a%4",
                           "a%zz",
                           "ho\"st",
                           "[v1.x]",
                           "[::1%25eth0]",
                           "\xC3\xA9"}) {
    INFO(each);
    CHECK_FALSE(is_authority(each));
  }
}

} // namespace authority_test
