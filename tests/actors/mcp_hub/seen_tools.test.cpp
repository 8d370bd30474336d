#include "actors/mcp_hub/seen_tools.hpp"

#include "tests/support/catch.hpp"

namespace seen_tools_test {

using namespace troupe;

namespace {

mcp::tool tool_of(const std::string& name) {
  mcp::tool out;
  out.name = name;
  out.title = "Note";
  out.description = "keeps a note";
  out.input_schema = {R"({"type":"object","properties":{"a":{"type":"string"}}})"};
  out.annotations = {R"({"readOnlyHint":true,"title":"Note"})"};
  return out;
}

seen_tools::news take(seen_tools& seen, const std::vector<mcp::tool>& tools) {
  return seen.take({tools});
}

} // namespace

TEST_CASE("a tool holds as it was first seen, whatever part of it changes",
          "[actors][seen_tools]") {
  seen_tools seen;
  CHECK_FALSE(seen.holds("note"));
  CHECK(take(seen, {tool_of("note")}).first);
  CHECK(seen.holds("note"));
  CHECK_FALSE(seen.holds("not"));

  auto changed = tool_of("note");
  std::string parts;
  SECTION("its description") {
    changed.description += ' ';
    parts = "description";
  }
  SECTION("its schema") {
    changed.input_schema = {R"({"type":"object","properties":{"a":{"type":"number"}}})"};
    parts = "inputSchema";
  }
  SECTION("its annotations and its title") {
    changed.title = "A note";
    changed.annotations = {R"({"readOnlyHint":false,"title":"Note"})"};
    parts = "title, annotations";
  }
  SECTION("a schema of its output that it did not have") {
    changed.output_schema = {R"({"type":"object"})"};
    parts = "outputSchema";
  }
  SECTION("a member twice") {
    changed.annotations = {R"({"readOnlyHint":true,"readOnlyHint":true,"title":"Note"})"};
    parts = "annotations";
  }
  SECTION("a string in place of a boolean") {
    changed.annotations = {R"({"readOnlyHint":"true","title":"Note"})"};
    parts = "annotations";
  }
  const auto news = take(seen, {changed});
  CHECK_FALSE(news.first);
  REQUIRE(news.changed.size() == 1);
  CHECK(news.changed[0].tool == "note");
  CHECK(news.changed[0].parts == parts);
  CHECK_FALSE(seen.holds("note"));
  CHECK(take(seen, {changed}).changed.empty()); // said once
  CHECK_FALSE(seen.holds("note"));
  const auto back = take(seen, {tool_of("note")});
  REQUIRE(back.changed.size() == 1);
  CHECK(back.changed[0].parts.empty());
  CHECK(seen.holds("note"));
}

TEST_CASE("the order of members and blanks mean nothing", "[actors][seen_tools]") {
  seen_tools seen;
  take(seen, {tool_of("note")});
  auto same = tool_of("note");
  same.input_schema = {R"({ "properties" : {"a":{"type":"string"}}, "type":"\u006fbject"})"};
  same.annotations = {R"({"title":"Note","readOnlyHint":true})"};
  CHECK(take(seen, {same}).changed.empty());
  CHECK(seen.holds("note"));
  same.input_schema = {R"({"enum":[1,2]})"};
  take(seen, {same});
  CHECK_FALSE(seen.holds("note"));
  const auto one = digests_of(same);
  same.input_schema = {R"({"enum":[2,1]})"};
  CHECK(digests_of(same) != one); // that of elements does
}

TEST_CASE("a tool that leaves the list and comes back is not new", "[actors][seen_tools]") {
  seen_tools seen;
  take(seen, {tool_of("note"), tool_of("add")});
  CHECK_FALSE(take(seen, {tool_of("add")}).first);
  auto changed = tool_of("note");
  changed.description = "sends a note";
  CHECK_FALSE(take(seen, {tool_of("add"), changed}).first);
  CHECK_FALSE(seen.holds("note"));
  CHECK(seen.holds("add"));
}

TEST_CASE("of two tools with one name the first counts", "[actors][seen_tools]") {
  seen_tools seen;
  auto other = tool_of("note");
  other.description = "sends a note";
  take(seen, {tool_of("note"), other});
  CHECK(seen.holds("note"));
  take(seen, {other, tool_of("note")});
  CHECK_FALSE(seen.holds("note"));
}

TEST_CASE("a server with ever new tools fills no memory", "[actors][seen_tools]") {
  seen_tools seen;
  std::vector<mcp::tool> tools;
  for (size_t i = 0; i < seen_tools::most; ++i)
    tools.push_back(tool_of(std::to_string(i)));
  take(seen, tools);
  CHECK(seen.holds("0"));
  CHECK_FALSE(take(seen, {tool_of("one more")}).first);
  CHECK_FALSE(seen.holds("one more"));
  CHECK(seen.holds("1999"));
  seen_tools other;
  const std::string longest(seen_tools::most_name_bytes, 'n');
  take(other, {tool_of(longest), tool_of(longest + 'n')});
  CHECK(other.holds(longest));
  CHECK_FALSE(other.holds(longest + 'n'));
}

TEST_CASE("what was seen is written down and read again", "[actors][seen_tools]") {
  seen_tools seen;
  take(seen, {tool_of("note"), tool_of("\"'\n"), {}});
  seen_tools again;
  take(again, {tool_of("another")});
  again.read(seen.json());
  CHECK(again.json() == seen.json());
  CHECK_FALSE(again.holds("another"));
  CHECK_FALSE(take(again, {tool_of("note")}).first);
  CHECK(again.holds("note"));
  CHECK(again.holds("\"'\n"));
  for (const auto* broken :
       {"", "[]", "{", R"({"note":[]})", R"({"note":"x"})", R"({"note":[1]})"}) {
    again.read(broken);
    CHECK(again.empty());
  }
}

} // namespace seen_tools_test
