// The requests to the Responses API: what a history, tools and parameters become.
#include <algorithm>
#include <string>
#include <vector>

#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/openai_responses/openai_responses.hpp"
#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/call_messages.hpp"
#include "tests/support/catch.hpp"

namespace responses_request_test {

using namespace troupe;
using namespace troupe::test;

namespace {

model_config model_of(std::string parameters = {}) {
  model_config model;
  model.name = "gpt-5";
  model.base_url = "https://api.openai.com/v1";
  model.api_key = "key";
  model.parameters = std::move(parameters);
  return model;
}

http_request request_of(const model_request& asked) {
  return accepted_request("openai-responses", asked);
}

std::string body_of(const model_config& model, const std::vector<chat_message>& history,
                    const tool_set* tools = nullptr) {
  return request_of({.model = model, .history = history, .tools = tools}).body;
}

/// Returns the members of the body behind `input`, without the end.
std::string asked_by(const std::string& parameters, const tool_set* tools = nullptr) {
  auto body = body_of(model_of(parameters), {user_message("hi")}, tools);
  auto begin = body.find("]") + 1;
  auto last = body.find(R"(,"store":)");
  return begin < last ? body.substr(begin, last - begin) : "";
}

std::string input_of(const std::string& body) {
  auto tree = read_json_tree(body, 10'000);
  REQUIRE(tree);
  json_buffer out;
  append_json(out, *tree->find("input"));
  return std::string{view(out)};
}

tool_set one_tool(bool strict = false) {
  tool_set tools;
  tools.tools.push_back({"get", "Gets it.", R"({"type":"object","properties":{}})", "", ""});
  tools.tools.back().strict = strict;
  return tools;
}

/// Seals blocks as an answer of the model of model_of() does.
std::string sealed(const std::string& blocks) {
  return seal_blocks("openai_responses", "gpt-5 at api.openai.com", blocks);
}

constexpr std::string_view thought =
    R"({"type":"reasoning","summary":[],"encrypted_content":"c2VhbA=="})";

const header* field(const http_request& request, std::string_view name) {
  auto found = std::ranges::find(request.fields, name, &header::name);
  return found == request.fields.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("a request to the Responses API has the whole chat and keeps nothing there",
          "[messages][openai_responses]") {
  auto model = model_of();
  const std::vector<chat_message> history{user_message("hi"), model_says("hello"),
                                          user_message("go")};
  auto request = request_of({.model = model, .history = history, .system = "Be kind."});
  CHECK(request.url == "https://api.openai.com/v1/responses");
  CHECK(field(request, "authorization")->value == "Bearer key");
  CHECK(field(request, "accept")->value == "text/event-stream");
  CHECK(request.body ==
        R"({"model":"gpt-5","instructions":"Be kind.","input":[{"role":"user","content":"hi"},)"
        R"({"role":"assistant","content":"hello"},{"role":"user","content":"go"}],)"
        R"("store":false,"include":["reasoning.encrypted_content"],"stream":true})");
}

TEST_CASE("Azure gets its key in a field of its own, and keeps its query",
          "[messages][openai_responses]") {
  auto model = model_of();
  model.base_url = "https://x.openai.azure.com/openai/v1/?api-version=preview";
  const std::vector<chat_message> history{user_message("hi")};
  auto request = request_of({model, history});
  CHECK(request.url == "https://x.openai.azure.com/openai/v1/responses?api-version=preview");
  CHECK(field(request, "api-key")->value == "key");
  CHECK(field(request, "authorization") == nullptr);
  model.fields = {{"Authorization", "Bearer entra"}};
  request = request_of({model, history});
  CHECK(field(request, "api-key") == nullptr);
  CHECK(field(request, "Authorization")->value == "Bearer entra");
}

TEST_CASE("a configured api-key stands in for the bearer token", "[messages][openai_responses]") {
  auto model = model_of();
  model.fields = {{"api-key", "other"}};
  const std::vector<chat_message> history{user_message("hi")};
  auto request = request_of({model, history});
  CHECK(field(request, "api-key")->value == "other");
  CHECK(field(request, "authorization") == nullptr);
}

TEST_CASE("calls and results are items of their own", "[messages][openai_responses]") {
  const std::vector<chat_message> history{user_message("hi"),
                                          model_says("I look.", {{"call_1", "get", R"({"a":1})"}}),
                                          tool_says("call_1", "sunny")};
  CHECK(input_of(body_of(model_of(), history)) ==
        R"([{"role":"user","content":"hi"},{"role":"assistant","content":"I look."},)"
        R"({"type":"function_call","call_id":"call_1","name":"get","arguments":"{\"a\":1}"},)"
        R"({"type":"function_call_output","call_id":"call_1","output":"sunny"}])");
}

TEST_CASE("an id that is too long is replaced alike in the call and its result",
          "[messages][openai_responses]") {
  const std::string id(100, 'x');
  const std::vector<chat_message> history{user_message("hi"), model_says("", {{id, "get", "{}"}}),
                                          tool_says(id, "ok")};
  auto body = body_of(model_of(), history);
  CHECK(body.find(id) == std::string::npos);
  CHECK(body == body_of(model_of(), history));
  const std::vector<chat_message> kept{user_message("hi"),
                                       model_says("", {{"functions.get:0", "get", "{}"}}),
                                       tool_says("functions.get:0", "ok")};
  CHECK(body_of(model_of(), kept).find(R"("call_id":"functions.get:0")") != std::string::npos);
}

TEST_CASE("a tool is flat, and not strict unless it says so", "[messages][openai_responses]") {
  auto tools = one_tool();
  CHECK(body_of(model_of(), {user_message("hi")}, &tools)
            .find(R"("tools":[{"type":"function","name":"get","description":"Gets it.",)"
                  R"("parameters":{"type":"object","properties":{}},"strict":false}])") !=
        std::string::npos);
  auto strict = one_tool(true);
  CHECK(body_of(model_of(), {user_message("hi")}, &strict).find(R"("strict":true})") !=
        std::string::npos);
}

TEST_CASE("images and documents are parts where the model takes them",
          "[messages][openai_responses]") {
  auto message = user_message("See:");
  message.files.push_back({"image/png", "data:image/png;base64,AAAA", "a.png", "low"});
  message.files.push_back({"application/pdf", "data:application/pdf;base64,JVBERi0=", "b.pdf"});
  auto model = model_of();
  model.images = model.documents = true;
  CHECK(input_of(body_of(model, {message})) ==
        R"([{"role":"user","content":[{"type":"input_text","text":"See:"},)"
        R"({"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"low"},)"
        R"({"type":"input_file","filename":"b.pdf",)"
        R"("file_data":"data:application/pdf;base64,JVBERi0="}]}])");
  auto noted = input_of(body_of(model_of(), {message}));
  CHECK(noted.find("input_image") == std::string::npos);
  CHECK(noted.find("b.pdf") != std::string::npos);
}

TEST_CASE("a sound is a part of a message, and a note in a result",
          "[messages][openai_responses]") {
  const message_file sound{"audio/wav", "data:audio/wav;base64,AAAA", "a.wav"};
  auto message = user_message("Hear:");
  message.files.push_back(sound);
  auto heard = tool_says("call_1", "A song.");
  heard.files.push_back(sound);
  auto model = model_of();
  model.audio = true;
  const auto sent =
      input_of(body_of(model, {message, model_says("", {{"call_1", "get", "{}"}}), heard}));
  CHECK(
      sent.starts_with(R"([{"role":"user","content":[{"type":"input_text","text":"Hear:"},)"
                       R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]})"));
  CHECK(sent.find(R"(A song.\n[audio/wav a.wav was attached; this model takes no audio]")") !=
        std::string::npos);
}

