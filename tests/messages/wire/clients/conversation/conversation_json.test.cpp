// Lists, hits, overrides and usage of conversations as JSON.
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "tests/support/catch.hpp"

namespace conversation_json_test {

using namespace troupe;

TEST_CASE("a page names the next one, or null", "[messages][conversation_json]") {
  conversation_page page;
  CHECK(conversations_json(page) == R"({"conversations":[],"next":null})");
  page.conversations = {{"a", "A \"b\"", 1, 2, 3, 4}};
  page.next = "x\"y";
  CHECK(conversations_json(page) ==
        R"({"conversations":[{"id":"a","title":"A \"b\"","createdAt":1,"updatedAt":2,)"
        R"("messageCount":3,"version":4}],"next":"x\"y"})");
}

TEST_CASE("a snippet comes in pieces, and no mark is left in it", "[messages][conversation_json]") {
  auto snippet_of = [](std::string marked) {
    search_page page;
    page.hits = {{"c", "T", "m", role::assistant, std::move(marked), 5}};
    auto json = hits_json(page);
    auto from = json.find(R"("snippet":)") + 10;
    CHECK(json.ends_with(R"(,"createdAt":5}],"next":null})"));
    return json.substr(from, json.find(R"(,"createdAt")") - from);
  };
  CHECK(snippet_of("") == "[]");
  CHECK(snippet_of("plain <b>") == R"([{"text":"plain <b>","match":false}])");
  CHECK(snippet_of("\2one\3") == R"([{"text":"one","match":true}])");
  CHECK(snippet_of("a \2one\3 b \2two\3") ==
        R"([{"text":"a ","match":false},{"text":"one","match":true},{"text":" b ","match":false},)"
        R"({"text":"two","match":true}])");
  CHECK(snippet_of("\2one\3\2two") ==
        R"([{"text":"one","match":true},{"text":"two","match":true}])");
}

TEST_CASE("overrides are read as they are written", "[messages][conversation_json]") {
  for (const std::string json :
       {R"({"model":null,"mcpServers":null})", R"({"model":"fast","mcpServers":[]})",
        R"({"model":null,"mcpServers":["a","b \"c\""]})"}) {
    chat_overrides out{"old", true, {"old"}};
    CHECK(!parse_overrides(json, out));
    CHECK(overrides_json(out) == json);
  }
  chat_overrides out;
  CHECK(!parse_overrides("{}", out));
  CHECK(overrides_json(out) == R"({"model":null,"mcpServers":null})");
}

TEST_CASE("overrides are refused by what is wrong", "[messages][conversation_json]") {
  auto fault_of = [](std::string json) {
    chat_overrides out;
    auto bad = parse_overrides(json, out);
    CHECK(bad.code == errc::request_invalid);
    return bad.message;
  };
  CHECK(fault_of("[]") == "the body must be a JSON object");
  CHECK(fault_of(R"({"models":1})") == "models is not known here; there are model and mcpServers");
  CHECK(fault_of(R"({"systemPrompt":"x"})") == "systemPrompt is not known here; there are model "
                                               "and mcpServers. A turn sets it: systemPrompt");
  CHECK(fault_of(R"({"model":1})") == "model must be a string of 1 to 256 bytes, or null");
  CHECK(fault_of(R"({"mcpServers":"a"})") == "mcpServers must be an array or null");
  CHECK(fault_of(R"({"mcpServers":["a",""]})") ==
        "mcpServers[1] must be a string of 1 to 256 bytes");
  std::string many = "\"s\"";
  for (size_t i = 0; i < max_override_servers; ++i)
    many += ",\"s\"";
  CHECK(fault_of(R"({"mcpServers":[)" + many + "]}") == "mcpServers must not be more than 1024");
}

TEST_CASE("usage has a sum", "[messages][conversation_json]") {
  usage_table table;
  table.rows = {{"2026-11-20", "a", 1, 2, {1, 2, 3, 0, 0}},
                {"2026-11-21", "b", 3, 4, {10, 20, 30, 1, 2}}};
  auto json = usage_json(table);
  CHECK(json.starts_with(R"({"usage":[{"day":"2026-11-20","model":"a","turns":1,"requests":2,)"));
  CHECK(json.ends_with(R"("total":{"turns":4,"requests":6,"usage":{"inputTokens":11,)"
                       R"("outputTokens":22,"totalTokens":33,"reasoningTokens":1,)"
                       R"("cachedInputTokens":2}},"kept":{"conversations":0,"bytes":0,)"
                       R"("maxConversations":0,"maxBytes":0}})"));
  table.kept = {2, 300};
  table.quota = {4, 5000};
  CHECK(usage_json(table).ends_with(
      R"("kept":{"conversations":2,"bytes":300,"maxConversations":4,"maxBytes":5000}})"));
}

TEST_CASE("days and ids have their form", "[messages][conversation_json]") {
  CHECK(is_day(""));
  CHECK(is_day("2026-11-21"));
  CHECK(is_day("2028-02-29"));
  for (const auto* bad : {"2026-11-2", "2026-11-211", "20261121xx", "2026-11-2x", "2026/11/21",
                          "2026-13-45", "2026-02-29", "2026-02-30", "2026-04-31", "2026-00-10",
                          "2026-10-00", "2026-W47-6", "2026-325", "2026-11-21T00:00", "+026-11-21"})
    CHECK_FALSE(is_day(bad));
  CHECK(!check_conversation_id(std::string(256, 'x')));
  for (const auto& bad : {std::string{}, std::string(257, 'x'), std::string{"a\x1f"},
                          std::string{"\n"}, std::string{"\x7f"}})
    CHECK(check_conversation_id(bad));
}

} // namespace conversation_json_test
