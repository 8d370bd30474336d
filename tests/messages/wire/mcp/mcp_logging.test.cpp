#include "messages/wire/mcp/logging.hpp"

#include "tests/support/catch.hpp"

namespace mcp_logging_test {

using namespace troupe;

TEST_CASE("there are eight log levels", "[messages][mcp_logging]") {
  for (auto level :
       {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})
    CHECK(mcp::is_log_level(level));
  for (auto level : {"", "warn", "Debug", "info "})
    CHECK_FALSE(mcp::is_log_level(level));
  CHECK(mcp::set_level_params("info") == R"({"level":"info"})");
}

TEST_CASE("a log message is read with its data as it is", "[messages][mcp_logging]") {
  mcp::log_message read;
  REQUIRE_FALSE(mcp::parse(R"({"level":"error","logger":"db","data":{"a" : 1},"x":1})", read));
  CHECK(read.level == "error");
  CHECK(read.logger == "db");
  CHECK(read.data == R"({"a" : 1})");
  REQUIRE_FALSE(mcp::parse(R"({"level":"info"})", read));
  CHECK(read.logger.empty());
  CHECK(read.data == "null");
}

TEST_CASE("a log message without level or that breaks off is refused", "[messages][mcp_logging]") {
  mcp::log_message read;
  for (auto text : {"", "[]", "{}", R"({"level":7})", R"({"level":""})"})
    CHECK(mcp::parse(text, read).code == errc::server_protocol);
  CHECK(mcp::parse("{}", read).message == "notifications/message: there is no level");
  const std::string whole = R"({"level":"info","data":["\u00e9"]})";
  REQUIRE_FALSE(mcp::parse(whole, read));
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, read).code == errc::server_protocol);
}

} // namespace mcp_logging_test