TEST_CASE("a result shows its images itself", "[messages][openai_responses]") {
  auto shown = tool_says("call_1", "A chart.");
  shown.files.push_back({"image/png", "data:image/png;base64,AAAA"});
  auto model = model_of();
  model.images = true;
  const std::vector<chat_message> history{user_message("hi"),
                                          model_says("", {{"call_1", "get", "{}"}}), shown};
  CHECK(input_of(body_of(model, history))
            .find(R"("output":[{"type":"input_text","text":"A chart."},)"
                  R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"}]})") !=
        std::string::npos);
}

TEST_CASE("OpenAI's older words get the names of the Responses API",
          "[messages][openai_responses]") {
  CHECK(asked_by(R"({"max_tokens":100,"temperature":0.5,"top_p":1})") ==
        R"(,"temperature":0.5,"top_p":1,"max_output_tokens":100)");
  CHECK(asked_by(R"({"max_completion_tokens":4})") == R"(,"max_output_tokens":16)");
  CHECK(asked_by(R"({"max_output_tokens":50})") == R"(,"max_output_tokens":50)");
  CHECK(asked_by(R"({"reasoning_effort":"low"})") == R"(,"reasoning":{"effort":"low"})");
  CHECK(asked_by(R"({"reasoning":{"summary":"auto"},"reasoning_effort":"high"})") ==
        R"(,"reasoning":{"summary":"auto","effort":"high"})");
  CHECK(asked_by(R"({"verbosity":"low","response_format":{"type":"json_object"}})") ==
        R"(,"text":{"verbosity":"low","format":{"type":"json_object"}})");
  CHECK(asked_by(R"({"response_format":{"type":"json_schema","json_schema":{"name":"n",)"
                 R"("schema":{"type":"object"},"strict":true}}})") ==
        R"(,"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},)"
        R"("strict":true}})");
}

