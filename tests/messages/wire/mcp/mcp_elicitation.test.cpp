#include "messages/wire/mcp/elicitation.hpp"

#include "tests/support/catch.hpp"

namespace mcp_elicitation_test {

using namespace troupe;

namespace {

std::string refusal(std::string_view params) {
  mcp::elicitation_request read;
  auto bad = mcp::parse(params, read);
  CHECK(bad.code == errc::server_protocol);
  return bad.message;
}

constexpr std::string_view form = R"({"type":"object","required":["name"],"properties":{
  "name":{"type":"string","minLength":1},
  "age":{"type":"integer","minimum":0,"default":30},
  "colour":{"type":"string","enum":["red","blue"],"enumNames":["Red","Blue"],"default":"red"},
  "size":{"type":"string","oneOf":[{"const":"s","title":"S"},{"const":"l","title":"L"}]},
  "tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"default":["a"]},
  "many":{"type":"array","maxItems":1,"items":{"anyOf":[{"const":"x","title":"X"}]}},
  "ok":{"type":"boolean","default":false}}})";

} // namespace

TEST_CASE("a form is asked for, with or without saying so", "[messages][mcp_elicitation]") {
  for (const auto* mode : {"", R"("mode":"form",)", R"("mode":null,)"}) {
    mcp::elicitation_request read;
    REQUIRE_FALSE(mcp::parse("{" + std::string{mode} +
                                 R"("message":"Who?","requestedSchema":{"type" : "object"}})",
                             read));
    CHECK_FALSE(read.is_url);
    CHECK(read.message == "Who?");
    CHECK(read.requested_schema == R"({"type" : "object"})");
  }
}

TEST_CASE("a page is asked for", "[messages][mcp_elicitation]") {
  mcp::elicitation_request read;
  REQUIRE_FALSE(mcp::parse(
      R"({"mode":"url","message":"Log in","url":"https://a.example","elicitationId":"e1"})", read));
  CHECK(read.is_url);
  CHECK(read.url == "https://a.example");
  CHECK(read.elicitation_id == "e1");
  CHECK(read.requested_schema.empty());
}

TEST_CASE("an elicitation that lacks something is refused", "[messages][mcp_elicitation]") {
  CHECK(refusal("{}") == "elicitation/create: there is no message");
  CHECK(refusal(R"({"mode":"voice","message":"x"})") ==
        "elicitation/create: the mode is neither \"form\" nor \"url\"");
  CHECK(refusal(R"({"message":"x","requestedSchema":[]})") ==
        "elicitation/create: there is no object \"requestedSchema\"");
  CHECK(refusal(R"({"mode":"url","message":"x","elicitationId":"e"})") ==
        "elicitation/create: there is no url");
  CHECK(refusal(R"({"mode":"url","message":"x","url":"u"})") ==
        "elicitation/create: there is no elicitationId");
  const std::string whole = R"({"message":"\u00e9","requestedSchema":{"properties":{}}})";
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(refusal(std::string{whole.data(), cut}).find("not JSON") != std::string::npos);
}

TEST_CASE("defaults fill in what the user left out", "[messages][mcp_elicitation]") {
  CHECK(mcp::with_defaults(form, "") == R"({"age":30,"colour":"red","tags":["a"],"ok":false})");
  CHECK(mcp::with_defaults(form, R"({"name":"N","age":7,"ok":true})") ==
        R"({"name":"N","age":7,"ok":true,"colour":"red","tags":["a"]})");
  CHECK(mcp::with_defaults(R"({"properties":{"a":{},"b":1}})", R"({"x": 1})") == R"({"x": 1})");
  CHECK(mcp::with_defaults(R"({"properties":{"a":{"default":null}}})", "") == R"({"a":null})");
  CHECK(mcp::with_defaults("{", R"({"x":1})") == R"({"x":1})");
  CHECK(mcp::with_defaults(form, "[1]") == "[1]");
}

TEST_CASE("an accepted form has to fit its schema", "[messages][mcp_elicitation]") {
  auto check = [](std::string_view content) { return mcp::check_content(form, content).message; };
  CHECK(check(R"({"name":"N"})") == "");
  CHECK(check(R"({"name":"N","age":3,"colour":"blue","size":"l","tags":["a","b"],"many":["x"],
    "ok":true})") == "");
  CHECK(check("{}") == "the content: the value must have \"name\"");
  CHECK(check(R"({"name":""})") == "the content: /name must have at least 1 characters");
  CHECK(check(R"({"name":"N","age":1.5})") == "the content: /age must be of type integer");
  CHECK(check(R"({"name":"N","age":-1})") == "the content: /age must be at least 0");
  CHECK(check(R"({"name":"N","colour":"Red"})") ==
        "the content: /colour must be one of the values of its enum");
  CHECK(check(R"({"name":"N","size":"m"})") == "the content: /size matches nothing of its oneOf");
  CHECK(check(R"({"name":"N","tags":["c"]})") ==
        "the content: /tags/0 must be one of the values of its enum");
  CHECK(check(R"({"name":"N","many":["x","x"]})") ==
        "the content: /many must have at most 1 elements");
  for (auto text : {"", "[]", "{", "null", "7"}) {
    auto bad = mcp::check_content(form, text);
    CHECK(bad.code == errc::request_invalid);
    CHECK(bad.message == "the content must be a JSON object");
  }
  CHECK(mcp::check_content("[]", "{}").code == errc::server_protocol);
}

TEST_CASE("answers to elicitations and roots are written", "[messages][mcp_elicitation]") {
  CHECK(mcp::elicitation_result("accept", R"({"a": 1})") ==
        R"({"action":"accept","content":{"a": 1}})");
  CHECK(mcp::elicitation_result("decline", "") == R"({"action":"decline"})");
  CHECK(mcp::roots_result({}) == R"({"roots":[]})");
  CHECK(mcp::roots_result({{"file:///a", "A\""}, {"file:///b", ""}}) ==
        R"({"roots":[{"uri":"file:///a","name":"A\""},{"uri":"file:///b"}]})");
}

} // namespace mcp_elicitation_test
