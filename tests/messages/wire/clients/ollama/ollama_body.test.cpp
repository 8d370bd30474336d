#include "messages/wire/clients/ollama/ollama_body.hpp"

#include <string>

#include <fmt/format.h>

#include "messages/wire/clients/chat_request.hpp"
#include "tests/support/catch.hpp"

namespace ollama_body_test {

using namespace troupe;

namespace {

constexpr auto tags = "[ollama_client][wire]";
using reader = failure (*)(std::string_view, ollama_body&);

ollama_body read(const std::string& body, reader parse = parse_ollama_chat) {
  ollama_body out;
  auto bad = parse(body, out);
  INFO(body << ": " << bad.text());
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(const std::string& body, reader parse = parse_ollama_chat) {
  ollama_body out;
  auto bad = parse(body, out);
  INFO(body);
  CHECK(bad.code == errc::request_invalid);
  return bad.text();
}

std::string with(const std::string& members) {
  return R"({"model":"m","messages":[{"role":"user","content":"hi"}],)" + members + '}';
}

std::string talk(const std::string& messages) {
  return R"({"model":"m","messages":[)" + messages + "]}";
}

std::string parameters_of(const std::string& members) {
  return read(with(members)).turn.options.parameters;
}

} // namespace

TEST_CASE("a chat of Ollama's clients is a streamed turn with the whole history", tags) {
  const auto got =
      read(talk(R"({"role":"system","content":"be brief"},{"role":"user","content":"hi"},
      {"role":"assistant","content":"hm","thinking":"so"},{"role":"user","content":"go on"})"));
  CHECK(got.turn.options.model == "m");
  CHECK(got.turn.replaces_history);
  CHECK(got.turn.ephemeral);
  CHECK(got.stream);
  CHECK(got.shows_thinking);
  CHECK_FALSE(got.only_loads);
  REQUIRE(got.turn.messages.size() == 4);
  CHECK(got.turn.messages[0].who == role::system);
  CHECK(got.turn.messages[2].reasoning == "so");
  CHECK(got.turn.messages[3].text == "go on");
  CHECK_FALSE(read(with(R"("stream":false)")).stream);
  CHECK(read(with(R"("maxToolRoundtrips":3,"mcpServers":[])")).turn.options.limits_servers);
}

TEST_CASE("options of Ollama that every provider has go on in words that every provider reads",
          tags) {
  CHECK(parameters_of(R"("options":{"temperature":0.5,"num_predict":9,"stop":["x"],"seed":7,
      "num_ctx":4096,"mirostat":1,"top_p":null,"num_gpu":1,"unknown":{}})") ==
        R"({"temperature":0.5,"max_output_tokens":9,"stop":["x"],"seed":7})");
  CHECK(parameters_of(R"("options":{"num_predict":-1},"keep_alive":"5m")").empty());
  CHECK(parameters_of(R"("format":"json")") == R"({"response_format":{"type":"json_object"}})");
  CHECK(parameters_of(R"("format":"")").empty());
  CHECK(parameters_of(R"("format":{"type":"object"})") ==
        R"({"response_format":{"type":"json_schema","json_schema":{"name":"answer",)"
        R"("schema":{"type":"object"}}}})");
  CHECK(refusal(with(R"("format":"xml")")).starts_with("format must be"));
  CHECK(refusal(with(R"("options":[])")) == "options must be an object");
  CHECK(refusal(with(R"("logprobs":true)")) == "logprobs are not supported");
}

TEST_CASE("thinking is an effort where it is asked for, and is hidden where it is not", tags) {
  CHECK(parameters_of(R"("think":true)") == R"({"reasoning_effort":"medium"})");
  CHECK(parameters_of(R"("think":"high")") == R"({"reasoning_effort":"high"})");
  const auto without = read(with(R"("think":false)"));
  CHECK(without.turn.options.parameters.empty());
  CHECK_FALSE(without.shows_thinking);
  CHECK(read(with(R"("think":null)")).shows_thinking);
  for (const auto* wrong : {R"("much")", "7", "[]"})
    CHECK(refusal(with(fmt::format(R"("think":{})", wrong))).starts_with("think must be"));
}

TEST_CASE("tools of a chat of Ollama's are the client's", tags) {
  const auto got = read(with(R"("tools":[{"type":"function","function":{"name":"f",
      "parameters":{"type":"object"}}}])"));
  REQUIRE(got.turn.options.tools.size() == 1);
  CHECK(got.turn.options.tools[0].name == "f");
}

