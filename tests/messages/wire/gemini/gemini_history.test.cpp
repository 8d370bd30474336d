// Whatever a chat came to, what goes to Gemini is a request that it takes, with the signatures of
// its own answers in their places, and of no others.
#include "tests/messages/wire/gemini/gemini_request_check.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/random_chat.hpp"
#include "tests/support/request_rules.hpp"

namespace gemini_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using messages = std::vector<chat_message>;

constexpr std::string_view skip_mark = "skip_thought_signature_validator";

model_config named(std::string name, std::string provider = "gemini") {
  model_config model;
  model.name = "m";
  model.model = std::move(name);
  model.provider = std::move(provider);
  model.images = model.documents = true;
  return model;
}

std::string body_of(const model_config& model, const messages& history,
                    std::string_view system = {}) {
  return accepted_body(model.provider, {.model = model, .history = history, .system = system});
}

const std::vector<model_config> models{named("gemini-3-flash"), named("gemini-2.5-flash"),
                                       named("some-model")};

/// Returns the fault of the body as the model's server finds it.
std::string fault_of(const model_config& model, std::string_view body) {
  return gemini_body_fault(body, {model.model == "gemini-3-flash", true});
}

/// Decodes a body as that model's answer.
decoded_body decode_as(const model_config& model, const answer_fixture& from,
                       const std::string& prefix = "made-") {
  auto decoder = find_provider(model.provider)->make_decoder(model, prefix);
  decoded_body answer;
  decoder->head(from.frame.status, from.frame.content_type, "");
  answer.end = decoder->feed(from.body, answer.events);
  if (!answer.end.over)
    answer.end = decoder->finish(from.frame.cut, answer.events);
  return answer;
}

/// Adds the answer, and a result for each of its calls, the last one first.
void add_round(messages& history, chat_message answer) {
  const auto calls = answer.tool_calls;
  history.push_back(std::move(answer));
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    chat_message result;
    result.who = role::tool;
    result.text = "result of " + call->id;
    result.tool_call_id = call->id;
    history.push_back(std::move(result));
  }
}

/// Returns the signatures in a text, in their order.
std::vector<std::string> signatures_in(std::string_view text) {
  constexpr std::string_view mark = R"("thoughtSignature":")";
  std::vector<std::string> found;
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const auto first = at + mark.size();
    found.emplace_back(text.substr(first, text.find('"', first) - first));
  }
  return found;
}

/// Chats whose answers have stale and broken parts of Gemini.
class gemini_chat : public random_chat {
public:
  using random_chat::random_chat;

private:
  void seal(chat_message& made) override {
    if (below(4) == 0)
      made.provider_metadata = one_of<const char*>(
          {R"({"gemini":{"model":"gemini-3-flash","blocks":[{"text":"other",)"
           R"("thoughtSignature":"stale"}]}})",
           R"({"gemini":{"model":"gemini-3-flash","blocks":[]}})",
           R"({"gemini":{"model":"gemini-3-flash","blocks":[{"functionCall":{"name":"get"}}]}})"});
  }
};

} // namespace

TEST_CASE("3000 random histories are sent to Gemini as it takes them", "[messages][gemini]") {
  gemini_chat random{20'261'125};
  for (size_t i = 0; i < 3000; ++i) {
    const auto history = random.make();
    const auto& model = models[i % models.size()];
    const auto system = i % 4 == 0 ? "Be kind." : "";
    INFO("history " << i << " to " << model.model);
    const auto body = body_of(model, history, system);
    INFO(body);
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(model, history, system));
    for (const auto* other : {"stale", "\"blocks\"", "thought_signature\":", "anthropic"})
      REQUIRE(body.find(other) == std::string::npos);
  }
}