TEST_CASE("words that the Responses API has not are left out, and its own go through",
          "[messages][openai_responses]") {
  CHECK(asked_by(R"({"stop":"x","seed":1,"n":2,"presence_penalty":1,"frequency_penalty":1,)"
                 R"("top_k":5,"logprobs":true,"logit_bias":{}})") == "");
  auto body = body_of(model_of(R"({"service_tier":"flex","input":[],"previous_response_id":"r"})"),
                      {user_message("hi")});
  CHECK(body.find(R"("service_tier":"flex")") != std::string::npos);
  CHECK(body.find("previous_response_id") == std::string::npos);
}

TEST_CASE("a tool choice is flat, too", "[messages][openai_responses]") {
  auto tools = one_tool();
  auto chosen = [&tools](const std::string& choice) {
    auto body =
        body_of(model_of(R"({"tool_choice":)" + choice + "}"), {user_message("hi")}, &tools);
    auto at = body.find(R"("tool_choice":)");
    return at == std::string::npos ? "" : body.substr(at + 14, body.find(R"(,"store")") - at - 14);
  };
  CHECK(chosen(R"("none")") == R"("none")");
  CHECK(chosen(R"("required")") == R"("required")");
  CHECK(chosen(R"({"type":"function","function":{"name":"get"}})") ==
        R"({"type":"function","name":"get"})");
  CHECK(asked_by(R"({"tool_choice":"required","parallel_tool_calls":false})") == "");
}

