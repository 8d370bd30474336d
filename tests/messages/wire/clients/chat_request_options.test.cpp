#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/client_tools.hpp"
#include "messages/wire/openai_chat/openai_chat.hpp"
#include "tests/support/catch.hpp"

namespace chat_request_options_test {

using namespace troupe;

namespace {

/// Reads a body with these members in both forms, which must agree.
failure read(const std::string& members, turn_request& out) {
  ui_profile profile{};
  turn_request native;
  auto bad = parse_ui_request(R"({"id":"c","message":"x",)" + members + "}", out, profile);
  auto bad_native = parse_native_request(R"({"message":"x",)" + members + "}", native);
  CHECK(bad.message == bad_native.message);
  CHECK(bad.code == bad_native.code);
  CHECK(out.options.tools.size() == native.options.tools.size());
  return bad;
}

turn_options options(const std::string& members) {
  turn_request out;
  auto bad = read(members, out);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return out.options;
}

std::string refusal(const std::string& members) {
  turn_request out;
  auto bad = read(members, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.message;
}

} // namespace

TEST_CASE("options say how a turn is run", "[messages][chat_request]") {
  auto read = options(R"("streaming":false,"resumable":true,"whenBusy":"wait",)"
                      R"("toolApproval":"always","parameters":{"temperature": 0.5})");
  CHECK(read.streaming == 0);
  CHECK(read.resumable);
  CHECK(read.when_busy == busy_policy::wait);
  CHECK(read.approve_all);
  CHECK(read.parameters == R"({"temperature": 0.5})");
  CHECK_FALSE(read.approve_unless_read_only);
  const auto wary = options(R"("toolApproval":"unlessReadOnly")");
  CHECK(wary.approve_unless_read_only);
  CHECK_FALSE(wary.approve_all);
  CHECK(options(R"("streaming":true)").streaming == 1);
  CHECK(options(R"("whenBusy":"abort")").when_busy == busy_policy::abort);
  CHECK(options(R"("whenBusy":"refuse")").when_busy == busy_policy::refuse);
}

TEST_CASE("a system prompt is told apart from none", "[messages][chat_request]") {
  CHECK_FALSE(options(R"("systemPrompt":null)").sets_system);
  const auto given = options(R"("systemPrompt":"be \"kind\"")");
  CHECK(given.sets_system);
  CHECK(given.system_prompt == "be \"kind\"");
  const auto none = options(R"("systemPrompt":"")");
  CHECK(none.sets_system);
  CHECK(none.system_prompt.empty());
  CHECK(refusal(R"("systemPrompt":{"text":"x"})") == "systemPrompt must be a string");
}

TEST_CASE("options that are null are as good as absent", "[messages][chat_request]") {
  auto read = options(R"("streaming":null,"resumable":null,"whenBusy":null,"toolApproval":null,)"
                      R"("parameters":null,"tools":null,"prompt":null)");
  CHECK(read.streaming == -1);
  CHECK_FALSE(read.resumable);
  CHECK(read.when_busy == busy_policy::refuse);
  CHECK_FALSE(read.approve_all);
  CHECK(read.parameters.empty());
  CHECK(read.tools.empty());
}

TEST_CASE("a bad option is named", "[messages][chat_request]") {
  CHECK(refusal(R"("streaming":1)") == "streaming must be true or false");
  CHECK(refusal(R"("resumable":"yes")") == "resumable must be true or false");
  for (auto value : {"1", "\"later\"", "{}"})
    CHECK(refusal(R"("whenBusy":)" + std::string{value}) ==
          R"(whenBusy must be "refuse", "wait" or "abort")");
  for (auto value : {"true", "\"never\"", "\"off\""})
    CHECK(refusal(R"("toolApproval":)" + std::string{value}) ==
          R"(toolApproval must be "always" or "unlessReadOnly")");
  for (auto value : {"[]", "1", "\"{}\""})
    CHECK(refusal(R"("parameters":)" + std::string{value}) == "parameters must be an object");
}

TEST_CASE("only turns of the AI SDK end for an approval", "[messages][chat_request]") {
  turn_request ui, native;
  ui_profile profile{};
  REQUIRE_FALSE(parse_ui_request(R"({"id":"c","message":"x"})", ui, profile));
  REQUIRE_FALSE(parse_native_request(R"({"message":"x"})", native));
  CHECK(ui.options.approval_ends_turn);
  CHECK_FALSE(native.options.approval_ends_turn);
}

TEST_CASE("a body names the profile of its stream", "[messages][chat_request]") {
  auto profile_of = [](const std::string& value) {
    turn_request out;
    auto profile = ui_profile::v7;
    auto bad =
        parse_ui_request(R"({"id":"c","message":"x","uiProfile":)" + value + "}", out, profile);
    CHECK(bad.message == (bad ? R"(uiProfile must be "v5-min", "v6" or "v7")" : ""));
    CHECK(out.session_id == (bad ? "" : "c"));
    return profile;
  };
  CHECK(profile_of("\"v5-min\"") == ui_profile::v5_min);
  CHECK(profile_of("\"v6\"") == ui_profile::v6);
  CHECK(profile_of("null") == ui_profile::v7);
  CHECK(profile_of("\"v9\"") == ui_profile::v7);
  CHECK(profile_of("6") == ui_profile::v7);
}

TEST_CASE("tools of the client come as an object or as an array", "[messages][client_tools]") {
  auto read = options(R"("tools":{"ask":{"description":"Asks.","inputSchema":{"type": "object"}},
    "say-it":{"parameters":{"a":1},"extra":7},"now":{}})")
                  .tools;
  REQUIRE(read.size() == 3);
  CHECK(read[0].name == "ask");
  CHECK(read[0].description == "Asks.");
  CHECK(read[0].input_schema == R"({"type": "object"})");
  CHECK(read[0].server.empty());
  CHECK(read[1].input_schema == R"({"a":1})");
  CHECK(read[2].input_schema == R"({"type":"object","properties":{}})");

