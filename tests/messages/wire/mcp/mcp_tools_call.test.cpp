#include "messages/wire/mcp/tools_call.hpp"

#include "tests/support/catch.hpp"

namespace mcp_tools_call_test {

using namespace troupe;

namespace {

std::string text_of(std::string_view result) {
  mcp::call_result read;
  auto bad = mcp::parse(result, read);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return read.text;
}

} // namespace

TEST_CASE("a call carries its arguments and its progress token", "[messages][mcp_tools_call]") {
  CHECK(mcp::tools_call_params("a\"", R"({"x": 1})", 7) ==
        R"({"name":"a\"","arguments":{"x": 1},"_meta":{"progressToken":7}})");
  CHECK(mcp::tools_call_params("a", "", 7) ==
        R"({"name":"a","arguments":{},"_meta":{"progressToken":7}})");
}

TEST_CASE("a call carries the trace it belongs to", "[messages][mcp_tools_call]") {
  CHECK(mcp::tools_call_params("a", "", 7, "00-1-2-01") ==
        R"({"name":"a","arguments":{},"_meta":{"progressToken":7,"traceparent":"00-1-2-01"}})");
}

TEST_CASE("a cancellation names the request and the reason", "[messages][mcp_tools_call]") {
  CHECK(mcp::cancelled_params(7, "too \"slow\"") == R"({"requestId":7,"reason":"too \"slow\""})");
  CHECK(mcp::cancelled_params(7, "") == R"({"requestId":7})");
}

TEST_CASE("text parts are joined by line ends", "[messages][mcp_tools_call]") {
  CHECK(text_of(R"({"content":[{"type":"text","text":"a\nb"},{"text":"c","type":"text"}]})") ==
        "a\nb\nc");
  CHECK(text_of(R"({"content":[{"type":"text","text":""},{"type":"text","text":"c"}]})") == "\nc");
  CHECK(text_of(R"({"content":[]})").empty());
}

TEST_CASE("what a model cannot read becomes a note", "[messages][mcp_tools_call]") {
  CHECK(text_of(R"({"content":[{"type":"image","mimeType":"image/png","data":"QUJDRA=="}]})") ==
        "[image image/png, 4 bytes]");
  CHECK(text_of(R"({"content":[{"type":"audio","mimeType":"audio/wav","data":"QUJD"}]})") ==
        "[audio audio/wav, 3 bytes]");
  CHECK(text_of(R"({"content":[{"type":"image"}]})") == "[image, 0 bytes]");
  CHECK(text_of(R"({"content":[{"type":"hologram"}]})") == "[hologram]");
}

