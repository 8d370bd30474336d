#include "messages/wire/openai_chat/openai_chat.hpp"
#include "messages/wire/providers.hpp"

#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace openai_request_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::vector<chat_message> hi{user_message("hi")};

model_config model() {
  model_config config;
  config.name = "fast";
  config.model = "gpt-x";
  config.base_url = "https://model.example/v1";
  config.api_key = "secret";
  return config;
}

} // namespace

TEST_CASE("the provider is found by its name", "[messages][openai_chat]") {
  REQUIRE(find_provider("openai") == &openai_chat);
  CHECK(find_provider("nobody") == nullptr);
  CHECK(provider_names().front() == "openai");
}

TEST_CASE("a streaming request asks for a stream with usage", "[messages][openai_chat]") {
  auto config = model();
  config.proxy = "http://proxy.example:1";
  config.timeouts.connect = std::chrono::seconds{5};
  std::vector<chat_message> history(1);
  history[0].text = "Hi \"you\"";
  auto request = accepted_request("openai", {config, history, nullptr, 0});
  CHECK(request.method == "POST");
  CHECK(request.url == "https://model.example/v1/chat/completions");
  CHECK(find_header(request.fields, "content-type") == "application/json");
  CHECK(find_header(request.fields, "accept") == "text/event-stream");
  CHECK(find_header(request.fields, "authorization") == "Bearer secret");
  CHECK(request.body == R"({"model":"gpt-x","messages":[{"role":"user","content":"Hi \"you\""}],)"
                        R"("stream":true,"stream_options":{"include_usage":true}})");
  CHECK(request.proxy == config.proxy);
  CHECK(request.deadlines.connect == config.timeouts.connect);
}

TEST_CASE("a request without streaming, key or model name says so", "[messages][openai_chat]") {
  auto config = model();
  config.streaming = false;
  config.model.clear();
  config.api_key.clear();
  config.base_url = "http://gateway.example/v1/?api-version=2";
  const tool_set no_tools;
  auto request = accepted_request("openai", {config, hi, &no_tools, 0});
  CHECK(request.url == "http://gateway.example/v1/chat/completions?api-version=2");
  CHECK(find_header(request.fields, "accept") == "application/json");
  CHECK(find_header(request.fields, "authorization").empty());
  CHECK(request.body ==
        R"({"model":"fast","messages":[{"role":"user","content":"hi"}],"stream":false})");
}

TEST_CASE("a system prompt goes first, unless the history begins with one",
          "[messages][openai_chat]") {
  auto config = model();
  std::vector<chat_message> history;
  auto messages = [&] {
    model_request prompt{config, history, nullptr, 0, 0, {}, "be \"brief\""};
    auto body = accepted_body("openai", prompt);
    auto begin = body.find("[");
    return body.substr(begin, body.rfind(']') + 1 - begin);
  };
  const std::string own = R"({"role":"system","content":"be \"brief\""})";
  CHECK(messages() == '[' + own + ']');
  history.resize(1);
  history[0].text = "hi";
  CHECK(messages() == '[' + own + R"(,{"role":"user","content":"hi"}])");
  history[0].who = role::system;
  CHECK(messages() == R"([{"role":"system","content":"hi"}])");
}

TEST_CASE("a prompt decides on streaming where it says so", "[messages][openai_chat]") {
  for (bool configured : {false, true}) {
    for (int asked : {-1, 0, 1}) {
      auto config = model();
      config.streaming = configured;
      model_request prompt{config, hi, nullptr, 0, asked};
      auto request = accepted_request("openai", prompt);
      bool streams = asked < 0 ? configured : asked == 1;
      CHECK(request.body.ends_with(streams ? R"("stream_options":{"include_usage":true}})"
                                           : R"("stream":false})"));
      CHECK(find_header(request.fields, "accept") ==
            (streams ? "text/event-stream" : "application/json"));
    }
  }
}

TEST_CASE("parameters stand in the request", "[messages][openai_chat]") {
  auto config = model();
  config.parameters = R"({"temperature":0.5,"stream":false})";
  auto body = accepted_body("openai", {config, hi, nullptr, 0, -1, R"({"seed":1})"});
  CHECK(
      body ==
      R"({"model":"gpt-x","messages":[{"role":"user","content":"hi"}],"temperature":0.5,"seed":1,)"
      R"("stream":true,"stream_options":{"include_usage":true}})");
}