  read = options(R"("tools":[{"name":"a","inputSchema":{"x":1}},
    {"type":"function","function":{"name":"b","description":"B","parameters":{"y":1}}},
    {"name":"c","inputSchema":{"jsonSchema":{"z":1}}},{"name":"d","inputSchema":null}])")
             .tools;
  REQUIRE(read.size() == 4);
  CHECK(read[0].name == "a");
  CHECK(read[1].name == "b");
  CHECK(read[1].description == "B");
  CHECK(read[1].input_schema == R"({"y":1})");
  CHECK(read[2].input_schema == R"({"z":1})");
  CHECK(read[3].name == "d");
  for (const auto& each : read)
    CHECK_FALSE(each.strict);
}

TEST_CASE("a tool may demand that the model keeps exactly to its schema",
          "[messages][client_tools]") {
  auto read = options(R"("tools":[{"name":"a","strict":true},{"name":"b","strict":false},
    {"type":"function","function":{"name":"c","strict":true}},{"name":"d","strict":null}])")
                  .tools;
  REQUIRE(read.size() == 4);
  CHECK(read[0].strict);
  CHECK_FALSE(read[1].strict);
  CHECK(read[2].strict);
  CHECK_FALSE(read[3].strict);
  auto told = openai_tools({read[0], read[1]});
  CHECK(told == R"([{"type":"function","function":{"name":"a","parameters":)"
                R"({"type":"object","properties":{}},"strict":true}},)"
                R"({"type":"function","function":{"name":"b","parameters":)"
                R"({"type":"object","properties":{}}}}])");
}

