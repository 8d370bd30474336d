#include "messages/wire/mcp/initialize.hpp"

#include "tests/support/catch.hpp"

namespace mcp_initialize_test {

using namespace troupe;

namespace {

std::string declared(const mcp::client_capabilities& what) {
  const std::string head = R"({"protocolVersion":"2025-11-25","capabilities":)";
  const std::string tail = R"(,"clientInfo":{"name":"troupe","title":"Troupe","version":"0.1.0"}})";
  auto params = mcp::initialize_params("0.1.0", what);
  REQUIRE(params.starts_with(head));
  REQUIRE(params.ends_with(tail));
  return params.substr(head.size(), params.size() - head.size() - tail.size());
}

} // namespace

TEST_CASE("initialize asks for the latest revision", "[messages][mcp_initialize]") {
  CHECK(mcp::initialize_params("0.1.0", {}) ==
        R"({"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"troupe","title":"Troupe","version":"0.1.0"}})");
}

TEST_CASE("only what the client can do is declared", "[messages][mcp_initialize]") {
  CHECK(declared({}) == "{}");
  CHECK(declared({.roots = true}) == R"({"roots":{"listChanged":true}})");
  CHECK(declared({.sampling = true}) ==
        R"({"sampling":{"tools":{}},)"
        R"("tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}}}}})");
  CHECK(declared({.elicitation = true}) ==
        R"({"elicitation":{"form":{},"url":{}},)"
        R"("tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}}}}})");
  CHECK(declared({.roots = true, .sampling = true, .elicitation = true}) ==
        R"({"roots":{"listChanged":true},"sampling":{"tools":{}},)"
        R"("elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},"requests":{)"
        R"("sampling":{"createMessage":{}},"elicitation":{"create":{}}}}})");
}

TEST_CASE("four revisions are spoken", "[messages][mcp_initialize]") {
  for (auto revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(mcp::speaks(revision));
  for (auto revision : {"", "2024-10-07", "2026-07-28", "2025-11-25 "})
    CHECK_FALSE(mcp::speaks(revision));
}

TEST_CASE("a server's answer is read", "[messages][mcp_initialize]") {
  mcp::initialize_result read;
  auto bad = mcp::parse(
      R"({"protocolVersion":"2025-06-18","serverInfo":{"name":"s","title":"S","version":"2"},
    "capabilities":{"tools":{"listChanged":true},"logging":{},"resources":null,"prompts":false,
    "x":{}},
    "instructions":"be nice","_meta":{}})",
      read);
  REQUIRE(bad.message == "");
  CHECK(read.protocol_version == "2025-06-18");
  CHECK(read.server_name == "s");
  CHECK(read.server_title == "S");
  CHECK(read.server_version == "2");
  CHECK(read.instructions == "be nice");
  CHECK(read.capabilities.tools);
  CHECK(read.capabilities.logging);
  CHECK_FALSE(read.capabilities.resources);
  CHECK_FALSE(read.capabilities.resources_subscribe);
  CHECK_FALSE(read.capabilities.prompts);
  CHECK_FALSE(read.capabilities.completions);
  CHECK_FALSE(read.capabilities.tasks);
  CHECK_FALSE(read.capabilities.task_calls);
}

TEST_CASE("capabilities within capabilities are read", "[messages][mcp_initialize]") {
  auto capabilities = [](const std::string& text) {
    mcp::initialize_result read;
    REQUIRE_FALSE(
        mcp::parse(R"({"protocolVersion":"2025-11-25","capabilities":)" + text + "}", read));
    return read.capabilities;
  };
  auto all = capabilities(R"({"resources":{"subscribe":true},"completions":{},
    "tasks":{"list":{},"requests":{"tools":{"call":{}}}}})");
  CHECK(all.resources);
  CHECK(all.resources_subscribe);
  CHECK(all.completions);
  CHECK(all.tasks);
  CHECK(all.task_calls);
  CHECK_FALSE(capabilities(R"({"resources":{"subscribe":false}})").resources_subscribe);
  CHECK_FALSE(capabilities(R"({"resources":{}})").resources_subscribe);
  CHECK_FALSE(capabilities(R"({"tasks":{"list":{}}})").task_calls);
  CHECK_FALSE(capabilities(R"({"tasks":{"requests":{"tools":{}}}})").task_calls);
  for (const auto* garbled : {"[]", "1", "null", R"({"tasks":7,"resources":"x","tools":null})"})
    CHECK_FALSE(capabilities(garbled).task_calls);
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

} // namespace mcp_initialize_test