TEST_CASE("the wish for a stream's usage can be left out", "[messages][openai_chat]") {
  auto config = model();
  config.parameters = R"({"stream_options":null,"n":1})";
  CHECK(accepted_body("openai", {config, hi, nullptr, 0, -1}) ==
        R"({"model":"gpt-x","messages":[{"role":"user","content":"hi"}],"n":1,"stream":true})");
  const auto asked =
      accepted_body("openai", {config, hi, nullptr, 0, -1, R"({"stream_options":{"x":1}})"});
  CHECK(asked.ends_with(R"("stream":true,"stream_options":{"include_usage":true}})"));
}

TEST_CASE("a history with tool calls is written as the provider wants it back",
          "[messages][openai_chat]") {
  std::vector<chat_message> history(5);
  history[0].who = role::system;
  history[0].text = "Be kind.";
  history[1].text = "Hi";
  history[2].who = role::assistant;
  history[2].reasoning = "Hm.";
  history[2].tool_calls = {{"call_1", "get", R"({"a":"b"})"}, {"call_2", "now", ""}};
  history[3].who = role::tool;
  history[3].tool_call_id = "call_1";
  history[3].text = "20";
  history[4].who = role::tool;
  history[4].tool_call_id = "call_2";
  history[4].text = "12:00";
  tool_set tools;
  tools.tools = {{"get", "", "{}", "one", "get"}};
  auto request = accepted_request("openai", {model(), history, &tools});
  CHECK(
      request.body ==
      R"({"model":"gpt-x","messages":[{"role":"system","content":"Be kind."},)"
      R"({"role":"user","content":"Hi"},)"
      R"({"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[)"
      R"({"id":"call_1","type":"function","function":{"name":"get","arguments":"{\"a\":\"b\"}"}},)"
      R"({"id":"call_2","type":"function","function":{"name":"now","arguments":"{}"}}]},)"
      R"({"role":"tool","content":"20","tool_call_id":"call_1"},)"
      R"({"role":"tool","content":"12:00","tool_call_id":"call_2"}],)"
      R"("tools":[{"type":"function","function":{"name":"get",)"
      R"("parameters":{"type":"object","properties":{}}}}],)"
      R"("stream":true,"stream_options":{"include_usage":true}})");
}

TEST_CASE("what goes with a message stands in front of its text", "[messages][openai_chat]") {
  std::vector<chat_message> history(1);
  history[0].text = "What \"is\" it?";
  auto plain = accepted_body("openai", {model(), history, nullptr, 0});
  CHECK(plain.find(R"({"role":"user","content":"What \"is\" it?"})") != std::string::npos);
  message_extra note;
  note.name = "Notes";
  note.uri = "file:///n.md";
  note.server_name = "disk";
  note.content = "line 1\nline \"2\"";
  message_extra other;
  other.name = "B";
  other.uri = "b://";
  other.server_name = "s";
  history[0].extras = {note, other};
  auto body = accepted_body("openai", {model(), history, nullptr, 0});
  CHECK(body.find(R"({"role":"user","content":"[Resource \"Notes\" of the MCP server \"disk\": )"
                  R"(file:///n.md]\nline 1\nline \"2\"\n\n)"
                  R"([Resource \"B\" of the MCP server \"s\": b://]\n\n\nWhat \"is\" it?"})") !=
        std::string::npos);
}

TEST_CASE("tools are rendered with their schema untouched", "[messages][openai_chat]") {
  CHECK(openai_tools({}) == "[]");
  std::vector<tool_definition> tools(2);
  tools[0].name = "get";
  tools[0].description = "Gets \"it\".";
  tools[0].input_schema = R"({ "type":"object", "properties":{} })";
  tools[1].name = "now";
  CHECK(
      openai_tools(tools) ==
      R"([{"type":"function","function":{"name":"get","description":"Gets \"it\".",)"
      R"("parameters":{ "type":"object", "properties":{} }}},{"type":"function","function":{"name":"now",)"
      R"("parameters":{"type":"object","properties":{}}}}])");
}

TEST_CASE("a list of tools that no server takes is left out, and what belongs to it",
          "[messages][openai_chat]") {
  std::vector<chat_message> history(1);
  history[0].text = "Hi";
  tool_set tools;
  tools.tools = {{"say", "", R"({"type":"string"})", "one", "say"}};
  auto body =
      accepted_body("openai", {model(), history, &tools, 0, 0, R"({"tool_choice":"auto"})"});
  CHECK(body.find("tool") == std::string::npos);
}

TEST_CASE("a bound of the answer is said where there is one", "[messages][openai]") {
  std::vector<chat_message> history{{role::user, "hi", {}, {}, {}}};
  CHECK(accepted_body("openai", {model(), history, nullptr, 64}).find(R"("max_tokens":64)") !=
        std::string::npos);
  CHECK(accepted_body("openai", {model(), history, nullptr, 0}).find("max_tokens") ==
        std::string::npos);
}

} // namespace openai_request_test