TEST_CASE("a budget of tokens becomes an effort", "[messages][openai_responses]") {
  auto effort = [](int64_t budget) {
    auto model = model_of();
    model.generation.reasoning_budget = budget;
    auto body = body_of(model, {user_message("hi")});
    auto at = body.find(R"("effort":")");
    return at == std::string::npos ? "" : body.substr(at + 10, body.find('"', at + 10) - at - 10);
  };
  CHECK(effort(-2) == "");
  CHECK(effort(-1) == "");
  CHECK(effort(0) == "none");
  CHECK(effort(1024) == "low");
  CHECK(effort(8192) == "medium");
  CHECK(effort(30'000) == "high");
}

TEST_CASE("sealed reasoning is not asked of models that have none",
          "[messages][openai_responses]") {
  for (auto name : {"gpt-4o", "gpt-4.1-mini", "ft:gpt-4o:x", "openai/gpt-4o", "gpt-3.5-turbo",
                    "chatgpt-4o-latest", "gpt-5-chat-latest"})
    CHECK(lacks_sealed_reasoning(name));
  for (auto name : {"gpt-5", "gpt-5.1", "o3", "my-deployment", "deepseek-v4-flash", "gpt-oss-20b"})
    CHECK_FALSE(lacks_sealed_reasoning(name));
  auto model = model_of();
  model.model = "gpt-4o";
  CHECK(body_of(model, {user_message("hi")}).find("include") == std::string::npos);
  CHECK(body_of(model_of(R"({"include":null})"), {user_message("hi")}).find("include") ==
        std::string::npos);
}

TEST_CASE("an answer goes back as the items that its model made", "[messages][openai_responses]") {
  auto asked = model_says("Looking.Done.", {{"call_1", "get", R"({"a":1})"}});
  const auto message = [](std::string_view phase, std::string_view text) {
    return fmt::format(R"({{"role":"assistant","phase":"{}",)"
                       R"("content":[{{"type":"output_text","text":"{}"}}]}})",
                       phase, text);
  };
  const auto items =
      fmt::format(R"({},{},{},{{"type":"function_call","call_id":"call_1"}},{})", thought,
                  message("commentary", "Looking."), thought, message("final_answer", "Done."));
  asked.provider_metadata = sealed("[" + items + "]");
  const std::vector<chat_message> history{user_message("hi"), asked, tool_says("call_1", "ok")};
  CHECK(input_of(body_of(model_of(), history)) ==
        fmt::format(R"([{{"role":"user","content":"hi"}},{},{},{},)"
                    R"({{"type":"function_call","call_id":"call_1","name":"get",)"
                    R"("arguments":"{{\"a\":1}}"}},{},)"
                    R"({{"type":"function_call_output","call_id":"call_1","output":"ok"}}])",
                    thought, message("commentary", "Looking."), thought,
                    message("final_answer", "Done.")));
}

TEST_CASE("sealed reasoning goes to nobody but its model at its server",
          "[messages][openai_responses]") {
  auto said = model_says("Hello.");
  said.provider_metadata =
      sealed(fmt::format(R"([{},{{"role":"assistant","content":[{{"type":"output_text",)"
                         R"("text":"Hello."}}]}}])",
                         thought));
  std::vector<chat_message> history{user_message("hi"), said, user_message("go")};
  auto has_seal = [&history](const model_config& model) {
    return body_of(model, history).find("c2VhbA==") != std::string::npos;
  };
  CHECK(has_seal(model_of()));
  auto other_model = model_of();
  other_model.model = "gpt-5-mini";
  CHECK_FALSE(has_seal(other_model));
  auto other_server = model_of();
  other_server.base_url = "https://x.openai.azure.com/openai/v1";
  CHECK_FALSE(has_seal(other_server));
  auto strips = model_of();
  strips.reasoning = reasoning_policy::strip;
  CHECK_FALSE(has_seal(strips));
  const auto own_model = model_of();
  const model_request bare{
      .model = own_model, .history = history, .without_sealed_reasoning = true};
  CHECK(request_of(bare).body.find("c2VhbA==") == std::string::npos);
  history[1].text = "Hello!"; // a client edited it
  CHECK_FALSE(has_seal(model_of()));
  history[1].text = "Hello.";
  auto body = accepted_body("openai", {model_of(), history});
  CHECK(body.find("c2VhbA==") == std::string::npos);
}

TEST_CASE("reasoning goes back only in front of what it belongs to",
          "[messages][openai_responses]") {
  auto sent = [](const std::string& items, std::vector<tool_call> calls = {}) {
    auto said = model_says("Hello.", std::move(calls));
    said.provider_metadata = sealed("[" + items + "]");
    std::vector<chat_message> history{user_message("hi"), said};
    for (const auto& each : said.tool_calls)
      history.push_back(tool_says(each.id, "ok"));
    history.push_back(user_message("go"));
    auto body = body_of(model_of(), history);
    size_t count = 0;
    for (auto at = body.find("c2VhbA=="); at != std::string::npos;
         at = body.find("c2VhbA==", at + 1))
      ++count;
    return count;
  };
  const std::string said =
      R"({"role":"assistant","content":[{"type":"output_text","text":"Hello."}]})";
  const std::string search = R"({"type":"web_search_call"})";
  const std::string seal{thought};
  CHECK(sent(seal + "," + said) == 1);
  CHECK(sent(seal + "," + seal + "," + said) == 2);
  CHECK(sent(said + "," + seal) == 0);
  CHECK(sent(seal + "," + search + "," + said) == 0);
  CHECK(sent(seal + "," + search + "," + seal + "," + said) == 1);
  CHECK(sent(R"({"type":"reasoning","summary":[]},)" + said) == 0);
  // Items that do not say what the message says are void: of another call, or of none.
  const std::string call = R"({"type":"function_call","call_id":"call_1"})";
  CHECK(sent(seal + "," + said + "," + call) == 0);
  CHECK(sent(seal + "," + said + "," + call, {{"call_1", "get", "{}"}}) == 1);
  CHECK(sent(seal + "," + said + "," + call, {{"call_2", "get", "{}"}}) == 0);
  CHECK(sent(seal + "," + said + "," + call, {{"call_1_2", "get", "{}"}}) == 1);
}

TEST_CASE("a configuration that would have the server keep the chat is refused",
          "[messages][openai_responses]") {
  auto check = find_provider("openai-responses")->check;
  CHECK(check(model_of()) == "");
  CHECK(check(model_of(R"({"previous_response_id":null,"background":false})")) == "");
  CHECK(check(model_of(R"({"previous_response_id":"resp_1"})"))
            .starts_with("parameters.previous_response_id: "));
  CHECK(check(model_of(R"({"conversation":"c"})")).starts_with("parameters.conversation: "));
  CHECK(check(model_of(R"({"background":true})")).starts_with("parameters.background: "));
}

} // namespace responses_request_test