TEST_CASE("resources give their text, blobs a note, links a line", "[messages][mcp_tools_call]") {
  CHECK(text_of(R"({"content":[{"type":"resource","resource":{"uri":"a://b","text":"hi"}}]})") ==
        "hi");
  CHECK(text_of(R"({"content":[{"type":"resource",
    "resource":{"uri":"a://b","mimeType":"x/y","blob":"QUI="}}]})") ==
        "[resource a://b x/y, 2 bytes]");
  CHECK(text_of(R"({"content":[{"type":"resource_link","name":"n","uri":"a://b"}]})") ==
        "n: a://b");
  CHECK(text_of(R"({"content":[{"type":"resource_link","uri":"a://b"}]})") == "a://b");
}

TEST_CASE("structured content stands in where there is no text", "[messages][mcp_tools_call]") {
  CHECK(text_of(R"({"content":[],"structuredContent":{"a": 1}})") == R"({"a": 1})");
  CHECK(text_of(R"({"structuredContent":{"a": 1}})") == R"({"a": 1})");
  CHECK(text_of(R"({"content":[{"type":"text","text":"t"}],"structuredContent":{"a":1}})") == "t");
  CHECK(text_of(R"({"content":[{"type":"image"}],"structuredContent":{"a":1}})") ==
        "[image, 0 bytes]\n{\"a\":1}");
}

TEST_CASE("structured content is there to be checked", "[messages][mcp_tools_call]") {
  auto structured = [](std::string_view result) {
    mcp::call_result read;
    read.structured_content = "of the call before";
    REQUIRE_FALSE(mcp::parse(result, read));
    return read.structured_content;
  };
  CHECK(structured(R"({"content":[{"type":"text","text":"t"}],"structuredContent":{"a" :1}})") ==
        R"({"a" :1})");
  CHECK(structured(R"({"content":[],"structuredContent":[1]})") == "[1]");
  CHECK(structured(R"({"content":[],"structuredContent":null})").empty());
  CHECK(structured(R"({"content":[]})").empty());
}

TEST_CASE("the pages that a user has to visit first are named", "[messages][mcp_tools_call]") {
  CHECK(mcp::url_elicitation_text(R"({"elicitations":[
    {"mode":"url","elicitationId":"1","url":"https://a.example/x?y=1","message":"Log in"},
    {"mode":"url","elicitationId":"2","url":"https://b.example/"}]})") ==
        "The server asks the user to open a page first:\n"
        "Log in: https://a.example/x?y=1\nhttps://b.example/");
  for (auto text : {"", "{", "{}", "[]", "7", R"({"elicitations":{}})", R"({"elicitations":[]})",
                    R"({"elicitations":[1,{"message":"x"},{"url":7}]})"})
    CHECK(mcp::url_elicitation_text(text).empty());
}

TEST_CASE("isError is read", "[messages][mcp_tools_call]") {
  mcp::call_result read;
  REQUIRE_FALSE(mcp::parse(R"({"content":[{"type":"text","text":"no"}],"isError":true})", read));
  CHECK(read.is_error);
  REQUIRE_FALSE(mcp::parse(R"({"content":[],"isError":false})", read));
  CHECK_FALSE(read.is_error);
}

TEST_CASE("a result that is none is refused", "[messages][mcp_tools_call]") {
  mcp::call_result read;
  for (auto text : {"", "[]", "1", "\"x\"", "null", R"({"content":1})", R"({"content":[1]})",
                    R"({"content":[{}]})", R"({"content":[{"type":"text"}]})",
                    R"({"content":[{"type":"text","text":1}]})"}) {
    INFO(text);
    CHECK(mcp::parse(text, read).code == errc::server_protocol);
  }
}

TEST_CASE("a result that breaks off is refused", "[messages][mcp_tools_call]") {
  const std::string whole =
      R"({"content":[{"type":"text","text":"\ud83d\ude00"},{"type":"resource","resource":{}}],)"
      R"("structuredContent":{"a":[1]},"isError":false})";
  mcp::call_result read;
  REQUIRE_FALSE(mcp::parse(whole, read));
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, read).code == errc::server_protocol);
}

TEST_CASE("progress is read with what is known", "[messages][mcp_tools_call]") {
  mcp::progress read;
  REQUIRE_FALSE(
      mcp::parse(R"({"progressToken":7,"progress":0.5,"total":2,"message":"half"})", read));
  CHECK(read.token == 7);
  CHECK(read.value == 0.5);
  CHECK(read.total == 2);
  CHECK(read.message == "half");
  REQUIRE_FALSE(mcp::parse(R"({"progressToken":"8","progress":3})", read));
  CHECK(read.token == 8);
  CHECK(read.value == 3);
  CHECK(read.total == 0);
  CHECK(read.message.empty());
}

TEST_CASE("progress without a token of ours is refused", "[messages][mcp_tools_call]") {
  mcp::progress read;
  for (auto text : {"{}", "", "[]", R"({"progressToken":"x"})", R"({"progressToken":1.5})"})
    CHECK(mcp::parse(text, read).code == errc::server_protocol);
  const std::string whole = R"({"progressToken":7,"progress":0.5,"message":"h\u00e9"})";
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, read).code == errc::server_protocol);
}

} // namespace mcp_tools_call_test
