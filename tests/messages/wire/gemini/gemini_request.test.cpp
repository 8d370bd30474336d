// The request to Gemini: address, header fields, and the members of the body.
#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace gemini_request_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::vector<chat_message> hello{user_message("hello")};

model_config named(std::string name) {
  model_config model;
  model.name = "m";
  model.model = std::move(name);
  model.base_url = find_provider("gemini")->base_url;
  model.images = model.documents = true;
  return model;
}

http_request request_to(const model_config& model, const tool_set* tools = nullptr,
                        std::string_view parameters = {}) {
  return accepted_request(
      "gemini", {.model = model, .history = hello, .tools = tools, .parameters = parameters});
}

/// Returns the body behind `"contents":[...]`, which each of these requests has alike.
std::string rest_of(const model_config& model, const tool_set* tools = nullptr,
                    std::string_view parameters = {}) {
  const auto body = request_to(model, tools, parameters).body;
  constexpr std::string_view contents =
      R"("contents":[{"role":"user","parts":[{"text":"hello"}]}])";
  const auto at = body.find(contents);
  REQUIRE(at != std::string::npos);
  return body.substr(at + contents.size(), body.size() - at - contents.size() - 1);
}

tool_set tools_of(std::vector<tool_definition> list) {
  tool_set made;
  made.tools = std::move(list);
  return made;
}

const auto weather = tools_of({{"get_weather", "Tells the weather.",
                                R"({"type":"object","properties":{"city":{"type":"string"}},)"
                                R"("additionalProperties":false})",
                                "", ""}});

} // namespace

TEST_CASE("the address of Gemini has the model and the method", "[messages][gemini]") {
  auto model = named("gemini-2.5-flash");
  CHECK(request_to(model).url == "https://generativelanguage.googleapis.com/v1beta/models/"
                                 "gemini-2.5-flash:streamGenerateContent?alt=sse");
  model.streaming = false;
  CHECK(request_to(model).url == "https://generativelanguage.googleapis.com/v1beta/models/"
                                 "gemini-2.5-flash:generateContent");
  model.base_url = "https://x.example/v1/?key=1";
  CHECK(request_to(model).url ==
        "https://x.example/v1/models/gemini-2.5-flash:generateContent?key=1");
  model.streaming = true;
  CHECK(request_to(model).url ==
        "https://x.example/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=1");
  model.model = "tunedModels/mine";
  CHECK(request_to(model).url ==
        "https://x.example/v1/tunedModels/mine:streamGenerateContent?alt=sse&key=1");
}

TEST_CASE("the key of Gemini goes in its own field, unless there is an authorization",
          "[messages][gemini]") {
  auto model = named("gemini-2.5-flash");
  CHECK(find_header(request_to(model).fields, "x-goog-api-key").empty());
  model.api_key = "k";
  CHECK(find_header(request_to(model).fields, "x-goog-api-key") == "k");
  CHECK(find_header(request_to(model).fields, "accept") == "text/event-stream");
  model.fields = {{"Authorization", "Bearer t"}};
  CHECK(find_header(request_to(model).fields, "x-goog-api-key").empty());
}

TEST_CASE("tools are described by JSON Schema where Gemini takes it, else reduced",
          "[messages][gemini]") {
  CHECK(rest_of(named("gemini-2.5-flash"), &weather) ==
        R"(,"tools":[{"functionDeclarations":[{"name":"get_weather","description":)"
        R"("Tells the weather.","parametersJsonSchema":{"type":"object","properties":)"
        R"({"city":{"type":"string"}},"additionalProperties":false}}]}])");
  const auto reduced = R"(,"tools":[{"functionDeclarations":[{"name":"get_weather","description":)"
                       R"("Tells the weather.","parameters":{"type":"object","properties":)"
                       R"({"city":{"type":"string"}}}}]}])";
  CHECK(rest_of(named("gemini-2.0-flash"), &weather) == reduced);
  auto vertex = named("gemini-2.5-flash");
  vertex.base_url = "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/"
                    "publishers/google";
  CHECK(rest_of(vertex, &weather) == reduced);
  const auto broken = tools_of({{"x", "", "[1]", "", ""}});
  CHECK(rest_of(named("gemini-2.5-flash"), &broken).empty());
}

TEST_CASE("a tool without arguments or description is still declared", "[messages][gemini]") {
  const auto bare = tools_of({{"3d_now", "", "{}", "", ""}});
  CHECK(rest_of(named("gemini-2.0-flash"), &bare) ==
        R"(,"tools":[{"functionDeclarations":[{"name":"_3d_now","description":"3d_now"}]}])");
}

