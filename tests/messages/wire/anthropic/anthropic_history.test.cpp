// Whatever a chat came to, what goes to Anthropic is a request that it takes; nothing that the user
// wrote is lost, and what was sealed goes back as it came, to the model that sealed it.
#include "messages/chat/tool_name.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/random_chat.hpp"
#include "tests/messages/wire/provider/recordings.hpp"

namespace anthropic_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using history = std::vector<chat_message>;
using lines = std::vector<std::string>;

const tool_set one_tool{1, {{"get", "Gets.", R"({"type":"object","properties":{}})", "s", "get"}}};

model_config model_called(std::string name) {
  model_config model;
  model.name = std::move(name);
  model.provider = "anthropic";
  model.images = model.documents = true;
  return model;
}

std::string body_of(const history& messages, const model_config& model,
                    const tool_set* tools = &one_tool, std::string_view parameters = {}) {
  return accepted_body("anthropic", {.model = model,
                                     .history = messages,
                                     .tools = tools,
                                     .parameters = parameters,
                                     .system = "Be kind."});
}

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

/// Takes over an answer, and makes results for its calls, as a turn does.
void take(history& into, const decoded_body& decoded) {
  auto answer = says(role::assistant, decoded.text());
  answer.reasoning = decoded.reasoning();
  answer.provider_metadata = decoded.end.provider_metadata;
  for (const auto& each : decoded.calls())
    if (!each.arguments.text.empty())
      answer.tool_calls.push_back(
          {each.tool_call_id, model_tool_name(each.tool_name),
           is_json_object(each.arguments.text) ? each.arguments.text : "{}"});
  const auto calls = answer.tool_calls;
  if (!says_nothing(answer) || !answer.provider_metadata.empty())
    into.push_back(std::move(answer));
  for (const auto& each : calls) {
    auto result = says(role::tool, "done");
    result.tool_call_id = each.id;
    result.failed = each.name == "write";
    into.push_back(std::move(result));
  }
}

/// Chats whose answers have blocks of Claude, true and false ones; and what is asked beside them.
class claude_chat : public random_chat {
public:
  using random_chat::random_chat;

  model_config model() {
    auto made = model_called(
        one_of<const char*>({"claude-3-5-haiku-latest", "claude-sonnet-4-5", "claude-opus-4-6",
                             "claude-opus-4-8", "claude-sonnet-5", "glm-4.6", "m"}));
    made.images = below(3) > 0;
    made.documents = below(3) > 0;
    made.generation.cache = below(4) > 0;
    made.generation.max_output_tokens = below(2) * below(6000);
    made.generation.reasoning_effort =
        one_of<const char*>({"", "", "none", "low", "high", "xhigh"});
    made.generation.reasoning_budget = one_of<int64_t>({-2, -2, -1, 0, 2000, 50'000});
    made.generation.parallel_tool_calls = one_of<int32_t>({-1, 0, 1});
    if (below(8) == 0)
      made.reasoning = reasoning_policy::strip;
    return made;
  }

  std::string parameters() {
    return one_of<const char*>(
        {"", R"({"temperature":1.7,"top_p":0.5,"top_k":3,"seed":1,"n":2,"stop":["\n","x"]})",
         R"({"tool_choice":"required"})", R"({"tool_choice":"auto","user":"u"})",
         R"({"tool_choice":{"type":"function","function":{"name":"get"}},"logprobs":true})"});
  }

  bool tools() { return below(4) > 0; }

private:
  void seal(chat_message& made) override {
    if (below(2) == 0)
      made.provider_metadata = sealed(made);
  }

  /// Seals the answer, or something else.
  std::string sealed(const chat_message& answer) {
    std::string blocks = R"({"type":"thinking","thinking":"t","signature":"c2ln"})";
    if (below(4) == 0)
      blocks += R"(,{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}})";
    if (below(4) == 0)
      blocks += R"(,{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]})";
    if (below(8) > 0 && !answer.text.empty())
      blocks += R"(,{"type":"text","text":)" + to_json(answer.text) + "}";
    if (below(8) > 0)
      for (const auto& each : answer.tool_calls)
        blocks +=
            fmt::format(R"(,{{"type":"tool_use","id":{},"name":{},"input":{}}})", to_json(each.id),
                        to_json(each.name), is_json_object(each.arguments) ? each.arguments : "{}");
    if (below(8) == 0)
      blocks += one_of<const char*>({R"(,{"type":"redacted_thinking","data":"cmVk"})",
                                     R"(,{"type":"tool_result","tool_use_id":"a"})", ",7",
                                     R"(,{"type":"thinking","thinking":"","signature":""})"});
    return fmt::format(
        R"({{"{}":{{"model":"{}","blocks":[{}]}}}})", below(6) == 0 ? "gemini" : "anthropic",
        one_of<const char*>({"claude-sonnet-4-5", "claude-opus-4-8", "glm-4.6"}), blocks);
  }
};

/// Returns the blocks that the metadata keep.
lines blocks_in(const std::string& metadata) {
  const json_source source{metadata};
  std::string_view own, blocks;
  lines found;
  read_members(source.root(), {{"anthropic", &own}});
  read_members(own, {{"blocks", &blocks}});
  for_each_element(blocks, [&found](std::string_view each) {
    found.emplace_back(each);
    return true;
  });
  return found;
}

/// Checks that an answer goes back as it came, to its model only. Returns how many blocks it has.
size_t check_kept(const decoded_body& answer, const std::string& model) {
  history chat{says(role::user, "Go.")};
  take(chat, answer);
  if (!answer.end.goes_on && answer.calls().empty())
    chat.push_back(says(role::user, "And now?"));
  const auto own = body_of(chat, model_called(model));
  const auto other = body_of(chat, model_called("claude-opus-4-8"));
  const auto blocks = blocks_in(answer.end.provider_metadata);
  for (const auto& each : blocks) {
    INFO(each);
    CHECK(own.find(each) != std::string::npos);
  }
  for (auto sealed : {"signature", "redacted_thinking", "srvtoolu", "mcptoolu"})
    CHECK(other.find(sealed) == std::string::npos);
  return blocks.size();
}

} // namespace

TEST_CASE("every history makes a request that Anthropic takes", "[messages][anthropic]") {
  for (uint32_t seed = 0; seed < 20'000; ++seed) {
    claude_chat chat{seed};
    const auto messages = chat.make();
    const auto model = chat.model();
    INFO("seed " << seed);
    const auto body =
        body_of(messages, model, chat.tools() ? &one_tool : nullptr, chat.parameters());
    for (const auto& each : chat.texts)
      if (body.find(each) == std::string::npos)
        FAIL("lost: " << each << "\n" << body);
  }
}

TEST_CASE("an answer of Anthropic that broke off anywhere leaves a history that it takes",
          "[messages][anthropic]") {
  const auto model = model_called("m");
  lines before;
  for_each_broken_fixture(answer_fixtures{"anthropic"}, [&](const decoded_body& answer) {
    auto now = body_lines(answer);
    if (now == before)
      return true;
    before = std::move(now);
    history chat{says(role::user, "Go.")};
    take(chat, answer);
    body_of(chat, model);
    chat.push_back(says(role::user, "Go on."));
    body_of(chat, model);
    return true;
  });
}

TEST_CASE("what Anthropic sealed goes back as it came, and to no other model",
          "[messages][anthropic]") {
  size_t kept = 0;
  const answer_fixtures corpus{"anthropic"};
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    kept += check_kept(decode_body("anthropic", each.frame, {each.body}), "m");
  }
  CHECK(kept >= 39);
  if (const auto folder = recordings_of("anthropic"))
    for (const auto& each : read_recordings(*folder)) {
      INFO("recording " << each.name);
      check_kept(decode_body("anthropic", each.frame, {each.body}), "m");
    }
}