TEST_CASE("a bad tool is named", "[messages][client_tools]") {
  CHECK(refusal(R"("tools":"all")") == "tools must be an object or an array");
  CHECK(refusal(R"("tools":["ask"])") == "tools[0] must be an object");
  CHECK(refusal(R"("tools":{"a":{},"b":1})") == "tools[1] must be an object");
  CHECK(refusal(R"("tools":[{"name":"a","strict":1}])") == "tools[0].strict must be true or false");
  auto name = "tools[0] must have a name of 1 to 64 of [A-Za-z0-9_-]";
  CHECK(refusal(R"("tools":[{}])") == name);
  CHECK(refusal(R"("tools":[{"type":"custom","custom":{"name":"a"}}])") ==
        "tools[0] is of the type 'custom'; only functions can be called");
  CHECK(refusal(R"("tools":[{"name":"a b"}])") == name);
  CHECK(refusal(R"("tools":{"":{}})") == name);
  CHECK(refusal(R"("tools":[{"name":")" + std::string(65, 'x') + "\"}]") == name);
  CHECK(refusal(R"("tools":[{"name":"a"},{"name":"a"}])") ==
        "tools[1] has the name of another one: a");
  CHECK(refusal(R"("tools":[{"name":"a","description":1}])") ==
        "tools[0].description must be a string");
  for (auto schema : {"[]", "true", "\"{}\""})
    CHECK(refusal(R"("tools":[{"name":"a","inputSchema":)" + std::string{schema} + "}]") ==
          "tools[0].inputSchema must be an object");
  CHECK(
      refusal(R"("tools":[{"name":"a","inputSchema":{"type":"string"}}])") ==
      R"(tools[0].inputSchema must be the schema of an object, but is of type "string", not "object")");
}

TEST_CASE("more than 128 tools of the client are refused", "[messages][client_tools]") {
  auto many = [](size_t count) {
    std::string all = R"("tools":{)";
    for (size_t i = 0; i < count; ++i)
      all += "\"t" + std::to_string(i) + "\":{},";
    all.back() = '}';
    return all;
  };
  CHECK(options(many(max_client_tools)).tools.size() == 128);
  CHECK(refusal(many(max_client_tools + 1)) == "tools must not be more than 128");
}

TEST_CASE("a prompt of a server can begin a turn alone", "[messages][chat_request]") {
  const std::string prompt = R"("prompt":{"server":"s","name":"greet","arguments":{"who":"me"}})";
  turn_request ui, native;
  ui_profile profile{};
  REQUIRE_FALSE(parse_ui_request(R"({"id":"c",)" + prompt + "}", ui, profile));
  REQUIRE_FALSE(parse_native_request("{" + prompt + "}", native));
  for (const auto* read : {&ui, &native}) {
    CHECK(read->messages.empty());
    CHECK_FALSE(read->replaces_history);
    CHECK(read->prompt.server == "s");
    CHECK(read->prompt.name == "greet");
    CHECK(read->prompt.arguments.text == R"({"who":"me"})");
  }
  REQUIRE_FALSE(parse_ui_request(R"({"id":"c","messages":[],)" + prompt + "}", ui, profile));
  CHECK(ui.replaces_history);
  turn_request both;
  REQUIRE_FALSE(read(R"("prompt":{"server":"s","name":"n"})", both));
  CHECK(both.messages.size() == 1);
  CHECK(both.prompt.arguments.text.empty());
}

TEST_CASE("a bad prompt is named", "[messages][chat_request]") {
  auto bad = [](const std::string& prompt) { return refusal(R"("prompt":)" + prompt); };
  CHECK(bad("\"x\"") == "prompt must be an object");
  CHECK(bad("{}") == "prompt.server must be a string of 1 to 256 bytes");
  CHECK(bad(R"({"server":"s"})") == "prompt.name must be a string of 1 to 256 bytes");
  CHECK(bad(R"({"server":"s","name":"n","args":{}})") == "prompt has the unknown key \"args\"");
  CHECK(bad(R"({"server":"s","name":"n","arguments":[]})") == "prompt.arguments must be an object");
  CHECK(bad(R"({"server":"s","name":"n","arguments":{"a":1}})") ==
        "prompt.arguments must hold strings only");
}

} // namespace chat_request_options_test