TEST_CASE("what Gemini signed goes back to the same model unchanged, and to no other",
          "[messages][gemini]") {
  size_t signed_answers = 0;
  const answer_fixtures corpus{"gemini"};
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    const auto decoded = decode_as(models[0], each);
    const auto sealed = signatures_in(decoded.end.provider_metadata);
    messages history{user_message("first")};
    add_round(history, decoded.message());
    history.push_back(user_message("second"));
    const auto body = body_of(models[0], history);
    INFO(body);
    CHECK(fault_of(models[0], body) == "");
    if (!sealed.empty())
      CHECK(signatures_in(body) == sealed);
    signed_answers += sealed.empty() ? 0 : 1;
    for (const auto& other : {named("gemini-3-pro"), models[1], named("x", "openai")}) {
      const auto foreign = body_of(other, history);
      for (const auto& signature : sealed)
        CHECK(foreign.find(signature) == std::string::npos);
      CHECK(foreign.find("\"blocks\"") == std::string::npos);
    }
  }
  CHECK(signed_answers >= 8);
}

TEST_CASE("a signature stands on the part where it came", "[messages][gemini]") {
  const auto back = [](const std::string& chunks) {
    answer_fixture from;
    from.body = chunks;
    messages history{user_message("u")};
    add_round(history, decode_as(models[0], from).message());
    auto body = body_of(models[0], history);
    const auto first = body.find(R"({"role":"model","parts":)") + 24;
    return body.substr(first, body.find(R"(},{"role":"user")", first) - first);
  };
  const auto chunk = [](const std::string& parts, const std::string& more = "") {
    return R"(data: {"candidates":[{"content":{"parts":)" + parts + "}" + more + "}]}\n\n";
  };
  const std::string stop = R"(,"finishReason":"STOP")";
  CHECK(back(chunk(R"([{"text":"a"},{"text":"b"}])") +
             chunk(R"([{"text":"","thoughtSignature":"s1"}])", stop)) ==
        R"([{"text":"ab"},{"text":"","thoughtSignature":"s1"}])");
  CHECK(back(chunk(R"([{"text":"a","thoughtSignature":"s1"},{"text":"b"}])", stop)) ==
        R"([{"text":"a","thoughtSignature":"s1"},{"text":"b"}])");
  CHECK(back(chunk(R"([{"text":"t","thought":true},{"functionCall":{"name":"f","args":{"n": 1.0}},)"
                   R"("thoughtSignature":"s1"},{"functionCall":{"args":{},"name":"g"}}])",
                   stop)) ==
        R"([{"functionCall":{"name":"f","args":{"n": 1.0}},"thoughtSignature":"s1"},)"
        R"({"functionCall":{"args":{},"name":"g"}}])");
}

TEST_CASE("an answer whose text a client changed goes back without its signatures",
          "[messages][gemini]") {
  answer_fixture from;
  from.body = R"({"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f",)"
              R"("args":{},"id":"i1"},"thoughtSignature":"s1"}]},"finishReason":"STOP"}]})";
  messages history{user_message("u")};
  add_round(history, decode_as(models[0], from).message());
  const auto unchanged = body_of(models[0], history);
  CHECK(signatures_in(unchanged) == std::vector<std::string>{"s1"});
  CHECK(unchanged.find(R"({"functionResponse":{"name":"f","id":"i1",)") != std::string::npos);
  const auto anew = accepted_body(
      "gemini", {.model = models[0], .history = history, .without_sealed_reasoning = true});
  CHECK(signatures_in(anew) == std::vector<std::string>{std::string{skip_mark}});
  auto text_changed = history;
  text_changed[1].text = "b";
  auto call_changed = history;
  call_changed[1].tool_calls[0].name = "g";
  auto id_changed = history;
  id_changed[1].tool_calls[0].id = id_changed[2].tool_call_id = "i2";
  for (const auto& changed : {text_changed, call_changed, id_changed}) {
    const auto body = body_of(models[0], changed);
    CHECK(fault_of(models[0], body) == "");
    CHECK(signatures_in(body) == std::vector<std::string>{std::string{skip_mark}});
    CHECK(body.find(R"("id":)") == std::string::npos);
  }
}

