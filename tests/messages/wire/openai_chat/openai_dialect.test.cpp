// What servers of chat completions want otherwise than the others.
#include "messages/wire/openai_chat/openai_dialect.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace openai_dialect_test {

using namespace troupe;
using namespace troupe::test;

namespace {

model_config model_at(std::string base_url, std::string name = "m") {
  model_config model;
  model.name = std::move(name);
  model.base_url = std::move(base_url);
  model.api_key = "key";
  return model;
}

http_request request_of(const model_config& model, const std::vector<chat_message>& history) {
  return accepted_request("openai", {model, history});
}

std::string body_of(const model_config& model, const std::vector<chat_message>& history) {
  return request_of(model, history).body;
}

/// A turn whose answer thought, and called a tool with this id.
std::vector<chat_message> turn_with(const std::string& id) {
  chat_message asked;
  asked.who = role::assistant;
  asked.reasoning = "thought";
  asked.provider_metadata = R"({"google":{"thought_signature":"s"}})";
  asked.tool_calls = {{id, "get", "{}", R"({"google":{"thought_signature":"t"}})"}};
  chat_message result;
  result.who = role::tool;
  result.text = "ok";
  result.tool_call_id = id;
  return {user_message("hi"), asked, result};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("hosts are known by their names, wherever they stand in a URL",
          "[messages][openai_chat]") {
  CHECK(host_in("https://api.openai.com/v1") == "api.openai.com");
  CHECK(host_in("http://u:p@h:8080?x=1") == "h:8080");
  CHECK(host_in("no url").empty());
  CHECK(is_openai("https://api.openai.com/v1"));
  CHECK(is_openai("https://EU.api.OpenAI.com:443"));
  CHECK_FALSE(is_openai("https://notopenai.com/v1"));
  CHECK_FALSE(is_openai("https://openai.com.evil.example/v1"));
  CHECK(is_azure("https://r.openai.azure.com/openai/v1"));
  CHECK(is_azure("https://r.services.ai.azure.com/openai/v1"));
  CHECK_FALSE(is_azure("https://models.inference.ai.azure.com"));
  CHECK(is_mistral("https://api.mistral.ai/v1"));
}

TEST_CASE("Azure gets its key in `api-key`, and its version in the query",
          "[messages][openai_chat]") {
  auto model = model_at("https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21");
  auto request = request_of(model, {user_message("hi")});
  CHECK(request.url ==
        "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21");
  CHECK(find_header(request.fields, "api-key") == "key");
  CHECK(find_header(request.fields, "authorization").empty());
}

TEST_CASE("a key in the configured header fields stands in for that of the engine",
          "[messages][openai_chat]") {
  auto model = model_at("https://gateway.example/v1");
  model.fields = {{"Api-Key", "other"}};
  auto request = request_of(model, {user_message("hi")});
  CHECK(find_header(request.fields, "authorization").empty());
  model = model_at("https://r.openai.azure.com/openai/v1");
  model.fields = {{"authorization", "Bearer entra"}};
  request = request_of(model, {user_message("hi")});
  CHECK(find_header(request.fields, "authorization") == "Bearer entra");
  CHECK(find_header(request.fields, "api-key").empty());
}

TEST_CASE("Mistral's models get ids of nine letters and digits, the same for call and result",
          "[messages][openai_chat]") {
  const std::vector<model_config> models{model_at("https://api.mistral.ai/v1"),
                                         model_at("http://vllm.example/v1", "mistralai/Devstral")};
  for (const auto& model : models) {
    const auto body = body_of(model, turn_with("call_123456789"));
    CHECK_FALSE(has(body, "call_123456789"));
    const auto at = body.find(R"("tool_calls":[{"id":")") + 21;
    const auto id = body.substr(at, body.find('"', at) - at);
    CHECK(id.size() == 9);
    CHECK(std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c); }));
    CHECK(has(body, R"("tool_call_id":")" + id + '"'));
    CHECK(has(body_of(model, turn_with("g6fVbXS8K")), R"("tool_call_id":"g6fVbXS8K")"));
  }
}

TEST_CASE("other models get ids as they are, unless they are too long", "[messages][openai_chat]") {
  const auto plain = model_at("http://vllm.example/v1");
  const auto azure = model_at("https://r.openai.azure.com/openai/v1");
  CHECK(has(body_of(plain, turn_with("functions.get:0")), R"("id":"functions.get:0")"));
  const std::string of_50(50, 'a');
  CHECK(has(body_of(plain, turn_with(of_50)), of_50));
  CHECK_FALSE(has(body_of(azure, turn_with(of_50)), of_50));
  const std::string of_65(65, 'a');
  CHECK_FALSE(has(body_of(plain, turn_with(of_65)), of_65));
}

TEST_CASE("servers that refuse members they do not know get none", "[messages][openai_chat]") {
  for (const auto* strict : {"https://api.openai.com/v1", "https://api.mistral.ai/v1"}) {
    const auto body = body_of(model_at(strict), turn_with("a"));
    CHECK_FALSE(has(body, "reasoning_content"));
    CHECK_FALSE(has(body, "extra_content"));
  }
  const auto body = body_of(model_at("http://vllm.example/v1"), turn_with("a"));
  CHECK(has(body, R"("reasoning_content":"thought")"));
  CHECK(has(body, R"("extra_content":{"google":{"thought_signature":"s"}})"));
}

TEST_CASE("Mistral gets no stream_options, and its own word for a demanded call",
          "[messages][openai_chat]") {
  auto model = model_at("https://api.mistral.ai/v1");
  model.parameters = R"({"tool_choice":"required"})";
  tool_set tools;
  tools.tools.push_back({"get", "", R"({"type":"object"})", "", ""});
  const std::vector<chat_message> history{user_message("hi")};
  auto body = accepted_body("openai", {model, history, &tools});
  CHECK_FALSE(has(body, "stream_options"));
  CHECK(has(body, R"("tool_choice":"any")"));
  model.base_url = "http://vllm.example/v1";
  body = accepted_body("openai", {model, history, &tools});
  CHECK(has(body, "stream_options"));
  CHECK(has(body, R"("tool_choice":"required")"));
}

TEST_CASE("the bound of an answer has the name that the server takes", "[messages][openai_chat]") {
  auto bound = [](model_config model, uint32_t asked = 0) {
    const std::vector<chat_message> history{user_message("hi")};
    if (asked == 0)
      model.generation.max_output_tokens = 50;
    auto body = accepted_body("openai", {model, history, nullptr, asked});
    return has(body, R"("max_completion_tokens":50)") ? "new"
           : has(body, R"("max_tokens":50)")          ? "old"
                                                      : "none";
  };
  const std::string azure = "https://r.openai.azure.com/openai/v1";
  for (uint32_t asked : {0, 50}) {
    CHECK(bound(model_at("https://api.openai.com/v1", "gpt-4o"), asked) == std::string{"new"});
    CHECK(bound(model_at(azure, "gpt-5-mini"), asked) == std::string{"new"});
    CHECK(bound(model_at(azure, "my-deployment"), asked) == std::string{"old"});
    CHECK(bound(model_at("http://vllm.example/v1"), asked) == std::string{"old"});
  }
  auto chosen = model_at("https://api.openai.com/v1");
  chosen.parameters = R"({"max_tokens":7})";
  CHECK(bound(chosen, 50) == std::string{"old"});
}

} // namespace openai_dialect_test
