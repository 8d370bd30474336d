// Outputs of calls come back as they were, and are not kept twice where the text says it all.
#include "messages/wire/clients/ui/ui_tool_output.hpp"

#include "messages/chat/skipped_call_texts.hpp"
#include "messages/wire/clients/ui/ui_parts.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/content_files.hpp"
#include "messages/wire/mcp/tools_call.hpp"
#include "tests/support/catch.hpp"

namespace ui_tool_output_test {

using namespace troupe;

namespace {

/// Returns the result of a call as the history has it.
chat_message result_of(std::string_view output, bool of_server) {
  const json_source source{output};
  chat_message out;
  out.who = role::tool;
  if (of_server) {
    mcp::call_result read;
    REQUIRE(!mcp::parse(output, read));
    out.text = read.text;
    out.files = mcp::files_of_result(output);
  } else {
    out.text = tool_output_text(source.root());
  }
  if (auto shown = shown_output(source.root(), out.text, out.files))
    out.shown.push_back(*shown);
  return out;
}

std::string output_of(const chat_message& result) {
  json_buffer out;
  append_output(out, result);
  return std::string{view(out)};
}

} // namespace

TEST_CASE("an output of the client comes back as the JSON that it was",
          "[messages][ui_tool_output]") {
  const auto* output =
      GENERATE(R"("done")", R"({"ok":true,"n":1})", "42", "null", "[1,{}]", R"("")",
               R"({"content":[{"type":"text","text":"x"}]})", R"({"content":"no list"})");
  CAPTURE(output);
  auto result = result_of(output, false);
  CHECK(output_of(result) == output);
  CHECK(result.shown.empty() == (std::string_view{output} == R"("done")"));
}

TEST_CASE("an output without a text is not taken for the note in its place",
          "[messages][ui_tool_output]") {
  const auto* output = GENERATE(R"("")", R"({"content":[]})", R"({"content":[],"isError":false})");
  CAPTURE(output);
  auto result = result_of(output, GENERATE(false, true) && *output == '{');
  if (result.text.empty())
    result.text = no_output_text; // as the history is repaired
  CHECK(output_of(result) == output);
}

TEST_CASE("an output of the client is kept once", "[messages][ui_tool_output]") {
  auto result = result_of(R"({"xml":"<b/>"})", false);
  REQUIRE(result.shown.size() == 1);
  CHECK(result.shown[0] == make_shown("json"));
}

TEST_CASE("text and images of a server are kept once", "[messages][ui_tool_output]") {
  const auto* output = GENERATE(
      R"({"content":[{"type":"text","text":"a\nb"}]})",
      R"({"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"QUJD"}]})",
      R"({"content":[{"type":"image","mimeType":"image/png","data":"QUJD"},{"type":"text","text":"b"}]})");
  CAPTURE(output);
  auto result = result_of(output, true);
  CHECK(output_of(result) == output);
  REQUIRE(result.shown.size() == 1);
  CHECK(result.shown[0] == make_shown("content"));
}

TEST_CASE("other members of a server's result are kept beside its content",
          "[messages][ui_tool_output]") {
  const auto* output =
      R"({"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1},"isError":false})";
  auto result = result_of(output, true);
  CHECK(output_of(result) == output);
  CHECK(result.shown[0] ==
        make_shown("content", R"({"structuredContent":{"n":1},"isError":false})"));
}

TEST_CASE("a result that a text cannot say is kept whole", "[messages][ui_tool_output]") {
  const auto* output =
      GENERATE(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})",
               R"({"content":[{"type":"text","text":"a","annotations":{"priority":1}}]})",
               R"({"content":[{"type":"resource_link","uri":"x://b","name":"b"}]})",
               R"({"content":[{"type":"image","data":"QUJD","mimeType":"image/png","_meta":{}}]})",
               R"({"content":[{"type":"text","text":""}]})");
  CAPTURE(output);
  auto result = result_of(output, true);
  CHECK(output_of(result) == output);
  CHECK(result.shown[0].type == "output");
}

TEST_CASE("a text that was cut does not stand for its output", "[messages][ui_tool_output]") {
  const std::string output{R"({"content":[{"type":"text","text":"a long text"}]})"};
  const json_source source{output};
  auto shown = shown_output(source.root(), "a long [cut]", {});
  REQUIRE(shown);
  CHECK(*shown == make_shown("output", output));
  CHECK(shown_output({}, "", {}) == std::optional{make_shown("output", "null")});
}

} // namespace ui_tool_output_test