TEST_CASE("only the first foreign call of a step gets the mark, and only for generation 3",
          "[messages][gemini]") {
  chat_message calls;
  calls.who = role::assistant;
  calls.tool_calls = {{"call_1", "f", "{}"}, {"call_2", "f", R"({"a":1})"}};
  messages history{user_message("u")};
  add_round(history, calls);
  CHECK(signatures_in(body_of(models[0], history)) ==
        std::vector<std::string>{std::string{skip_mark}});
  const auto body = body_of(models[1], history);
  CHECK(body ==
        R"({"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[)"
        R"({"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{"a":1}}}]},)"
        R"({"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":)"
        R"("result of call_1"}}},{"functionResponse":{"name":"f","response":{"output":)"
        R"("result of call_2"}}}]}]})");
}

TEST_CASE("a failed result is an error, and files of results go where the model takes them",
          "[messages][gemini]") {
  chat_message calls;
  calls.who = role::assistant;
  calls.tool_calls = {{"call_1", "f", "{}"}};
  messages history{user_message("u")};
  add_round(history, calls);
  history[2].failed = true;
  history[2].files = {{"image/png", "data:image/png;base64,iVBORw0KGgo="},
                      {"image/gif", "data:image/gif;base64,R0lGODlh", "x.gif"},
                      {"image/png", "https://x.example/a.png"}};
  const auto inside = body_of(models[0], history);
  CHECK(fault_of(models[0], inside) == "");
  CHECK(inside.find(R"("response":{"error":"result of call_1\n[file x.gif image/gif]\n[file )") !=
        std::string::npos);
  CHECK(inside.find(R"(https://x.example/a.png"},"parts":[{"inlineData":{"mimeType":"image/png",)"
                    R"("data":"iVBORw0KGgo="}}]}}]}]})") != std::string::npos);
  const auto behind = body_of(models[1], history);
  CHECK(fault_of(models[1], behind) == "");
  CHECK(behind.find(R"({"error":"result of call_1"}}}]},{"role":"user","parts":[{"text":)") !=
        std::string::npos);
  CHECK(
      behind.find(R"({"fileData":{"mimeType":"image/png","fileUri":"https://x.example/a.png"}})") !=
      std::string::npos);
}

TEST_CASE("the check of Gemini's requests finds what Gemini refuses", "[messages][gemini]") {
  const auto with = [](const std::string& contents, const std::string& more = "") {
    return gemini_body_fault(R"({"contents":[)" + contents + "]" + more + "}");
  };
  const auto content = [](const std::string& who, const std::string& parts) {
    return R"({"role":")" + who + R"(","parts":[)" + parts + "]}";
  };
  const auto user = content("user", R"({"text":"x"})");
  const std::string call = R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"})";
  const std::string response = R"({"functionResponse":{"name":"f","response":{"output":"x"}}})";
  const auto round = user + "," + content("model", call) + ",";
  CHECK(with(user).empty());
  CHECK(with(round + content("user", response)).empty());
  CHECK(with(round + content("user", response) + "," + user).empty());
  CHECK_FALSE(with("").empty());
  CHECK_FALSE(with(user, R"(,"model":"x")").empty());
  CHECK_FALSE(with(user + "," + user).empty());
  CHECK_FALSE(with(content("model", R"({"text":"x"})") + "," + user).empty());
  CHECK_FALSE(with(user + "," + content("model", R"({"text":"x"})")).empty());
  CHECK_FALSE(with(content("user", R"({"text":""})")).empty());
  CHECK_FALSE(with(content("user", R"({"text":"x","inlineData":{}})")).empty());
  CHECK_FALSE(with(content("user", "")).empty());
  CHECK_FALSE(with(user + "," + content("model", call)).empty());
  CHECK_FALSE(with(round + content("user", response + "," + response)).empty());
  CHECK_FALSE(with(round + content("user", response + R"(,{"text":"x"})")).empty());
  CHECK_FALSE(with(round + user).empty());
  CHECK_FALSE(with(user + "," + content("model", R"({"functionCall":{"name":"f","args":{}}})") +
                   "," + content("user", response))
                  .empty());
  CHECK_FALSE(with(user, R"(,"tools":[{"functionDeclarations":[]}])").empty());
  CHECK_FALSE(with(user, R"(,"tools":[{"functionDeclarations":[{"name":"3d","description":"x"}]}])")
                  .empty());
  CHECK_FALSE(with(user, R"(,"generationConfig":{"top_p":1})").empty());
}

} // namespace gemini_history_test
