#include "messages/wire/clients/chat_request.hpp"
#include "tests/support/catch.hpp"

namespace chat_request_parts_test {

using namespace troupe;

namespace {

turn_request ui(std::string_view body) {
  turn_request read;
  ui_profile profile{};
  auto bad = parse_ui_request(body, read, profile);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return read;
}

std::string refusal(std::string_view body) {
  turn_request read;
  ui_profile profile{};
  auto bad = parse_ui_request(body, read, profile);
  CHECK(bad.code == errc::request_invalid);
  return bad.message;
}

std::string user(const std::string& parts) {
  return R"({"role":"user","parts":[)" + parts + "]}";
}

std::string assistant(const std::string& parts) {
  return R"({"id":"a1","role":"assistant","parts":[)" + parts + "]}";
}

std::string body_of(const std::string& messages, const std::string& more = "") {
  return R"({"id":"c","messages":[)" + messages + "]" + more + "}";
}

std::string tool(const std::string& id, const std::string& state, const std::string& more = "") {
  return R"({"type":"dynamic-tool","toolName":"look","toolCallId":")" + id + R"(","state":")" +
         state + R"(","input":{"x":1})" + more + "}";
}

std::string answered(const std::string& id, const std::string& approval) {
  return tool(id, "approval-responded", R"(,"approval":)" + approval);
}

const std::string question = user(R"({"type":"text","text":"do it"})");

} // namespace