TEST_CASE("results without an id belong to the call of their tool, else to the first open one",
          tags) {
  const auto got = read(talk(R"({"role":"user","content":"go"},
      {"role":"assistant","content":"","tool_calls":[
        {"function":{"name":"a","arguments":{"x":1}}},
        {"function":{"name":"b","arguments":"{\"y\":2}"}},
        {"id":"mine","function":{"name":"a","arguments":[]},"extra_content":{"k":1}},
        {"function":{"name":"c"}}]},
      {"role":"tool","tool_name":"b","content":"2"},{"role":"tool","name":"a","content":"1"},
      {"role":"tool","tool_name":"c","tool_call_id":"mine","content":"3"},
      {"role":"tool","content":"4"})"));
  const auto& all = got.turn.messages;
  REQUIRE(all.size() == 6);
  const auto& calls = all[1].tool_calls;
  REQUIRE(calls.size() == 4);
  CHECK(calls[0].arguments == R"({"x":1})");
  CHECK(calls[1].arguments == R"({"y":2})");
  CHECK(calls[2].arguments == "{}");
  CHECK(calls[2].provider_metadata == R"({"k":1})");
  CHECK(all[2].tool_call_id == calls[1].id);
  CHECK(all[3].tool_call_id == calls[0].id);
  CHECK(all[4].tool_call_id == "mine");
  CHECK(all[5].tool_call_id == calls[3].id);
  CHECK(all[5].text == "4");
}

TEST_CASE("images of Ollama's clients are base64 whose type is in its first bytes", tags) {
  const auto got = read(talk(R"({"role":"user","content":"see","images":["iVBORw0KGgo=","/9j/4AA=",
      "R0lGOD==","UklGRg==","data:image/png;base64,AA=="]})"));
  const auto& files = got.turn.messages.at(0).files;
  REQUIRE(files.size() == 5);
  CHECK(files[0].url == "data:image/png;base64,iVBORw0KGgo=");
  CHECK(files[0].media_type == "image/png");
  CHECK(files[1].media_type == "image/jpeg");
  CHECK(files[2].media_type == "image/gif");
  CHECK(files[3].media_type == "image/webp");
  CHECK(files[4].url == "data:image/png;base64,AA==");
  for (const auto* wrong : {R"("AAAA")", R"("iVBORw0KGgo")", R"("http://h/a.png")", "7", "null"})
    CHECK(refusal(talk(fmt::format(R"({{"role":"user","images":[{}]}})", wrong))) ==
          "messages[0].images[0] must be a PNG, JPEG, GIF or WebP in base64");
  CHECK(refusal(talk(R"({"role":"user","images":"x"})")) == "messages[0].images must be an array");
}

TEST_CASE("a history of Ollama's clients that cannot be read is refused with the place", tags) {
  CHECK(refusal("{") != "");
  CHECK(refusal("{}") == "messages must be an array");
  CHECK(refusal(talk("7")) == "messages[0] must be an object");
  CHECK(refusal(talk(R"({"role":"robot"})")) ==
        "messages[0].role must be system, user, assistant or tool");
  CHECK(refusal(talk(R"({"role":"user","content":[]})")) == "messages[0].content must be a string");
  CHECK(
      refusal(talk(R"({"role":"tool","content":"1"})")).starts_with("messages[0] answers no call"));
  CHECK(refusal(talk(R"({"role":"assistant","tool_calls":7})")) ==
        "messages[0].tool_calls must be an array");
  for (const auto* call : {"7", "{}", R"({"function":{"name":""}})"})
    CHECK(refusal(talk(fmt::format(R"({{"role":"assistant","tool_calls":[{}]}})", call))) ==
          "messages[0].tool_calls[0].function.name must be a string that is not empty");
  CHECK(refusal(with(R"("stream":"yes")")) == "stream must be true or false");
}

TEST_CASE("a prompt of Ollama's clients is a message behind its system prompt", tags) {
  const auto got = read(R"({"model":"m","prompt":"hi","system":"be brief","suffix":"","context":[],
      "raw":false,"template":"","tools":[7],"images":["iVBORw0KGgo="]})",
                        parse_ollama_prompt);
  REQUIRE(got.turn.messages.size() == 2);
  CHECK(got.turn.messages[0].who == role::system);
  CHECK(got.turn.messages[0].text == "be brief");
  CHECK(got.turn.messages[1].text == "hi");
  CHECK(got.turn.messages[1].files.size() == 1);
  CHECK(got.turn.options.tools.empty());
  CHECK(got.stream);
  for (const auto* wrong :
       {R"("suffix":"b")", R"("raw":true)", R"("template":"{{ .Prompt }}")", R"("context":[1])"})
    CHECK(refusal(fmt::format(R"({{"prompt":"a",{}}})", wrong), parse_ollama_prompt)
              .find("not supported") != std::string::npos);
  CHECK(refusal(R"({"prompt":7})", parse_ollama_prompt) == "prompt must be a string");
  CHECK(refusal(R"({"system":[]})", parse_ollama_prompt) == "system must be a string");
}

