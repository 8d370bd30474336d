#include "apps/troupe/settings_file.hpp"

#include "tests/support/catch.hpp"

namespace settings_file_test {

using namespace troupe;

namespace {

const std::string commented = R"({
  // the servers
  "mcpServers": {
    "a": {"command": "x"}, // first
    /* second */
    "b": {
      "command": "y", // why
    },
  },
  "listen": "127.0.0.1:1", // where
}
)";

std::string changed(std::string text, std::string_view server, std::string_view entry) {
  const auto bad = change_mcp_server(text, server, entry);
  INFO(bad.message);
  CHECK_FALSE(bad);
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a change leaves the comments of a file where they are", "[apps][settings_file]") {
  CHECK(changed(commented, "a", R"({"command": "z"})") ==
        replaced(commented, R"({"command": "x"})", R"({"command": "z"})"));
  CHECK(changed(commented, "c", "{}") ==
        replaced(commented, "      \"command\": \"y\", // why\n    },",
                 "      \"command\": \"y\", // why\n    },\n    \"c\": {},"));
  CHECK(changed("// all\n{}", "c", "{}") ==
        "// all\n{\n  \"mcpServers\": {\n    \"c\": {}\n  }\n}");
  CHECK(changed("// all\n{\"mcpServers\":{}}", "c", "{}") ==
        "// all\n{\"mcpServers\":{\n    \"c\": {}\n  }}");
}

TEST_CASE("a server is removed between comments", "[apps][settings_file]") {
  auto text = changed(commented, "a", "");
  CHECK(text.find("// first") != std::string::npos);
  CHECK(mcp_server_entry(text, "a").empty());
  CHECK_FALSE(mcp_server_entry(text, "b").empty());
  text = changed(commented, "b", "");
  CHECK(text.find("// first") != std::string::npos);
  CHECK(mcp_server_entry(text, "a") == R"({"command": "x"})");
  CHECK(mcp_server_entry(text, "b").empty());
  text = "{\"mcpServers\": {\"a\": {}, /* left */ }}";
  CHECK(change_mcp_server(text, "a", "").message.find("by hand") != std::string::npos);
  CHECK(text == "{\"mcpServers\": {\"a\": {}, /* left */ }}");
}

TEST_CASE("a switch leaves the comments of an entry where they are", "[apps][settings_file]") {
  const auto entry = mcp_server_entry(commented, "b");
  CHECK(entry.find("// why") != std::string::npos);
  const auto off = with_enabled(entry, false);
  CHECK(off.find("// why") != std::string::npos);
  CHECK(off.find("\"enabled\": false") != std::string::npos);
  CHECK(with_enabled(off, true) == replaced(off, "false", "true"));
  CHECK(with_enabled("{\"disabled\": true, // x\n}", true) == "{\"enabled\": true, // x\n}");
}

TEST_CASE("a switch leaves one word for whether a server is on", "[apps][settings_file]") {
  CHECK(with_enabled(R"({"isActive":false,"disabled":true})", true) ==
        "{\n      \"enabled\": true\n    }");
  CHECK(with_enabled("{\"enabled\": false, \"disabled\": true, // x\n}", true) ==
        "{\"enabled\": true , // x\n}");
  CHECK(with_enabled("{\"isActive\": true, // x\n \"command\": \"y\", \"disabled\": false}",
                     false) == "{\"enabled\": false, // x\n \"command\": \"y\" }");
}

TEST_CASE("servers that are no object are not written over", "[apps][settings_file]") {
  for (const std::string value : {R"([{"name":"a","command":"x"}])", "\"a\"", "1", "true"})
    for (const std::string end : {"}", "// c\n}"}) {
      const auto text = "{\"mcpServers\":" + value + end;
      for (const std::string entry : {"{}", ""}) {
        auto changed = text;
        CHECK(change_mcp_server(changed, "b", entry).message.find("its mcpServers is no object") ==
              0);
        CHECK(changed == text);
      }
    }
  CHECK(changed("{\"mcpServers\":null}", "b", "{}") ==
        "{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n");
}

} // namespace settings_file_test