TEST_CASE("seals of Anthropic hold only as long as the message says the same",
          "[messages][anthropic]") {
  auto answer = says(role::assistant, "Yes.");
  answer.provider_metadata =
      R"({"anthropic":{"model":"m","blocks":[{"type":"thinking","thinking":"t",)"
      R"("signature":"c2ln"},{"type":"text","text":"Yes."}]}})";
  const auto body = [&] {
    return body_of({says(role::user, "Go."), answer, says(role::user, "And?")}, model_called("m"));
  };
  CHECK(body().find("c2ln") != std::string::npos);
  answer.text = "No.";
  CHECK(body().find("c2ln") == std::string::npos);
  CHECK(body().find("No.") != std::string::npos);
  answer.text = "Yes.";
  answer.files.push_back({"image/png", "data:image/png;base64,iVBORw0KGgo=", "a.png"});
  CHECK(body().find("c2ln") == std::string::npos);
  answer.files.clear();
  answer.tool_calls.push_back({"a", "get", "{}"});
  CHECK(body().find("c2ln") == std::string::npos);
}

TEST_CASE("a request to Anthropic without seals has none", "[messages][anthropic]") {
  const answer_fixtures corpus{"anthropic"};
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    history chat{says(role::user, "Go.")};
    take(chat, decode_body("anthropic", each.frame, {each.body}));
    const auto model = model_called("m");
    const auto body = accepted_body(
        "anthropic",
        {.model = model, .history = chat, .tools = &one_tool, .without_sealed_reasoning = true});
    for (auto sealed : {"signature", "redacted_thinking", "srvtoolu", "mcptoolu"})
      CHECK(body.find(sealed) == std::string::npos);
  }
}

TEST_CASE("nothing that other providers sealed goes to Anthropic", "[messages][anthropic]") {
  auto answer = says(role::assistant, "Yes.");
  answer.reasoning = "thought";
  for (auto name : {"openai", "openai_responses", "gemini", "google", "bedrock"}) {
    answer.provider_metadata =
        fmt::format(R"({{"{}":{{"model":"m","blocks":[{{"type":"text","text":"Yes."}}],)"
                    R"("thought_signature":"secret"}}}})",
                    name);
    const auto body =
        body_of({says(role::user, "Go."), answer, says(role::user, "And?")}, model_called("m"));
    CHECK(body.find("secret") == std::string::npos);
    CHECK(body.find("thought") == std::string::npos);
  }
}

} // namespace anthropic_history_test
