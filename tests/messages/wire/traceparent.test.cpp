#include "messages/wire/traceparent.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace traceparent_test {

using namespace troupe;

namespace {

const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string parent = "00f067aa0ba902b7";
const std::string received = "00-" + trace + "-" + parent + "-01";

} // namespace

TEST_CASE("a traceparent is two ids in lower-case hexadecimal, neither zero",
          "[messages][traceparent]") {
  CHECK(is_traceparent(received));
  CHECK(is_traceparent("cc-" + trace + "-" + parent + "-00"));
  CHECK(is_traceparent("cc-" + trace + "-" + parent + "-00-what-comes"));
  for (const auto& wrong : {
           std::string{},
           "0" + received,
           received + "-x",
           received.substr(1),
           "ff-" + trace + "-" + parent + "-01",
           "0x-" + trace + "-" + parent + "-01",
           "cc-" + trace + "-" + parent + "-00x",
           "00-" + std::string(32, '0') + "-" + parent + "-01",
           "00-" + trace + "-" + std::string(16, '0') + "-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + parent + "-01",
           "00-" + trace + "-00f067aa0ba902g7-01",
           "00-" + trace + "-" + parent + "-0g",
           "00_" + trace + "-" + parent + "-01",
           "00-" + trace + "_" + parent + "-01",
           "00-" + trace + "-" + parent + "_01",
       }) {
    INFO(wrong);
    CHECK_FALSE(is_traceparent(wrong));
  }
}

} // namespace traceparent_test