TEST_CASE("without anything to answer the model would be loaded", tags) {
  CHECK(read(R"({"model":"m","messages":[]})").only_loads);
  CHECK(read(R"({"model":"m"})", parse_ollama_prompt).only_loads);
  CHECK(read(R"({"model":"m","prompt":"","system":"s"})", parse_ollama_prompt).only_loads);
  CHECK_FALSE(read(R"({"prompt":"","images":["UklGRg=="]})", parse_ollama_prompt).only_loads);
}

TEST_CASE("the form of a body of /api/chat says whether Ollama's clients have sent it", tags) {
  for (const auto* mine :
       {R"({"messages":[{"role":"user","content":"x"}]})",
        R"({"model":"m","messages":[{"content":""}],"stream":true})",
        R"({"id":null,"messages":[{"role":"user","content":"x","parts":null}]})",
        R"({"messages":[{"role":"assistant","tool_calls":[]},{"role":"user","content":"x"}]})",
        R"({"messages":[{"role":"user","content":"x"},{"role":"user","parts":[]}]})",
        R"({"model":"m","messages":[]})"}) {
    INFO(mine);
    CHECK(is_ollama_chat(mine));
    turn_request turn;
    auto profile = ui_profile::v6;
    CHECK(parse_ui_request(mine, turn, profile)); // none of them was ever a turn of the AI SDK
  }
  for (const auto* other :
       {"", "{", "[]", "{}", R"({"messages":[]})", R"({"model":"m"})",
        R"({"model":7,"messages":[]})", R"({"id":"c","messages":[{"role":"user","content":"x"}]})",
        R"({"id":"c","messages":[]})",
        R"({"id":7,"model":"m","messages":[{"role":"user","content":"x"}]})",
        R"({"messages":[{"role":"user","content":"x","parts":[]}]})",
        R"({"messages":[{"role":"user","parts":[]},{"role":"user","content":"x"}]})",
        R"({"model":"m","messages":[{"role":"user"}]})",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]})",
        R"({"messages":"x","content":"x"})", R"({"messages":["x"]})"}) {
    INFO(other);
    CHECK_FALSE(is_ollama_chat(other));
  }
}

} // namespace ollama_body_test
