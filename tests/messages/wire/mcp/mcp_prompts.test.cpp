#include "messages/wire/mcp/prompts.hpp"

#include "tests/support/catch.hpp"

namespace mcp_prompts_test {

using namespace troupe;

namespace {

template <class T>
std::string refusal(std::string_view text) {
  T read;
  auto bad = mcp::parse(text, read);
  CHECK(bad.code == errc::server_protocol);
  return bad.message;
}

} // namespace

TEST_CASE("a page of prompts is read", "[messages][mcp_prompts]") {
  mcp::prompts_page page;
  REQUIRE_FALSE(mcp::parse(R"({"prompts":[{"name":"p","title":"t","description":"d","arguments":[
    {"name":"a","title":"A","description":"x","required":true},{"name":"b"}]},
    {"name":"q","arguments":null,"icons":[]}],"nextCursor":"c"})",
                           page));
  REQUIRE(page.prompts.size() == 2);
  CHECK(page.prompts[0].name == "p");
  CHECK(page.prompts[0].title == "t");
  CHECK(page.prompts[0].description == "d");
  REQUIRE(page.prompts[0].arguments.size() == 2);
  CHECK(page.prompts[0].arguments[0].title == "A");
  CHECK(page.prompts[0].arguments[0].description == "x");
  CHECK(page.prompts[0].arguments[0].required);
  CHECK(page.prompts[0].arguments[1].name == "b");
  CHECK_FALSE(page.prompts[0].arguments[1].required);
  CHECK(page.prompts[1].arguments.empty());
  CHECK(page.next_cursor == "c");
}

TEST_CASE("the messages of a prompt become text", "[messages][mcp_prompts]") {
  mcp::prompt_result read;
  REQUIRE_FALSE(mcp::parse(R"({"description":"d","messages":[
    {"role":"user","content":{"type":"text","text":"hi"}},
    {"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"QUJD"}},
    {"role":"user","content":{"type":"resource","resource":{"uri":"a","text":"inside"}}},
    {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
    {"role":"user","content":"bare"}]})",
                           read));
  CHECK(read.description == "d");
  REQUIRE(read.messages.size() == 5);
  CHECK(read.messages[0].role == "user");
  CHECK(read.messages[0].text == "hi");
  CHECK(read.messages[1].role == "assistant");
  CHECK(read.messages[1].text == "[image image/png, 3 bytes]");
  CHECK(read.messages[2].text == "inside");
  CHECK(read.messages[3].text == "a\nb");
  CHECK(read.messages[4].text == "bare");
}

TEST_CASE("a prompt is asked for with its arguments", "[messages][mcp_prompts]") {
  CHECK(mcp::prompt_params("p\"", {}) == R"({"name":"p\"","arguments":{}})");
  CHECK(mcp::prompt_params("p", {{"b", "2"}, {"a", "\n"}}) ==
        R"({"name":"p","arguments":{"a":"\n","b":"2"}})");
}

TEST_CASE("completion is asked for prompts and templates", "[messages][mcp_prompts]") {
  CHECK(
      mcp::completion_params({.reference = "p", .argument = "a", .value = "v\"", .context = {}}) ==
      R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v\""}})");
  CHECK(mcp::completion_params({.of_prompt = false,
                                .reference = "x://{a}",
                                .argument = "a",
                                .value = "",
                                .context = {{"b", "c"}}}) ==
        R"({"ref":{"type":"ref/resource","uri":"x://{a}"},"argument":{"name":"a","value":""},)"
        R"("context":{"arguments":{"b":"c"}}})");
}

TEST_CASE("completions are read, at most a hundred", "[messages][mcp_prompts]") {
  mcp::completion_result read;
  REQUIRE_FALSE(
      mcp::parse(R"({"completion":{"values":["a","b"],"total":5,"hasMore":true}})", read));
  CHECK(read.values == std::vector<std::string>{"a", "b"});
  CHECK(read.total == 5);
  CHECK(read.has_more);
  std::string many = R"({"completion":{"values":["x")";
  for (int i = 0; i < 100; ++i)
    many += R"(,"x")";
  REQUIRE_FALSE(mcp::parse(many + "]}}", read));
  CHECK(read.values.size() == 100);
  CHECK(read.total == 0);
  CHECK(read.has_more);
  REQUIRE_FALSE(mcp::parse(R"({"completion":{"values":[],"total":-3}})", read));
  CHECK(read.total == 0);
  CHECK_FALSE(read.has_more);
}

TEST_CASE("a bad prompt in a server's list is left out and named", "[messages][mcp_prompts]") {
  mcp::prompts_page page;
  REQUIRE_FALSE(mcp::parse(R"({"prompts":[{"name":"a"},{},{"name":"b","arguments":{}},
    {"name":"c","arguments":[{"required":true}]},{"name":"d"}]})",
                           page));
  REQUIRE(page.prompts.size() == 2);
  CHECK(page.prompts[1].name == "d");
  CHECK(page.left_out ==
        std::vector<std::string>{"prompts/list: prompt 1 has no name",
                                 "prompts/list: there is no array \"arguments\"",
                                 "prompts/list: prompt \"c\" has an argument without name"});
}

TEST_CASE("a bad answer about prompts is named", "[messages][mcp_prompts]") {
  CHECK(refusal<mcp::prompts_page>("{}") == "prompts/list: there is no array \"prompts\"");
  CHECK(refusal<mcp::prompt_result>(R"({"messages":[{"role":"system","content":"x"}]})") ==
        "prompts/get: messages[0].role is neither \"user\" nor \"assistant\"");
  CHECK(refusal<mcp::prompt_result>(R"({"messages":[{"role":"user","content":"x"},
    {"role":"user","content":{"type":"text"}}]})") ==
        "prompts/get: messages[1].content has no text");
  CHECK(refusal<mcp::prompt_result>(R"({"messages":[{"role":"user"}]})") ==
        "prompts/get: messages[0].content has no type");
  CHECK(refusal<mcp::completion_result>("{}") ==
        "completion/complete: there is no object \"completion\"");
  CHECK(refusal<mcp::completion_result>(R"({"completion":{}})") ==
        "completion/complete: there is no array \"values\"");
  CHECK(refusal<mcp::completion_result>(R"({"completion":{"values":["a",1]}})") ==
        "completion/complete: values[1] is no string");
}

TEST_CASE("what breaks off is no prompt", "[messages][mcp_prompts]") {
  const std::string list = R"({"prompts":[{"name":"a","arguments":[{"name":"b"}]}]})";
  const std::string got = R"({"messages":[{"role":"user","content":{"type":"text","text":"\n"}}]})";
  const std::string completed = R"({"completion":{"values":["a"],"total":1}})";
  auto expect_cuts_refused = [](const std::string& whole, auto refuse) {
    for (size_t cut = 0; cut < whole.size(); ++cut)
      CHECK(refuse(std::string{whole.data(), cut}).find("not JSON") != std::string::npos);
  };
  expect_cuts_refused(list, refusal<mcp::prompts_page>);
  expect_cuts_refused(got, refusal<mcp::prompt_result>);
  expect_cuts_refused(completed, refusal<mcp::completion_result>);
}

} // namespace mcp_prompts_test
