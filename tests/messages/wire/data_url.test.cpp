#include "messages/wire/data_url.hpp"

#include "tests/support/catch.hpp"

namespace data_url_test {

using namespace troupe;

TEST_CASE("a data URL gives its bytes", "[messages][data_url]") {
  CHECK(data_url_bytes("data:text/plain;charset=utf-8;base64,SGVsbG8=") == "Hello");
  CHECK(data_url_bytes("data:;base64,SGVsbA") == "Hell");
  CHECK(data_url_bytes("data:;base64,-_8=") == "\xFB\xFF");
  CHECK(data_url_bytes("data:,a%20b%2Cc%") == "a b,c%");
  CHECK(data_url_bytes("data:text/plain,%zz%4") == "%zz%4");
  CHECK(data_url_bytes("data:,") == "");
}

TEST_CASE("another URL or broken data gives nothing", "[messages][data_url]") {
  CHECK_FALSE(data_url_bytes("https://x.example/a,b"));
  CHECK_FALSE(data_url_bytes("data:text/plain"));
  CHECK_FALSE(data_url_bytes("data:;base64,a b"));
}

} // namespace data_url_test
