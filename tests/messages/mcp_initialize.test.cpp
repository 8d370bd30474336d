#include "messages/wire/mcp/initialize.hpp"

#include "tests/support/catch.hpp"

using namespace troupe;

TEST_CASE("initialize asks for the latest revision", "[messages][mcp_initialize]") {
  CHECK(mcp::initialize_params("0.1.0") ==
        R"({"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"troupe","title":"Troupe","version":"0.1.0"}})");
}

TEST_CASE("four revisions are spoken", "[messages][mcp_initialize]") {
  for (auto revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(mcp::speaks(revision));
  for (auto revision : {"", "2024-10-07", "2026-07-28", "2025-11-25 "})
    CHECK_FALSE(mcp::speaks(revision));
}

TEST_CASE("a server's answer is read", "[messages][mcp_initialize]") {
  mcp::initialize_result read;
  auto bad = mcp::parse(R"({"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"2"},
    "capabilities":{"tools":{"listChanged":true},"logging":{},"resources":null,"x":{}},
    "instructions":"be nice","_meta":{}})",
                        read);
  REQUIRE(bad.message == "");
  CHECK(read.protocol_version == "2025-06-18");
  CHECK(read.server_name == "s");
  CHECK(read.server_version == "2");
  CHECK(read.instructions == "be nice");
  CHECK(read.has_tools);
  CHECK(read.has_logging);
  CHECK_FALSE(read.has_resources);
  CHECK_FALSE(read.has_prompts);
  CHECK_FALSE(read.has_completions);
}

TEST_CASE("a server may leave out all but the revision", "[messages][mcp_initialize]") {
  mcp::initialize_result read;
  CHECK_FALSE(mcp::parse(R"({"protocolVersion":"2024-11-05"})", read));
  CHECK(read.server_name.empty());
}

TEST_CASE("a missing or foreign revision breaks the protocol", "[messages][mcp_initialize]") {
  mcp::initialize_result read;
  for (auto text : {"{}", "[]", "", "{", R"({"protocolVersion":1})", R"({"protocolVersion":null})",
                    R"({"protocolVersion":"1.0"})"}) {
    INFO(text);
    auto bad = mcp::parse(text, read);
    CHECK(bad.code == errc::server_protocol);
    CHECK_FALSE(bad.message.empty());
  }
  CHECK(mcp::parse(R"({"protocolVersion":"1.0"})", read).message.find("\"1.0\"") !=
        std::string::npos);
}

TEST_CASE("an answer to initialize that breaks off is refused", "[messages][mcp_initialize]") {
  const std::string whole = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                            R"("serverInfo":{"name":"\u00e9"}})";
  mcp::initialize_result read;
  REQUIRE_FALSE(mcp::parse(whole, read));
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, read).code == errc::server_protocol);
}
