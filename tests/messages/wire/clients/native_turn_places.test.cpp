// Native turns that do not begin at the end of a chat: from a message on, or where one broke off.
#include "messages/wire/clients/chat_request.hpp"
#include "tests/support/catch.hpp"

namespace native_turn_places_test {

using namespace troupe;

namespace {

turn_request native(std::string_view body) {
  turn_request out;
  auto bad = parse_native_request(body, out);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(std::string_view body) {
  turn_request out;
  auto bad = parse_native_request(body, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.text();
}

} // namespace

TEST_CASE("an interrupted turn goes on without a message", "[messages][chat_request]") {
  auto read = native(R"({"resume":true,"model":"m"})");
  CHECK(read.resumes);
  CHECK(read.messages.empty());
  CHECK(read.options.model == "m");
  CHECK_FALSE(native(R"({"resume":false,"message":"x"})").resumes);
  for (const auto* beside : {R"("message":"x")", R"("messages":[{"role":"user","content":"x"}])",
                             R"("prompt":{"server":"s","name":"p"})", R"("replaceHistory":true)",
                             R"("replaceFrom":"m")"})
    CHECK(refusal(std::string{R"({"resume":true,)"} + beside + "}")
              .starts_with("resume cannot stand beside"));
  CHECK(refusal(R"({"resume":1})") == "resume must be true or false");
}

TEST_CASE("a turn takes the place of a message and what follows it", "[messages][chat_request]") {
  auto edited = native(R"({"replaceFrom":"msg_1","message":"better"})");
  CHECK(edited.cut_at == "msg_1");
  REQUIRE(edited.messages.size() == 1);
  CHECK(edited.messages[0].text == "better");
  CHECK_FALSE(edited.replaces_history);
  auto again = native(R"({"replaceFrom":"msg_2"})");
  CHECK(again.cut_at == "msg_2");
  CHECK(again.messages.empty());
  CHECK(native(R"({"replaceFrom":null,"message":"x"})").cut_at.empty());
  CHECK(refusal(R"({"replaceFrom":"","message":"x"})").starts_with("replaceFrom must be"));
  CHECK(refusal(R"({"replaceFrom":7,"message":"x"})").starts_with("replaceFrom must be"));
  CHECK(refusal(R"({"replaceFrom":"m","replaceHistory":true,"message":"x"})") ==
        "replaceFrom cannot stand beside replaceHistory");
  CHECK(refusal("{}") == "the body must have either message or messages");
}

} // namespace native_turn_places_test
