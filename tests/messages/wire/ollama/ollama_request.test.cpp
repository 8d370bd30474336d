// The requests that Ollama gets.
#include "messages/wire/ollama/ollama.hpp"

#include "messages/wire/ollama/ollama_schema.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace ollama_request_test {

using namespace troupe;
using namespace troupe::test;

namespace {

model_config some_model() {
  model_config model;
  model.name = "local";
  model.model = "qwen3";
  model.base_url = "http://127.0.0.1:11434";
  return model;
}

tool_definition tool(std::string name, std::string schema = "{}") {
  return {std::move(name), "Does it.", std::move(schema), "s", "t"};
}

std::string body_of(const model_request& asked) {
  return accepted_body("ollama", asked);
}

std::string member_of_body(const std::string& body, std::string_view key) {
  const auto root = read_json_tree(body, 10'000);
  REQUIRE(root.has_value());
  const auto* found = root->find(key);
  if (found == nullptr)
    return {};
  json_buffer out;
  append_json(out, *found);
  return std::string{view(out)};
}

/// Returns `think`, `format` and `options` of a request with these parameters.
std::string asked_for(std::string_view parameters, const model_config& model = some_model(),
                      uint32_t max_tokens = 0) {
  const std::vector history{user_message("hi")};
  const auto body = body_of(
      {.model = model, .history = history, .max_tokens = max_tokens, .parameters = parameters});
  return member_of_body(body, "think") + "|" + member_of_body(body, "format") + "|" +
         member_of_body(body, "options");
}

std::string schema_of(std::string_view schema) {
  json_buffer out;
  append_ollama_schema(out, schema);
  return std::string{view(out)};
}

} // namespace

TEST_CASE("a plain turn asks Ollama for a stream, and for nothing that was not configured",
          "[messages][ollama]") {
  const auto model = some_model();
  const std::vector history{user_message("hi")};
  const auto request = accepted_request("ollama", {.model = model, .history = history});
  CHECK(request.method == "POST");
  CHECK(request.url == "http://127.0.0.1:11434/api/chat");
  CHECK(find_header(request.fields, "authorization").empty());
  CHECK(request.body == R"({"model":"qwen3","messages":[{"role":"user","content":"hi"}],)"
                        R"("stream":true})");
}

TEST_CASE("a key for Ollama's cloud goes as a bearer", "[messages][ollama]") {
  auto model = some_model();
  model.base_url = "https://ollama.com/";
  model.api_key = "k";
  const std::vector history{user_message("hi")};
  const auto request = accepted_request("ollama", {.model = model, .history = history});
  CHECK(request.url == "https://ollama.com/api/chat");
  CHECK(find_header(request.fields, "authorization") == "Bearer k");
}

TEST_CASE("an address of Ollama is read as people write it", "[messages][ollama]") {
  CHECK(ollama_address("") == "http://127.0.0.1:11434");
  CHECK(ollama_address("0.0.0.0") == "http://127.0.0.1:11434");
  CHECK(ollama_address("0.0.0.0:11500") == "http://127.0.0.1:11500");
  CHECK(ollama_address(":11500") == "http://127.0.0.1:11500");
  CHECK(ollama_address("[::]:11500") == "http://[::1]:11500");
  CHECK(ollama_address("::1") == "http://[::1]:11434");
  CHECK(ollama_address("box.lan") == "http://box.lan:11434");
  CHECK(ollama_address(" \"box.lan:80\" ") == "http://box.lan:80");
  CHECK(ollama_address("http://0.0.0.0:11434/") == "http://127.0.0.1:11434");
  CHECK(ollama_address("http://box.lan") == "http://box.lan");
  CHECK(ollama_address("https://ollama.com/api/") == "https://ollama.com");
  CHECK(ollama_address("box.lan:80/below") == "http://box.lan:80/below");
}

TEST_CASE("calls and results go back with objects and names", "[messages][ollama]") {
  const auto model = some_model();
  chat_message asks;
  asks.who = role::assistant;
  asks.reasoning = "Two cities.";
  asks.tool_calls = {{"a", "get", R"({"city":"Oslo"})"}, {"b", "now", ""}};
  chat_message first;
  first.who = role::tool;
  first.tool_call_id = "a";
  first.text = "cold";
  auto second = first;
  second.tool_call_id = "b";
  second.text = "no clock";
  second.failed = true;
  const std::vector history{user_message("hi"), asks, first, second};
  const auto body = body_of({.model = model, .history = history, .system = "Be kind."});
  CHECK(member_of_body(body, "messages") ==
        R"([{"role":"system","content":"Be kind."},{"role":"user","content":"hi"},)"
        R"({"role":"assistant","content":"","thinking":"Two cities.","tool_calls":[)"
        R"({"id":"a","function":{"name":"get","arguments":{"city":"Oslo"}}},)"
        R"({"id":"b","function":{"name":"now","arguments":{}}}]},)"
        R"({"role":"tool","content":"cold","tool_name":"get","tool_call_id":"a"},)"
        R"({"role":"tool","content":"Error: no clock","tool_name":"now","tool_call_id":"b"}])");
}

TEST_CASE("thoughts of earlier turns stay at home", "[messages][ollama]") {
  auto model = some_model();
  chat_message answer;
  answer.who = role::assistant;
  answer.text = "hello";
  answer.reasoning = "Hm.";
  const std::vector history{user_message("hi"), answer, user_message("and now?")};
  CHECK(body_of({.model = model, .history = history}).find("thinking") == std::string::npos);
}

TEST_CASE("images go beside the text, without a type, and none is asked to be fetched",
          "[messages][ollama]") {
  auto model = some_model();
  model.images = true;
  auto message = user_message("look");
  message.files = {{"image/png", "data:image/png;base64,iVBORw0KGgo=", "a.png"},
                   {"image/png", "https://x.example/b.png", "b.png"}};
  const std::vector history{message};
  const auto body = body_of({.model = model, .history = history});
  CHECK(body.find(R"("images":["iVBORw0KGgo="])") != std::string::npos);
  CHECK(body.find("b.png image/png] (it cannot be fetched") != std::string::npos);
  CHECK(body.find("x.example") == std::string::npos);
  model.images = false;
  CHECK(body_of({.model = model, .history = history}).find("images\":") == std::string::npos);
}

TEST_CASE("OpenAI's words become Ollama's options", "[messages][ollama]") {
  CHECK(asked_for("") == "||");
  CHECK(asked_for(R"({"temperature":0.5,"top_p":0.9,"top_k":5,"seed":7,"stop":"END",)"
                  R"("max_tokens":20,"presence_penalty":1,"frequency_penalty":2})") ==
        R"(||{"num_predict":20,"temperature":0.5,"top_p":0.9,"top_k":5,"seed":7,)"
        R"("presence_penalty":1,"frequency_penalty":2,"stop":["END"]})");
  CHECK(asked_for(R"({"num_ctx":8192,"options":{"min_p":0.1,"temperature":1},"temperature":0})") ==
        R"(||{"min_p":0.1,"temperature":0,"num_ctx":8192})");
}

TEST_CASE("num_ctx and num_predict come from the configuration unless they are given",
          "[messages][ollama]") {
  auto model = some_model();
  model.generation.context_tokens = 32'768;
  model.generation.max_output_tokens = 100;
  CHECK(asked_for("", model) == R"(||{"num_predict":100,"num_ctx":32768})");
  CHECK(asked_for(R"({"options":{"num_ctx":4096,"num_predict":7}})", model) ==
        R"(||{"num_ctx":4096,"num_predict":7})");
  CHECK(asked_for(R"({"options":{"num_ctx":4096,"num_predict":7}})", model, 50) ==
        R"(||{"num_ctx":4096,"num_predict":50})");
}

TEST_CASE("Ollama is told to think, or not to, only where that is asked for",
          "[messages][ollama]") {
  CHECK(asked_for(R"({"reasoning_effort":"none"})") == "false||");
  CHECK(asked_for(R"({"reasoning_effort":"minimal"})") == R"("low"||)");
  CHECK(asked_for(R"({"reasoning_effort":"xhigh"})") == R"("high"||)");
  CHECK(asked_for(R"({"think":true})") == "true||");
  auto model = some_model();
  model.generation.reasoning_budget = 0;
  CHECK(asked_for("", model) == "false||");
  model.generation.reasoning_budget = 2000;
  CHECK(asked_for("", model) == "true||");
}

TEST_CASE("a schema of the answer becomes Ollama's format", "[messages][ollama]") {
  CHECK(asked_for(R"({"response_format":{"type":"json_object"}})") == R"(|"json"|)");
  CHECK(asked_for(R"({"response_format":{"type":"json_schema","json_schema":{"name":"n",)"
                  R"("schema":{"type":"object"}}}})") == R"(|{"type":"object"}|)");
}

TEST_CASE("a tool choice of none leaves the tools out, and of a tool the others",
          "[messages][ollama]") {
  const auto model = some_model();
  tool_set tools;
  tools.tools = {tool("get"), tool("put")};
  const std::vector history{user_message("hi")};
  const auto names = [&](std::string_view parameters) {
    const auto body =
        body_of({.model = model, .history = history, .tools = &tools, .parameters = parameters});
    return std::string{body.find("\"get\"") != body.npos ? "get " : ""} +
           (body.find("\"put\"") != body.npos ? "put" : "");
  };
  CHECK(names("") == "get put");
  CHECK(names(R"({"tool_choice":"required"})") == "get put");
  CHECK(names(R"({"tool_choice":"none"})").empty());
  CHECK(names(R"({"tool_choice":{"type":"function","function":{"name":"put"}}})") == "put");
  tools.tools = {tool("bad", R"({"type":"string"})")};
  tools.rendered = {};
  CHECK(body_of({.model = model, .history = history, .tools = &tools}).find("\"tools\"") ==
        std::string::npos);
}

TEST_CASE("a schema is brought down to what Ollama reads of it", "[messages][ollama]") {
  CHECK(schema_of(R"({"type":"object","properties":{"a":{"type":["string","null"],"minLength":1},)"
                  R"("b":true,"c":{"const":3},"d":{"type":"array","items":{"type":"integer"}}},)"
                  R"("required":["a"],"additionalProperties":false})") ==
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{"enum":[3]},)"
        R"("d":{"type":"array","items":{"type":"integer"}}},"required":["a"]})");
  CHECK(schema_of(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/x","description":"D"},)"
                  R"("b":{"anyOf":[{"type":"number"},{"type":"null"}]},)"
                  R"("c":{"oneOf":[{"type":"number"},{"type":"string"}]}},)"
                  R"("$defs":{"x":{"type":"string","enum":["p","q"]}}})") ==
        R"({"type":"object","properties":{"a":{"type":"string","description":"D",)"
        R"("enum":["p","q"]},"b":{"type":"number"},)"
        R"("c":{"anyOf":[{"type":"number"},{"type":"string"}]}}})");
}

TEST_CASE("a schema that leads to itself ends", "[messages][ollama]") {
  CHECK(schema_of(R"({"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},)"
                  R"("$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}}}}})") ==
        R"({"type":"object","properties":{"next":{"type":"object","properties":)"
        R"({"n":{"type":"object"}}}}})");
}

TEST_CASE("a configuration that Ollama cannot fulfil is told", "[messages][ollama]") {
  auto model = some_model();
  CHECK(ollama.check(model).empty());
  model.base_url = "http://127.0.0.1:11434/v1/";
  CHECK(ollama.check(model).starts_with("base_url: at /v1 Ollama speaks chat completions"));
  model = some_model();
  model.documents = true;
  CHECK(ollama.check(model).starts_with("documents: "));
  model = some_model();
  model.audio = true;
  CHECK(ollama.check(model).starts_with("audio: "));
}

} // namespace ollama_request_test
