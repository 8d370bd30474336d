// Whatever a chat came to, what goes to Ollama is a request that it takes as it is meant, and
// nothing that the user wrote is lost.
#include <random>

#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/support/ollama_request_check.hpp"

namespace ollama_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Makes histories of all that can go wrong in one; the same for the same seed.
class random_history {
public:
  explicit random_history(uint32_t seed) : random_{seed} {}

  std::vector<chat_message> make() {
    std::vector<chat_message> history;
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

  /// Answers of any provider, with what these want to have back.
  void answer(chat_message& made) {
    if (below(3) == 0)
      made.reasoning = "thought";
    if (below(4) == 0)
      made.provider_metadata = one_of<const char*>(
          {R"({"google":{"x":1}})", R"({"anthropic":{"model":"m","blocks":[{"type":"x"}]}})"});
    for (auto n = below(6); n > 3; --n)
      made.tool_calls.push_back(
          {id(), one_of<const char*>({"get", "get", "no name", "", "имя"}),
           one_of<const char*>({"{}", R"({"a":1})", "", "[]", "null", "{oops", "\"{}\""}),
           below(4) == 0 ? R"({"google":{"thought_signature":"s"}})" : ""});
  }

  std::string id() { return one_of<const char*>({"a", "b", "a_2", "c", "", "toolu_01-x"}); }

  message_file file() {
    return {one_of<std::string>(
                {"image/png", "image/svg+xml", "IMAGE/JPG", "text/plain", "application/pdf", ""}),
            one_of<std::string>({"data:image/png;base64,AAAA", "data:image/png;base64,",
                                 "data:,<svg/>", "https://x.example/a", "blob:x",
                                 "data:application/pdf;base64,JVBERi0x"}),
            one_of<const char*>({"", "name"}), "", below(2) * 1000};
  }

  std::mt19937 random_;
  int number_ = 0;
};

std::string body_of(const std::vector<chat_message>& history, bool images,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.base_url = "http://127.0.0.1:11434";
  model.images = images;
  return find_provider("ollama")
      ->make_request({.model = model, .history = history, .system = system})
      .body;
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

} // namespace

TEST_CASE("3000 random histories are sent to Ollama as it takes them", "[messages][ollama]") {
  random_history random{20'261'125};
  for (int i = 0; i < 3000; ++i) {
    const auto history = random.make();
    const auto body = body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : "");
    INFO("history " << i << ": " << body);
    REQUIRE(ollama_body_fault(body) == "");
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : ""));
    REQUIRE(body.find("signature") == std::string::npos); // of other providers
    REQUIRE(body.find("blocks") == std::string::npos);
  }
}

TEST_CASE("each answer of Ollama, broken off anywhere, leaves a chat that goes on",
          "[messages][ollama]") {
  for_each_broken_fixture(answer_fixtures{"ollama"}, [](const decoded_body& decoded) {
    const std::vector<chat_message> history{user_message("first"), answer_of(decoded),
                                            user_message("second")};
    const auto body = body_of(history, true);
    return ollama_body_fault(body).empty() && body.find("first") != std::string::npos &&
           body.find("second") != std::string::npos;
  });
}

TEST_CASE("the check of Ollama's requests finds what Ollama refuses or ignores",
          "[messages][ollama]") {
  const auto with = [](const std::string& messages, const std::string& more = "") {
    return ollama_body_fault(R"({"model":"m","messages":[)" + messages + R"(],"stream":true)" +
                             more + "}");
  };
  const std::string user = R"({"role":"user","content":"x"})";
  const std::string calls = R"(,{"role":"assistant","content":"","tool_calls":[)"
                            R"({"id":"a","function":{"name":"f","arguments":{}}}]})";
  CHECK(with(user).empty());
  CHECK(with(user + calls + R"(,{"role":"tool","content":"","tool_name":"f","tool_call_id":"a"})")
            .empty());
  CHECK_FALSE(with(user + calls).empty());
  CHECK_FALSE(
      with(user + calls + R"(,{"role":"tool","content":"","tool_name":"g","tool_call_id":"a"})")
          .empty());
  CHECK_FALSE(with(R"({"role":"user","content":[{"type":"text","text":"x"}]})").empty());
  CHECK_FALSE(with(user, R"(,"temperature":1)").empty());
  CHECK_FALSE(with(user, R"(,"options":{"stop":"END"})").empty());
  CHECK_FALSE(with(user, R"(,"think":"minimal")").empty());
  CHECK_FALSE(
      with(R"({"role":"user","content":"x","images":["data:image/png;base64,AAAA"]})").empty());
  CHECK_FALSE(with(user, R"(,"tools":[{"type":"function","function":{"name":"f",)"
                         R"("description":"","parameters":{"type":"object","properties":[]}}}])")
                  .empty());
}

} // namespace ollama_history_test
