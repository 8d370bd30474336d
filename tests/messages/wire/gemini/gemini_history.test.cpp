// Whatever a chat came to, what goes to Gemini is a request that it takes, with the signatures of
// its own answers in their places, and of no others.
#include <random>

#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/support/gemini_request_check.hpp"
#include "tests/support/ollama_request_check.hpp"
#include "tests/support/openai_responses_request_check.hpp"
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
  return find_provider(model.provider)
      ->make_request({.model = model, .history = history, .system = system})
      .body;
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

/// Takes over an answer as a decoder gave it, whether it ended or broke off.
chat_message answer_of(const decoded_body& decoded) {
  chat_message made;
  made.who = role::assistant;
  made.text = decoded.text();
  made.reasoning = decoded.reasoning();
  for (const auto& call : decoded.calls())
    made.tool_calls.push_back(
        {call.tool_call_id, call.tool_name, call.arguments.text, call.provider_metadata.text});
  made.provider_metadata = decoded.end.provider_metadata;
  return made;
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

/// Makes histories of all that can go wrong in one; the same for the same seed.
class random_history {
public:
  explicit random_history(uint32_t seed) : random_{seed} {}

  messages make() {
    messages history;
    texts.clear();
    for (auto n = below(14) + 1; n > 0; --n)
      history.push_back(message());
    return history;
  }

  std::vector<std::string> texts; ///< that the user wrote in the last history

private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<uint32_t>(list.size())));
  }

  chat_message message() {
    chat_message made;
    made.who = one_of({role::user, role::user, role::assistant, role::assistant, role::assistant,
                       role::tool, role::tool, role::system});
    made.text = below(4) == 0 ? one_of<const char*>({"", " ", "\n"})
                              : "text " + std::to_string(++number_) + ".";
    if (made.who == role::user && made.text.size() > 4)
      texts.push_back(made.text);
    if (made.who == role::assistant)
      answer(made);
    if (made.who == role::tool)
      made.tool_call_id = id();
    made.failed = made.who == role::tool && below(3) == 0;
    if (made.who != role::system && below(4) == 0)
      made.files.push_back(file());
    return made;
  }

  void answer(chat_message& made) {
    if (below(4) == 0)
      made.provider_metadata = one_of<const char*>(
          {R"({"google":{"x":1}})", R"({"anthropic":{"model":"m","blocks":[{"type":"x"}]}})",
           R"({"gemini":{"model":"gemini-3-flash","blocks":[{"text":"other",)"
           R"("thoughtSignature":"stale"}]}})",
           R"({"gemini":{"model":"gemini-3-flash","blocks":[]}})",
           R"({"gemini":{"model":"gemini-3-flash","blocks":[{"functionCall":{"name":"get"}}]}})"});
    for (auto n = below(6); n > 3; --n)
      made.tool_calls.push_back(
          {id(), one_of<const char*>({"get", "3d", "no name", "", "имя"}),
           one_of<const char*>({"{}", R"({"a":1})", "", "[]", "null", "{oops", "\"{}\""}),
           below(4) == 0 ? R"({"google":{"thought_signature":"s"}})" : ""});
  }

  std::string id() { return one_of<const char*>({"a", "b", "a_2", "c", "", "toolu_01-x"}); }

  message_file file() {
    return {one_of<std::string>({"image/png", "image/gif", "image/svg+xml", "IMAGE/JPG",
                                 "text/plain", "application/pdf", ""}),
            one_of<std::string>({"data:image/png;base64,AAAA", "data:image/png;base64,",
                                 "data:image/gif;base64,R0lGODlh", "data:,<svg/>",
                                 "https://x.example/a.gif", "https://x.example/a", "blob:x",
                                 "data:application/pdf;base64,JVBERi0x"}),
            one_of<const char*>({"", "name"}), "", below(2) * 1000};
  }

  std::mt19937 random_;
  int number_ = 0;
};

} // namespace

TEST_CASE("3000 random histories are sent to Gemini as it takes them", "[messages][gemini]") {
  random_history random{20'261'125};
  for (size_t i = 0; i < 3000; ++i) {
    const auto history = random.make();
    const auto& model = models[i % models.size()];
    const auto system = i % 4 == 0 ? "Be kind." : "";
    const auto body = body_of(model, history, system);
    INFO("history " << i << " to " << model.model << ": " << body);
    REQUIRE(fault_of(model, body) == "");
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(model, history, system));
    for (const auto* other : {"stale", "\"blocks\"", "thought_signature\":", "anthropic"})
      REQUIRE(body.find(other) == std::string::npos);
  }
}

TEST_CASE("each answer of Gemini, broken off anywhere, leaves a chat that goes on",
          "[messages][gemini]") {
  for_each_broken_fixture(answer_fixtures{"gemini"}, [](const decoded_body& decoded) {
    const messages history{user_message("first"), answer_of(decoded), user_message("second")};
    auto right = true;
    for (const auto& model : models) {
      const auto body = body_of(model, history);
      right = right && fault_of(model, body).empty() && body.find("first") != std::string::npos &&
              body.find("second") != std::string::npos;
    }
    return right && openai_body_fault(body_of(named("x", "openai"), history)).empty();
  });
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
    add_round(history, answer_of(decoded));
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
    add_round(history, answer_of(decode_as(models[0], from)));
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
  add_round(history, answer_of(decode_as(models[0], from)));
  const auto unchanged = body_of(models[0], history);
  CHECK(signatures_in(unchanged) == std::vector<std::string>{"s1"});
  CHECK(unchanged.find(R"({"functionResponse":{"name":"f","id":"i1",)") != std::string::npos);
  const auto anew =
      find_provider("gemini")
          ->make_request({.model = models[0], .history = history, .without_seals = true})
          .body;
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

TEST_CASE("20 turns with tools that change the provider each turn break no rule of any of them",
          "[messages][gemini]") {
  struct asked_model {
    model_config model;
    std::string (*fault)(std::string_view body);
    std::vector<answer_fixture> answers;
  };
  const auto answers_of = [](const char* provider) { return answer_fixtures{provider}.all(); };
  const std::vector<asked_model> asked{
      {models[0], [](std::string_view body) { return gemini_body_fault(body); },
       answers_of("gemini")},
      {named("x", "openai"), openai_body_fault, answers_of("openai")},
      {models[1],
       [](std::string_view body) {
         return gemini_body_fault(body, {false, true});
       },
       answers_of("gemini")},
      {named("x", "openai-responses"), openai_responses_body_fault, answers_of("openai-responses")},
      {named("x", "ollama"), ollama_body_fault, answers_of("ollama")}};
  std::mt19937 random{3};
  for (int chat = 0; chat < 20; ++chat) {
    messages history;
    for (size_t turn = 0; turn < 20; ++turn) {
      const auto& [model, own_fault, answers] = asked[turn % asked.size()];
      history.push_back(user_message("turn " + std::to_string(turn)));
      const auto& from = answers[random() % answers.size()];
      add_round(history, answer_of(decode_as(model, from, fmt::format("t{}-", turn))));
      INFO("turn " << turn << " after " << from.name);
      for (const auto& each : asked) {
        const auto body = body_of(each.model, history);
        INFO(each.model.provider << ": " << body);
        REQUIRE(each.fault(body) == "");
      }
    }
  }
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