TEST_CASE("parameters in OpenAI's words become a generationConfig", "[messages][gemini]") {
  CHECK(rest_of(named("gemini-2.5-flash"), nullptr,
                R"({"temperature":0.5,"top_p":0.9,"top_k":40,"max_tokens":100,"seed":7,)"
                R"("stop":["a","b","c","d","e","f",""],"presence_penalty":1,)"
                R"("frequency_penalty":-1,"user":"u","logit_bias":{},"n":1,"metadata":{},)"
                R"("parallel_tool_calls":false,"service_tier":"auto","logprobs":true})") ==
        R"(,"generationConfig":{"maxOutputTokens":100,"temperature":0.5,"topP":0.9,"topK":40,)"
        R"("seed":7,"presencePenalty":1,"frequencyPenalty":-1,)"
        R"("stopSequences":["a","b","c","d","e"]})");
  CHECK(rest_of(named("gemini-2.5-flash")).empty());
}

TEST_CASE("Gemini's own words go through, and win", "[messages][gemini]") {
  CHECK(rest_of(named("gemini-2.5-flash"), nullptr,
                R"({"temperature":0.5,"generationConfig":{"temperature":1,"topK":3},)"
                R"("safetySettings":[],"responseModalities":["TEXT"],"topK":2})") ==
        R"(,"generationConfig":{"temperature":1,"topK":3,"responseModalities":["TEXT"]},)"
        R"("safetySettings":[])");
  CHECK(rest_of(named("gemini-2.5-flash"), &weather,
                R"({"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}})")
            .ends_with(R"(,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}})"));
}

TEST_CASE("a cached content goes without system message and tools", "[messages][gemini]") {
  const auto body = accepted_body("gemini", {.model = named("gemini-2.5-flash"),
                                             .history = hello,
                                             .tools = &weather,
                                             .parameters = R"({"cachedContent":"cachedContents/x",)"
                                                           R"("tool_choice":"required"})",
                                             .system = "Be kind."});
  CHECK(body == R"({"contents":[{"role":"user","parts":[{"text":"hello"}]}],)"
                R"("cachedContent":"cachedContents/x"})");
}

TEST_CASE("a tool choice becomes a mode", "[messages][gemini]") {
  const auto config = [](std::string_view choice) {
    const auto all = rest_of(named("gemini-2.5-flash"), &weather,
                             R"({"tool_choice":)" + std::string{choice} + "}");
    const auto at = all.find(R"(,"toolConfig":{"functionCallingConfig":)");
    return at == std::string::npos ? std::string{} : all.substr(at + 39);
  };
  CHECK(config(R"("auto")") == R"({"mode":"AUTO"}})");
  CHECK(config(R"("none")") == R"({"mode":"NONE"}})");
  CHECK(config(R"("required")") == R"({"mode":"ANY"}})");
  CHECK(config(R"({"type":"function","function":{"name":"get_weather"}})") ==
        R"({"mode":"ANY","allowedFunctionNames":["get_weather"]}})");
  CHECK(config("null").empty());
  CHECK(rest_of(named("gemini-2.5-flash"), nullptr, R"({"tool_choice":"none"})").empty());
}

TEST_CASE("an effort becomes what the generation of the model has", "[messages][gemini]") {
  const auto thinking = [](const std::string& name, std::string_view asked) {
    const auto all = rest_of(named(name), nullptr, asked);
    constexpr std::string_view before = R"(,"generationConfig":{"thinkingConfig":)";
    return all.empty() ? all : all.substr(before.size(), all.size() - before.size() - 1);
  };
  const auto high = R"({"reasoning_effort":"high"})";
  const auto none = R"({"reasoning_effort":"none"})";
  const auto medium = R"({"reasoning_effort":"medium"})";
  CHECK(thinking("gemini-2.0-flash", high).empty());
  CHECK(thinking("gemini-2.5-flash", high) == R"({"includeThoughts":true,"thinkingBudget":24576})");
  CHECK(thinking("gemini-2.5-flash", none) == R"({"includeThoughts":false,"thinkingBudget":0})");
  CHECK(thinking("gemini-2.5-pro", none) == R"({"includeThoughts":false,"thinkingBudget":128})");
  CHECK(thinking("gemini-2.5-flash", R"({"reasoning":{"max_tokens":99999}})") ==
        R"({"includeThoughts":true,"thinkingBudget":24576})");
  CHECK(thinking("gemini-2.5-flash-lite", R"({"reasoning":{"max_tokens":5}})") ==
        R"({"includeThoughts":true,"thinkingBudget":512})");
  CHECK(thinking("gemini-2.5-flash", R"({"reasoning":{"max_tokens":-1}})") ==
        R"({"includeThoughts":true,"thinkingBudget":-1})");
  CHECK(thinking("gemini-3-flash-preview", none) ==
        R"({"includeThoughts":false,"thinkingLevel":"MINIMAL"})");
  CHECK(thinking("gemini-3-pro-preview", none) ==
        R"({"includeThoughts":false,"thinkingLevel":"LOW"})");
  CHECK(thinking("gemini-3-pro-preview", medium) ==
        R"({"includeThoughts":true,"thinkingLevel":"HIGH"})");
  CHECK(thinking("gemini-3.1-pro-preview", medium) ==
        R"({"includeThoughts":true,"thinkingLevel":"MEDIUM"})");
  CHECK(thinking("gemini-3-flash", R"({"reasoning":{"max_tokens":2000}})") ==
        R"({"includeThoughts":true,"thinkingLevel":"MEDIUM"})");
  CHECK(thinking("gemini-3-flash", R"({"reasoning":{"max_tokens":-1}})") ==
        R"({"includeThoughts":true})");
  CHECK(thinking("gemini-3-flash", R"({"reasoning_effort":"silly"})").empty());
}

