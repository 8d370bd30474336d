#include "apps/engine/http/websocket/ws_messages.hpp"

#include "tests/support/catch.hpp"

namespace ws_messages_test {

using namespace troupe;

namespace {

ws_command read(std::string_view text) {
  ws_command out;
  auto bad = parse_ws_command(text, out);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(std::string_view text) {
  ws_command out;
  auto bad = parse_ws_command(text, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.message;
}

} // namespace

TEST_CASE("members of the envelope do not reach the body", "[apps][ws]") {
  auto got = read(R"({"session":"a","message":"hi","flow":"manual","credit":5,"type":"start",)"
                  R"("turn":"t","model":"m"})");
  CHECK(got.verb == ws_verb::start);
  CHECK(got.session == "a");
  CHECK(got.turn == "t");
  CHECK(got.manual);
  CHECK(got.events == 5);
  CHECK(got.body == R"({"message":"hi","model":"m"})");
}

TEST_CASE("verbs that have no body refuse other members", "[apps][ws]") {
  CHECK(refusal(R"({"type":"abort","session":"a","reason":"x"})") ==
        R"("abort" has the unknown key "reason")");
  CHECK(refusal(R"({"type":"ping","session":"a"})") == R"("ping" has the unknown key "session")");
  CHECK(refusal(R"({"type":"leave","session":"a","turn":"t"})") ==
        R"("leave" has the unknown key "turn")");
}

TEST_CASE("a key without a name is a key that is not known", "[apps][ws]") {
  for (const std::string key : {R"("")", R"("\ud800")"}) {
    INFO(key);
    for (const std::string verb : {"abort", "leave", "ping", "credit", "resume"})
      CHECK(refusal(R"({"type":")" + verb + R"(","session":"a",)" + key + ":1}") != "");
    CHECK(read(R"({"type":"start","session":"a",)" + key + ":1}").body.find(":1") !=
          std::string::npos);
  }
}

TEST_CASE("what is not valid is named", "[apps][ws]") {
  CHECK(refusal("[]") == "the message must be a JSON object");
  CHECK(refusal("{").starts_with("the message is not valid JSON: "));
  CHECK(refusal(R"({"type":"begin"})").starts_with("type must be start,"));
  CHECK(refusal(R"({"session":"a"})").starts_with("type must be start,"));
  CHECK(refusal(R"({"type":"abort"})") == "session must be a string of 1 to 256 bytes");
  CHECK(refusal(R"({"type":"abort","session":1})") == "session must be a string");
  CHECK(refusal(R"({"type":"abort","session":")" + std::string(257, 'x') + "\"}") ==
        "session must have at most 256 bytes");
  CHECK(refusal(R"({"type":"resume","session":"a","after":-1})").starts_with("after must be"));
  CHECK(refusal(R"({"type":"resume","session":"a","after":"1"})").starts_with("after must be"));
  CHECK(refusal(R"({"type":"credit","session":"a"})").starts_with("events must be"));
  CHECK(refusal(R"({"type":"start","session":"a","flow":"slow"})").starts_with("flow must be"));
  CHECK(refusal(R"({"type":"start","session":"a","credit":1})").starts_with("credit needs"));
}

TEST_CASE("an error knows its session as soon as there is one", "[apps][ws]") {
  ws_command out;
  CHECK(parse_ws_command(R"({"type":"begin","session":"a"})", out));
  CHECK(out.session == "a");
  CHECK(ws_error(out.session, {errc::request_invalid, "no"}) ==
        R"({"type":"error","session":"a","error":{"code":"request_invalid","message":"no",)"
        R"("retryable":false}})");
  CHECK(ws_error("", {errc::request_invalid, "no"}).starts_with(R"({"type":"error","error":)"));
}

} // namespace ws_messages_test
