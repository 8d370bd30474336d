// Whatever a chat came to, what goes to the model is a request that the strictest server takes, and
// nothing that the user wrote is lost.
#include <random>
#include <string>
#include <vector>

#include "tests/messages/wire/openai_chat/openai_fixtures.hpp"
#include "tests/support/request_rules.hpp"

namespace openai_history_test {

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
    for (auto n = below(12) + 1; n > 0; --n)
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

  std::string blank() { return one_of<const char*>({"", " ", "\n", " \t\r\n"}); }

  chat_message message() {
    chat_message made;
    made.who = one_of({role::user, role::user, role::assistant, role::assistant, role::tool,
                       role::tool, role::system});
    made.text = below(4) == 0 ? blank() : "text " + std::to_string(++number_) + ".";
    if (made.who == role::user)
      user(made);
    else if (made.who == role::assistant)
      answer(made);
    else if (made.who == role::tool)
      result(made);
    return made;
  }

  void user(chat_message& made) {
    if (made.text.size() > 4)
      texts.push_back(made.text);
    for (auto n = below(8); n > 5; --n)
      made.files.push_back(file());
    if (below(8) == 0)
      made.extras.push_back({"MCP_RESOURCE", "a", "b://", "s", "content", ""});
  }

  void answer(chat_message& made) {
    if (below(3) == 0)
      made.reasoning = "thought";
    if (below(8) == 0)
      made.provider_metadata = R"({"google":{"x":1}})";
    for (auto n = below(5); n > 2; --n)
      made.tool_calls.push_back(
          {id(), one_of<const char*>({"get", "get", "no name", "", "имя"}),
           one_of<const char*>({"{}", R"({"a":1})", "", "[]", "null", "{oops", "\"{}\""})});
  }

  void result(chat_message& made) {
    made.tool_call_id = id();
    if (below(4) == 0)
      made.files.push_back(file());
  }

  std::string id() { return one_of<const char*>({"a", "b", "a_2", "c", ""}); }

  message_file file() {
    auto type = one_of<std::string>({"image/png", "image/svg+xml", "image/tiff", "IMAGE/JPG",
                                     "text/plain", "application/pdf", "image/*", ""});
    auto url = one_of<std::string>({"data:image/png;base64,AAAA", "data:image/png;base64,",
                                    "data:image/png;base64,iVBORw0KGgo", "data:,<svg/>",
                                    "https://x.example/a", "http://x.example/b.svg", "blob:x",
                                    "data:image/svg+xml;base64,PHN2Zy8+"});
    return {type, url, one_of<const char*>({"", "name"}), one_of<const char*>({"", "low", "odd"}),
            below(2) * 1000};
  }

  std::mt19937 random_;
  int number_ = 0;
};

std::string body_of(const std::vector<chat_message>& history, bool images,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.images = images;
  return find_provider("openai")
      ->make_request({.model = model, .history = history, .system = system})
      .body;
}

/// Takes over an answer as a decoder gave it.
chat_message answer_of(const decoded_answer& decoded) {
  chat_message made;
  made.who = role::assistant;
  for (const auto& each : decoded.events) {
    if (const auto* text = std::get_if<text_delta>(&each))
      made.text += text->text;
    else if (const auto* thought = std::get_if<reasoning_delta>(&each))
      made.reasoning += thought->text;
    else if (const auto* call = std::get_if<tool_args_complete>(&each))
      made.tool_calls.push_back({call->tool_call_id, call->tool_name, call->arguments.text,
                                 call->provider_metadata.text});
  }
  made.provider_metadata = decoded.end.provider_metadata;
  return made;
}

} // namespace

TEST_CASE("2000 random histories are sent as requests that strict servers take",
          "[messages][openai_chat]") {
  random_history random{20'261'125};
  for (int i = 0; i < 2000; ++i) {
    auto history = random.make();
    auto body = body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : "");
    auto fault = openai_body_fault(body);
    INFO("history " << i << ": " << body);
    REQUIRE(fault == "");
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : ""));
  }
}

TEST_CASE("each recorded answer of a model, as it came, leaves a chat that goes on",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    auto answer = answer_of(decode(read_expectation(name), {read_fixture(name + ".sse")}));
    std::vector<chat_message> history{user_message("first"), std::move(answer),
                                      user_message("second")};
    auto body = body_of(history, true);
    INFO("fixture " << name << ": " << body);
    CHECK(openai_body_fault(body) == "");
    CHECK(body.find("first") != std::string::npos);
    CHECK(body.find("second") != std::string::npos);
  }
}

} // namespace openai_history_test