TEST_CASE("a schema of the answer is sent as the model takes it", "[messages][gemini]") {
  constexpr std::string_view asked =
      R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":)"
      R"({"type":"object","properties":{"a":{"const":"x"}},"$schema":"s"}}}})";
  CHECK(rest_of(named("gemini-2.5-flash"), nullptr, asked) ==
        R"(,"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":)"
        R"({"type":"object","properties":{"a":{"const":"x"}},"$schema":"s"}})");
  CHECK(rest_of(named("gemini-2.0-flash"), nullptr, asked) ==
        R"(,"generationConfig":{"responseMimeType":"application/json","responseSchema":)"
        R"({"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}})");
  CHECK(rest_of(named("gemini-2.5-flash"), nullptr,
                R"({"response_format":{"type":"json_object"}})") ==
        R"(,"generationConfig":{"responseMimeType":"application/json"})");
}

TEST_CASE("beside tools, an older model is told of the schema of the answer",
          "[messages][gemini]") {
  constexpr std::string_view asked =
      R"({"response_format":{"type":"json_schema","json_schema":{"schema":{"type":"object"}}}})";
  CHECK(rest_of(named("gemini-2.5-flash"), &weather, asked).find("generationConfig") ==
        std::string::npos);
  CHECK(request_to(named("gemini-2.5-flash"), &weather, asked)
            .body.starts_with(R"({"systemInstruction":{"parts":[{"text":"Answer with one JSON )"));
  CHECK(rest_of(named("gemini-3-flash"), &weather, asked).find("responseJsonSchema") !=
        std::string::npos);
}

TEST_CASE("what cannot work in the configuration of Gemini is told", "[messages][gemini]") {
  const auto* row = find_provider("gemini");
  auto model = named("gemini-2.5-flash");
  CHECK(row->check(model).empty());
  model.parameters = R"({"generationConfig":{"thinkingConfig":{"thinkingBudget":1}}})";
  CHECK(row->check(model).empty());
  model.parameters = R"({"thinkingConfig":{"thinkingBudget":1,"thinkingLevel":"LOW"}})";
  CHECK(row->check(model).starts_with("parameters: "));
  model.parameters.clear();
  model.base_url = "https://generativelanguage.googleapis.com";
  CHECK(row->check(model).starts_with("base_url: the version is missing"));
  model.base_url = std::string{row->base_url} + "/openai/";
  CHECK(row->check(model).starts_with("base_url: "));
  model.base_url = "https://x.example/v1beta/models/m:generateContent";
  CHECK(row->check(model).starts_with("base_url: "));
}

TEST_CASE("Gemini hears what a user sends; of a sound in a result it is told",
          "[messages][gemini]") {
  const message_file sound{"audio/mp3", "data:audio/mpeg;base64,AAAA", "a.mp3"};
  auto asks = user_message("Hear:");
  asks.files.push_back(sound);
  chat_message calls, result;
  calls.who = role::assistant;
  calls.tool_calls = {{"c1", "get", "{}"}};
  result.who = role::tool;
  result.tool_call_id = "c1";
  result.text = "A song.";
  result.files.push_back(sound);
  auto model = named("gemini-3-flash");
  CHECK(find_provider("gemini")->files.audio);
  model.audio = true;
  const auto body = accepted_body("gemini", {.model = model, .history = {asks, calls, result}});
  INFO(body);
  CHECK(body.find(R"({"text":"Hear:"},{"inlineData":{"mimeType":"audio/mp3","data":"AAAA"}})") !=
        std::string::npos);
  CHECK(body.find(R"(A song.\n[file a.mp3 audio/mp3])") != std::string::npos);
}

TEST_CASE("Gemma is told the system message by the user", "[messages][gemini]") {
  const auto body = accepted_body(
      "gemini", {.model = named("gemma-3-27b-it"), .history = hello, .system = "Be kind."});
  CHECK(body == R"({"contents":[{"role":"user","parts":[{"text":"Be kind."},)"
                R"({"text":"hello"}]}]})");
}

} // namespace gemini_request_test