TEST_CASE("a user's files go beside the text", "[messages][chat_request]") {
  auto all = ui(body_of(user(R"({"type":"text","text":"see"},
    {"type":"file","mediaType":"image/png","filename":"p.png","url":"data:image/png;base64,AA"},
    {"type":"text","text":"that"},
    {"type":"file","mediaType":"image/jpeg","url":"https:\/\/example.com\/a.jpg"})")))
                 .messages;
  REQUIRE(all.size() == 1);
  CHECK(all[0].text == "see\nthat");
  REQUIRE(all[0].files.size() == 2);
  CHECK(all[0].files[0].media_type == "image/png");
  CHECK(all[0].files[0].filename == "p.png");
  CHECK(all[0].files[0].url == "data:image/png;base64,AA");
  CHECK(all[0].files[1].url == "https://example.com/a.jpg");
  CHECK(all[0].files[0].text_behind == 5);
  CHECK(all[0].files[1].text_behind == 0);
}

TEST_CASE("how closely to look at an image is what the AI SDK calls it",
          "[messages][chat_request]") {
  auto all = ui(body_of(user(R"({"type":"file","mediaType":"image/png","url":"http://h/p",
    "providerMetadata":{"openai":{"imageDetail":"low"}}},{"type":"text","text":"see"})")))
                 .messages;
  REQUIRE(all.size() == 1);
  CHECK(all[0].files == std::vector<message_file>{{"image/png", "http://h/p", "", "low", 3}});
}

TEST_CASE("a message may be a file alone", "[messages][chat_request]") {
  auto all =
      ui(body_of(user(R"({"type":"file","mediaType":"image/png","url":"http://h/p"})"))).messages;
  REQUIRE(all.size() == 1);
  CHECK(all[0].text.empty());
  CHECK(all[0].files.size() == 1);
}

TEST_CASE("a bad file is named", "[messages][chat_request]") {
  auto bad = [](const std::string& more) {
    return refusal(body_of(question + "," + user(R"({"type":"file")" + more + "}")));
  };
  CHECK(bad("") == "messages[1].parts[0].mediaType must be a string that is not empty");
  for (auto url : {"", R"(,"url":7)", R"(,"url":"")", R"(,"url":"file:///etc/passwd")",
                   R"(,"url":"javascript:x")", R"(,"url":"/local")"})
    CHECK(bad(R"(,"mediaType":"image/png")" + std::string{url}) ==
          "messages[1].parts[0].url must be a data:, http: or https: URL, or that of an "
          "uploaded file");
  CHECK(bad(R"(,"mediaType":"image/png","url":"data:,","filename":{})") ==
        "messages[1].parts[0].filename must be a string");
}

TEST_CASE("what a provider wants back with a call is kept", "[messages][chat_request]") {
  auto all =
      ui(body_of(assistant(tool("c1", "output-available",
                                R"(,"output":1,"callProviderMetadata":{"google":{"sig":"x"}})") +
                           "," + tool("c2", "output-available", R"(,"output":2)") +
                           R"(,{"type":"text","text":"t","providerMetadata":{"o":{"id":"1"}}})")))
          .messages;
  REQUIRE(all.size() == 3);
  REQUIRE(all[0].tool_calls.size() == 2);
  CHECK(all[0].tool_calls[0].provider_metadata == R"({"google":{"sig":"x"}})");
  CHECK(all[0].tool_calls[1].provider_metadata.empty());
  CHECK(all[0].provider_metadata.empty());
  CHECK(refusal(
            body_of(assistant(tool("c1", "input-available", R"(,"callProviderMetadata":"x")")))) ==
        "messages[0].parts[0].callProviderMetadata must be an object");
}

TEST_CASE("answered approvals leave their calls without a result", "[messages][chat_request]") {
  auto read = ui(body_of(
      question + "," +
      assistant(R"({"type":"step-start"},)" + answered("c1", R"({"id":"p1","approved":true})") +
                "," + tool("c2", "output-available", R"(,"output":"r2")") + "," +
                answered("c3", R"({"id":"p3","approved":false,"reason":"not now"})"))));
  CHECK(read.message_id == "a1");
  CHECK(read.options.approval_ends_turn);
  REQUIRE(read.messages.size() == 3);
  CHECK(read.messages[1].tool_calls.size() == 3);
  CHECK(read.messages[2].tool_call_id == "c2");
  REQUIRE(read.approvals.size() == 2);
  CHECK(read.approvals[0].approval_id == "p1");
  CHECK(read.approvals[0].approved);
  CHECK(read.approvals[0].reason.empty());
  CHECK(read.approvals[1].approval_id == "p3");
  CHECK_FALSE(read.approvals[1].approved);
  CHECK(read.approvals[1].reason == "not now");
}

TEST_CASE("approvals count in the last step that holds something, and nowhere else",
          "[messages][chat_request]") {
  const auto decided = answered("c1", R"({"id":"p1","approved":true})");
  const auto refused = answered("c1", R"({"id":"p1","approved":false,"reason":"no"})");
  const std::string step = R"({"type":"step-start"})";
  auto later_empty = ui(body_of(assistant(decided + "," + step)));
  CHECK(later_empty.approvals.size() == 1);
  CHECK(later_empty.messages.size() == 1);
  auto answered_on =
      ui(body_of(assistant(decided + "," + step + R"(,{"type":"text","text":"x"})")));
  CHECK(answered_on.approvals.empty());
  REQUIRE(answered_on.messages.size() == 3);
  CHECK(answered_on.messages[1].text == "The tool was not run.");
  auto asked_again = ui(body_of(assistant(refused) + "," + question));
  CHECK(asked_again.approvals.empty());
  CHECK(asked_again.messages[1].text == "The user did not allow the call. no");
}

TEST_CASE("a single message with approvals adds nothing but these", "[messages][chat_request]") {
  auto read = ui(R"({"id":"c","message":)" +
                 assistant(tool("c0", "output-available", R"(,"output":"old")") +
                           R"(,{"type":"step-start"},)" +
                           answered("c1", R"({"id":"p1","approved":true})")) +
                 "}");
  CHECK(read.message_id == "a1");
  CHECK_FALSE(read.replaces_history);
  CHECK(read.messages.empty());
  REQUIRE(read.approvals.size() == 1);
  CHECK(read.approvals[0].approval_id == "p1");
}

TEST_CASE("a bad approval is named", "[messages][chat_request]") {
  auto bad = [](const std::string& approval) {
    return refusal(body_of(assistant(answered("c1", approval))));
  };
  for (auto approval : {"null", "{}", R"({"id":""})", R"({"id":7,"approved":true})"})
    CHECK(bad(approval) == "messages[0].parts[0].approval.id must be a string of 1 to 256 bytes");
  CHECK(bad(R"({"id":"p"})") == "messages[0].parts[0].approval.approved must be true or false");
  CHECK(bad(R"({"id":"p","approved":"yes"})") ==
        "messages[0].parts[0].approval.approved must be true or false");
  CHECK(bad(R"({"id":"p","approved":true,"reason":1})") ==
        "messages[0].parts[0].approval.reason must be a string");
}

TEST_CASE("a body that breaks off anywhere is refused", "[messages][chat_request]") {
  const std::string whole =
      R"({"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":"\u00e9"}]},)"
      R"({"id":"a","role":"assistant","parts":[{"type":"tool-x","toolCallId":"c",)"
      R"("state":"output-available","input":{"n":1e3},"output":{"content":[]}}]}],"model":null})";
  ui(whole);
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(refusal(std::string{whole.data(), cut}).find("not valid JSON") != std::string::npos);
}

TEST_CASE("a body with one byte changed is read or refused, never worse",
          "[messages][chat_request]") {
  const std::string whole =
      R"({"id":"c","messages":[{"id":"a","role":"assistant","parts":[{"type":"tool-x",)"
      R"("toolCallId":"c","state":"output-available","input":{},"output":{"content":[]}}]}]})";
  int read = 0;
  for (size_t at = 0; at < whole.size(); ++at)
    for (char c : {'"', '{', '[', ']', '}', ',', ':', '0', '\\', 'n', '\0', '\xFF'}) {
      auto text = whole;
      text[at] = c;
      turn_request out;
      ui_profile profile{};
      auto bad = parse_ui_request(text, out, profile);
      CHECK((bad.code == errc::none || bad.code == errc::request_invalid));
      read += bad.code == errc::none;
    }
  CHECK(read > 0);
}

} // namespace chat_request_parts_test
